import type { JsonObject } from '../json.ts';
import type { MockOperations } from './operations.ts';

/**
 * The post types, statuses and taxonomies of WordPress, as wp-includes/post.php and taxonomy.php register them. A type or
 * taxonomy exists if the document has the list that it names.
 */
export interface WordPressObjects {
  /** The ids of a collection of such objects; `undefined` for another collection. */
  idsAt(route: string): readonly string[] | undefined;
  /** The properties of such an object. */
  fieldsAt(route: string, id: string): JsonObject | undefined;
  /** The type of the items of a collection: `post` at `/wp/v2/posts`. */
  typeAt(route: string): string | undefined;
}

type Named = readonly [slug: string, name: string];

const TYPES: readonly (readonly [...Named, restBase: string, hierarchical: boolean, taxonomies: string[]])[] =
  [
    ['post', 'Posts', 'posts', false, ['category', 'post_tag']],
    ['page', 'Pages', 'pages', true, []],
    ['attachment', 'Media', 'media', false, []],
    ['nav_menu_item', 'Navigation Menu Items', 'menu-items', false, ['nav_menu']],
    ['wp_block', 'Patterns', 'blocks', false, ['wp_pattern_category']],
    ['wp_template', 'Templates', 'templates', false, []],
    ['wp_template_part', 'Template Parts', 'template-parts', false, []],
    ['wp_global_styles', 'Global Styles', 'global-styles', false, []],
    ['wp_navigation', 'Navigation Menus', 'navigation', false, []],
    ['wp_font_family', 'Font Families', 'font-families', false, []],
  ];

const TAXONOMIES: readonly (readonly [...Named, restBase: string, hierarchical: boolean, types: string[]])[] =
  [
    ['category', 'Categories', 'categories', true, ['post']],
    ['post_tag', 'Tags', 'tags', false, ['post']],
    ['nav_menu', 'Navigation Menus', 'menus', false, ['nav_menu_item']],
    ['wp_pattern_category', 'Pattern Categories', 'wp_pattern_category', false, ['wp_block']],
  ];

const STATUSES: readonly (readonly [...Named, isPublic: boolean])[] = [
  ['publish', 'Published', true],
  ['future', 'Scheduled', false],
  ['draft', 'Draft', false],
  ['pending', 'Pending', false],
  ['private', 'Private', false],
  ['trash', 'Trash', false],
];

export function createWordPressObjects({ listAt }: Pick<MockOperations, 'listAt'>): WordPressObjects {
  function objectsAt(route: string): ReadonlyMap<string, JsonObject> | undefined {
    const [, prefix = '', kind = ''] = /^(.*)\/([^/]+)$/.exec(route) ?? [];
    const namespace = prefix.slice(1);
    const isListed = ([, , restBase]: readonly [string, string, string, ...unknown[]]): boolean =>
      listAt(`${prefix}/${restBase}`) !== undefined;
    // Another plugin's collection may have the same name.
    if (listAt(`${prefix}/posts`) === undefined) return undefined;
    if (kind === 'types') {
      return toMap(
        TYPES.filter(isListed).map(([slug, name, restBase, hierarchical, taxonomies]) => ({
          ...{ slug, name, hierarchical, taxonomies },
          ...{ rest_base: restBase, rest_namespace: namespace, has_archive: false, description: '' },
        })),
      );
    }
    if (kind === 'taxonomies') {
      return toMap(
        TAXONOMIES.filter(isListed).map(([slug, name, restBase, hierarchical, types]) => ({
          ...{ slug, name, hierarchical, types },
          ...{ rest_base: restBase, rest_namespace: namespace, description: '' },
        })),
      );
    }
    if (kind !== 'statuses') return undefined;
    return toMap(
      STATUSES.map(([slug, name, isPublic]) => ({
        ...{ slug, name, public: isPublic, queryable: isPublic },
        date_floating: slug === 'draft' || slug === 'pending',
      })),
    );
  }
  return {
    idsAt(route) {
      const objects = objectsAt(route);
      return objects && [...objects.keys()];
    },
    fieldsAt: (route, id) => objectsAt(route)?.get(id),
    typeAt(route) {
      const last = route.slice(route.lastIndexOf('/') + 1);
      return last === 'comments' ? 'comment' : TYPES.find(([, , restBase]) => restBase === last)?.[0];
    },
  };
}

function toMap(
  objects: readonly (JsonObject & { readonly slug: string })[],
): ReadonlyMap<string, JsonObject> {
  return new Map(objects.map((object) => [object.slug, object]));
}
