import { toTagPath } from './tag-names.ts';

/** What the document says of one operation, in as far as dependencies need it. */
export interface ResourceRoute {
  readonly namespace: string;
  /** `/wp/v2/posts/{id}` */
  readonly template: string;
  readonly method: string;
  /** The names of its query parameters. */
  readonly queryParameters: readonly string[];
}

/** What a collection holds, where WordPress's own dependencies are known. */
export type ResourceKind =
  | 'posts'
  | 'media'
  | 'terms'
  | 'users'
  | 'comments'
  | 'search'
  | 'settings'
  | 'blocks'
  | 'plugins'
  | 'apart'
  | 'other';

/** Where a route stands among the site's resources. Paths are in lower case. */
export interface ResourceLocation {
  readonly namespace: string;
  readonly path: string;
  /** `/wp/v2/posts` for all of its items and what is below them; the path itself for what has no items. */
  readonly collection: string;
  /** `/wp/v2/posts/12`; null for the collection. */
  readonly item: string | null;
  /** Whether the route goes on behind the item. */
  readonly isBelowItem: boolean;
  readonly kind: ResourceKind;
}

export interface ResourceMap {
  /** @param template of the operation; null where the document has none for it */
  locate(route: string, namespace: string, template: string | null): ResourceLocation;
  /** Where an address in an answer leads, by its path alone. */
  locateByPath(path: string): ResourceLocation | null;
  /** The collections of a kind: of posts those of all post types. */
  collectionsOfKind(kind: ResourceKind): readonly string[];
  /** The collections of a namespace that have items. */
  collectionsInNamespace(namespace: string): readonly string[];
  /** The fields of a post that hold ids of terms: `categories`, `tags`, and those of the site's own taxonomies. */
  readonly taxonomies: readonly string[];
}

/** Namespaces whose dependencies are known: WordPress's own, and the same without its name. */
export const CORE_NAMESPACES: ReadonlySet<string> = new Set(['wp/v2', 'core/v2']);

/** By the last segment of a core collection. */
const BY_NAME: ReadonlyMap<string, ResourceKind> = new Map([
  ['posts', 'posts'],
  ['pages', 'posts'],
  ['media', 'media'],
  ['categories', 'terms'],
  ['tags', 'terms'],
  ['users', 'users'],
  ['comments', 'comments'],
  ['search', 'search'],
  ['settings', 'settings'],
  // A reusable block is part of the content of any post.
  ['blocks', 'blocks'],
  ['plugins', 'plugins'],
  ['themes', 'plugins'],
  // How pages are laid out: of one another, and of nothing that the interface shows to everyone.
  ...[
    ...[
      'templates',
      'template-parts',
      'global-styles',
      'navigation',
      'menus',
      'menu-items',
      'menu-locations',
    ],
    ...['widgets', 'sidebars', 'widget-types', 'block-types', 'block-renderer', 'font-families'],
  ].map((name) => [name, 'apart'] as const),
]);

/** A site's own post types and taxonomies, told by the parameters of their lists. */
const BY_PARAMETERS: readonly (readonly [kind: ResourceKind, parameters: readonly string[]])[] = [
  ['terms', ['post', 'hide_empty']],
  ['posts', ['slug', 'after', 'before', 'orderby']],
];

export function createResourceMap(routes: Iterable<ResourceRoute>): ResourceMap {
  const kinds = new Map<string, ResourceKind>();
  const withItems = new Map<string, string>();
  for (const { namespace, template, method, queryParameters } of routes) {
    const brace = template.indexOf('{');
    const collection = toTagPath(brace < 0 ? template : collectionOf(template, brace));
    if (collection === '') continue;
    if (brace > 0) withItems.set(collection, namespace);
    if (!CORE_NAMESPACES.has(namespace)) continue;
    const named = BY_NAME.get(collection.slice(collection.lastIndexOf('/') + 1));
    if (
      named !== undefined &&
      collection === `/${namespace}${collection.slice(collection.lastIndexOf('/'))}`
    ) {
      kinds.set(collection, named);
    } else if (brace < 0 && method === 'GET') {
      const told = BY_PARAMETERS.find(([, own]) => own.every((name) => queryParameters.includes(name)))?.[0];
      if (told !== undefined) kinds.set(collection, told);
    }
  }
  const collectionsOfKind = (kind: ResourceKind): readonly string[] =>
    [...kinds].filter(([, each]) => each === kind).map(([path]) => path);

  function place(path: string, namespace: string, prefix: string, item: string | null): ResourceLocation {
    const isBelowItem = item !== null && item.length < path.length;
    return { namespace, path, collection: prefix, item, isBelowItem, kind: kinds.get(prefix) ?? 'other' };
  }

  function locate(route: string, namespace: string, template: string | null): ResourceLocation {
    const path = toTagPath(route);
    const known = withinItems(path, withItems);
    if (known !== null) return place(path, namespace, known, itemOf(path, known, template));
    return place(path, namespace, path, null);
  }

  return {
    locate,
    locateByPath(given) {
      const path = toTagPath(given);
      const collection =
        withinItems(path, withItems) ?? (withItems.has(path) || kinds.has(path) ? path : null);
      if (collection === null) return null;
      const namespace = withItems.get(collection) ?? '';
      return place(path, namespace, collection, path === collection ? null : itemOf(path, collection, null));
    },
    collectionsOfKind,
    collectionsInNamespace: (namespace) =>
      [...withItems].filter(([, its]) => its === namespace).map(([path]) => path),
    taxonomies: collectionsOfKind('terms').map((path) => path.slice(path.lastIndexOf('/') + 1)),
  };
}

/** The literal segments before the first that holds a parameter. */
function collectionOf(template: string, brace: number): string {
  return template.slice(0, template.lastIndexOf('/', brace));
}

/** The shortest collection with items that a path goes on behind: `/wp/v2/posts` of `/wp/v2/posts/12/revisions`. */
function withinItems(path: string, withItems: ReadonlyMap<string, string>): string | null {
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
    const prefix = path.slice(0, at);
    if (withItems.has(prefix)) return prefix;
  }
  return null;
}

/** One segment behind the collection, or all of the rest where the operation has no more and its id spans slashes. */
function itemOf(path: string, collection: string, template: string | null): string {
  const end = path.indexOf('/', collection.length + 1);
  if (end < 0) return path;
  const ids = template === null ? [] : template.slice(collection.length + 1).split('/');
  return ids.length === 1 ? path : path.slice(0, end);
}
