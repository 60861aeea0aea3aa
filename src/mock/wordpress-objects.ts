import type { JsonObject } from '../json.ts';
import type { MockOperations } from './operations.ts';
import wordpress from './wordpress-objects.json' with { type: 'json' };

/** What a type or a taxonomy has unless the data state it. */
const UNSTATED = {
  types: { taxonomies: [], has_archive: false },
  taxonomies: { types: [] },
} as const;

/**
 * The post types, statuses and taxonomies of WordPress, as wp-includes/post.php and taxonomy.php register them. A type or
 * taxonomy exists if the document has the list that it names.
 */
export class WordPressObjects {
  private readonly operations: MockOperations;

  constructor(operations: MockOperations) {
    this.operations = operations;
  }

  /** The ids of a collection of such objects; `undefined` for another collection. */
  idsAt(route: string): readonly string[] | undefined {
    return this.objectsAt(route)?.map(({ slug }) => slug);
  }

  fieldsAt(route: string, id: string): JsonObject | undefined {
    return this.objectsAt(route)?.find(({ slug }) => slug === id);
  }

  /** The type of the items of a collection: `post` at `/wp/v2/posts`. */
  typeAt(route: string): string | undefined {
    const last = route.slice(route.lastIndexOf('/') + 1);
    if (last === 'comments') return 'comment';
    return wordpress.types.find((type) => type.rest_base === last)?.slug;
  }

  private objectsAt(route: string): readonly (JsonObject & { readonly slug: string })[] | undefined {
    const [, prefix = '', kind = ''] = /^(.*)\/([^/]+)$/.exec(route) ?? [];
    const isListed = (base: string): boolean => this.operations.listAt(`${prefix}/${base}`) !== undefined;
    // Another plugin's collection may have the same name.
    if (!isListed('posts')) return undefined;
    if (kind === 'statuses') return wordpress.statuses;
    if (kind !== 'types' && kind !== 'taxonomies') return undefined;
    const objects: readonly { readonly slug: string; readonly rest_base: string }[] = wordpress[kind];
    const unstated = { ...UNSTATED[kind], hierarchical: false, description: '' };
    return objects
      .filter(({ rest_base: base }) => isListed(base))
      .map((object) => ({ ...unstated, ...object, rest_namespace: prefix.slice(1) }));
  }
}
