import { toTagPath } from './tag-names.ts';

/** The properties of a documented operation on which the tags of its responses depend. */
export interface ResourceMapOperation {
  readonly namespace: string;
  /** Path template: `/wp/v2/posts/{id}`. */
  readonly template: string;
  readonly method: string;
  readonly queryParameters: readonly string[];
}

/** The kind of the items of a collection. `other`: their dependencies are unknown. */
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
  | 'layout'
  | 'other';

/** The place of a route among the resources of a site. Paths are in lower case. */
export interface ResourceLocation {
  readonly namespace: string;
  readonly path: string;
  /** Path of the collection: `/wp/v2/posts` for its items and the paths below them. `path` for a resource without items. */
  readonly collectionPath: string;
  /** Path of the item: `/wp/v2/posts/12`. `null` for the collection itself. */
  readonly itemPath: string | null;
  /** Whether the route continues after the item, as in `/wp/v2/posts/12/revisions`. */
  readonly isBelowItem: boolean;
  readonly kind: ResourceKind;
}

/** The collections of a site, for locating routes among them. */
export interface ResourceMap {
  /**
   * Locates a route.
   *
   * @param template path template of the operation; `null` if the document has none for the route
   */
  locate(route: string, namespace: string, template: string | null): ResourceLocation;
  /** Locates a route of unknown namespace, that of a link. Returns `null` if it is in no known collection. */
  locateKnown(path: string): ResourceLocation | null;
  /** The paths of the collections of a kind. `posts` includes all post types. */
  collectionsOfKind(kind: ResourceKind): readonly string[];
  /** The fields of posts with term ids: `categories`, `tags`, and those of the site's own taxonomies. */
  readonly taxonomies: readonly string[];
  /** Whether the site has namespaces, post types or taxonomies that are not WordPress's own, and so plugins. */
  readonly hasPlugins: boolean;
  /** Whether lists of a collection can be filtered by a parameter: those of hierarchical types by `parent`. */
  hasListParameter(collectionPath: string, parameter: string): boolean;
}

/** Namespaces whose dependencies are known: WordPress's own, and the same under another name. */
export const CORE_NAMESPACES: ReadonlySet<string> = new Set(['wp/v2', 'core/v2']);

/** Further namespaces of WordPress itself. */
const WORDPRESS_NAMESPACES: ReadonlySet<string> = new Set([
  '',
  'batch/v1',
  'oembed/1.0',
  'wp-abilities/v1',
  'wp-block-editor/v1',
  'wp-site-health/v1',
]);

/** Collections for the layout of pages. They depend on one another, and no other public response depends on them. */
const LAYOUT_COLLECTIONS = [
  'templates',
  'template-parts',
  'global-styles',
  'navigation',
  'menus',
  'menu-items',
  'menu-locations',
  'widgets',
  'sidebars',
  'widget-types',
  'block-types',
  'block-renderer',
  'font-families',
] as const;

/** Kinds by the last segment of a core collection. */
const KIND_BY_NAME: ReadonlyMap<string, ResourceKind> = new Map([
  ['posts', 'posts'],
  ['pages', 'posts'],
  ['media', 'media'],
  ['categories', 'terms'],
  ['tags', 'terms'],
  ['users', 'users'],
  ['comments', 'comments'],
  ['search', 'search'],
  ['settings', 'settings'],
  // A reusable block may be part of the content of any post.
  ['blocks', 'blocks'],
  ['plugins', 'plugins'],
  ['themes', 'plugins'],
  ['wp_pattern_category', 'terms'],
  ...LAYOUT_COLLECTIONS.map((name) => [name, 'layout'] as const),
]);

/** Returns the kind of a collection of WordPress itself; undefined for those of plugins, such as their post types. */
function kindOfOwnCollection(collectionPath: string, namespace: string): ResourceKind | undefined {
  const nameAt = namespace.length + 2;
  return CORE_NAMESPACES.has(namespace) && collectionPath.startsWith(`/${namespace}/`)
    ? KIND_BY_NAME.get(collectionPath.slice(nameAt))
    : undefined;
}

/**
 * Whether a resource is in a collection of WordPress itself, so that the dependencies of its responses on writes, and those
 * of other responses on its writes, are known. Plugins decide about the post types and taxonomies that they add.
 */
export function isCoreResource({
  collectionPath,
  kind,
  namespace,
}: Pick<ResourceLocation, 'collectionPath' | 'kind' | 'namespace'>): boolean {
  // Without the collection in the document its parameters are unknown.
  return kind !== 'other' && kindOfOwnCollection(collectionPath, namespace) !== undefined;
}

/** Recognises a site's own post types and taxonomies by the query parameters of their lists. */
const KIND_BY_PARAMETERS: readonly (readonly [kind: ResourceKind, parameters: readonly string[]])[] = [
  ['terms', ['post', 'hide_empty']],
  ['posts', ['slug', 'after', 'before', 'orderby']],
];

export function createResourceMap(routes: Iterable<ResourceMapOperation>): ResourceMap {
  const kinds = new Map<string, ResourceKind>();
  /** Namespaces of the collections that have items, by path. */
  const collections = new Map<string, string>();
  const listParameters = new Map<string, ReadonlySet<string>>();
  let hasPlugins = false;
  for (const { namespace, template, method, queryParameters } of routes) {
    hasPlugins ||= !CORE_NAMESPACES.has(namespace) && !WORDPRESS_NAMESPACES.has(namespace);
    const parameterStart = template.indexOf('{');
    const collection = toTagPath(parameterStart < 0 ? template : collectionOf(template, parameterStart));
    if (collection === '') continue;
    if (parameterStart > 0) collections.set(collection, namespace);
    else if (method === 'GET') listParameters.set(collection, new Set(queryParameters));
    if (!CORE_NAMESPACES.has(namespace)) continue;
    const own = kindOfOwnCollection(collection, namespace);
    if (own !== undefined) {
      kinds.set(collection, own);
    } else if (parameterStart < 0 && method === 'GET') {
      const kind = KIND_BY_PARAMETERS.find(([, names]) =>
        names.every((name) => queryParameters.includes(name)),
      )?.[0];
      if (kind === undefined) continue;
      kinds.set(collection, kind);
      hasPlugins = true;
    }
  }
  const collectionsOfKind = (kind: ResourceKind): readonly string[] =>
    [...kinds].filter(([, each]) => each === kind).map(([path]) => path);

  function createLocation(
    path: string,
    namespace: string,
    collectionPath: string,
    itemPath: string | null,
  ): ResourceLocation {
    const isBelowItem = itemPath !== null && itemPath.length < path.length;
    return {
      namespace,
      path,
      collectionPath,
      itemPath,
      isBelowItem,
      kind: kinds.get(collectionPath) ?? 'other',
    };
  }

  function locate(route: string, namespace: string, template: string | null): ResourceLocation {
    const path = toTagPath(route);
    const known = findCollection(path, collections);
    if (known !== null) return createLocation(path, namespace, known, itemOf(path, known, template));
    return createLocation(path, namespace, path, null);
  }

  return {
    locate,
    locateKnown(route) {
      const path = toTagPath(route);
      const collection =
        findCollection(path, collections) ?? (collections.has(path) || kinds.has(path) ? path : null);
      if (collection === null) return null;
      const namespace = collections.get(collection) ?? '';
      return createLocation(
        path,
        namespace,
        collection,
        path === collection ? null : itemOf(path, collection, null),
      );
    },
    collectionsOfKind,
    hasPlugins,
    hasListParameter: (collection, parameter) => listParameters.get(collection)?.has(parameter) ?? false,
    taxonomies: collectionsOfKind('terms').map((path) => path.slice(path.lastIndexOf('/') + 1)),
  };
}

/** The literal segments of a template before the first segment with a parameter. */
function collectionOf(template: string, parameterStart: number): string {
  return template.slice(0, template.lastIndexOf('/', parameterStart));
}

/** The shortest collection that a path is below: `/wp/v2/posts` for `/wp/v2/posts/12/revisions`. */
function findCollection(path: string, collections: ReadonlyMap<string, string>): string | null {
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
    const prefix = path.slice(0, at);
    if (collections.has(prefix)) return prefix;
  }
  return null;
}

/** The item is one segment below the collection, or the whole rest if the template ends there: its id has slashes. */
function itemOf(path: string, collection: string, template: string | null): string {
  const end = path.indexOf('/', collection.length + 1);
  if (end < 0) return path;
  const ids = template === null ? [] : template.slice(collection.length + 1).split('/');
  return ids.length === 1 ? path : path.slice(0, end);
}
