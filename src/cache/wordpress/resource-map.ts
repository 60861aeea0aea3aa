import { splitNames } from '../../glob.ts';
import { groupBy } from '../../group-by.ts';
import { isJsonObject, type Json } from '../../json.ts';
import CONVENTIONS from './conventions.json' with { type: 'json' };

/** The properties of a documented operation on which the tags of its responses depend. */
interface ResourceMapOperation {
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

/** Namespaces whose dependencies are known: WordPress's own, and the same under another name. */
const CORE_NAMESPACES: ReadonlySet<string> = new Set(['wp/v2', 'core/v2']);

/** Further namespaces of WordPress itself. */
const WORDPRESS_NAMESPACES: ReadonlySet<string> = new Set([
  '',
  ...splitNames('batch/v1 oembed/1.0 wp-abilities/v1 wp-block-editor/v1 wp-site-health/v1'),
]);

/** Collections for the layout of pages. They depend on one another, and no other public response depends on them. */
const LAYOUT_COLLECTIONS = splitNames(
  `templates template-parts global-styles navigation menus menu-items menu-locations widgets sidebars widget-types block-types
  block-renderer font-families`,
);

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

const NO_PATHS: readonly string[] = [];

/** The collections of a site, for locating routes among them. */
export class ResourceMap {
  /** The fields of posts with term ids: `categories`, `tags`, and those of the site's own taxonomies. */
  readonly taxonomies: readonly string[];
  /** Whether the site has namespaces, post types or taxonomies that are not WordPress's own, and so plugins. */
  readonly hasPlugins: boolean;
  readonly #kinds = new Map<string, ResourceKind>();
  readonly #pathsByKind: ReadonlyMap<ResourceKind, readonly string[]>;
  /** Namespaces of the collections that have items, by path. */
  readonly #collections = new Map<string, string>();
  /** Collections by template: what a route is below is decided by the literal beginning of its template. */
  readonly #collectionsByTemplate = new Map<string, string | null>();
  readonly #listParameters = new Map<string, ReadonlySet<string>>();

  constructor(routes: Iterable<ResourceMapOperation>) {
    let hasPlugins = false;
    for (const { namespace, template, method, queryParameters } of routes) {
      hasPlugins ||= !CORE_NAMESPACES.has(namespace) && !WORDPRESS_NAMESPACES.has(namespace);
      const parameterStart = template.indexOf('{');
      // A collection has the literal segments before the first segment with a parameter.
      const end = parameterStart < 0 ? template.length : template.lastIndexOf('/', parameterStart);
      const collection = toTagPath(template.slice(0, end));
      if (collection === '') continue;
      if (parameterStart > 0) this.#collections.set(collection, namespace);
      else if (method === 'GET') this.#listParameters.set(collection, new Set(queryParameters));
      if (!CORE_NAMESPACES.has(namespace)) continue;
      const own = kindOfOwnCollection(collection, namespace);
      if (own !== undefined) {
        this.#kinds.set(collection, own);
      } else if (parameterStart < 0 && method === 'GET') {
        const kind = KIND_BY_PARAMETERS.find(([, names]) =>
          names.every((name) => queryParameters.includes(name)),
        )?.[0];
        if (kind === undefined) continue;
        this.#kinds.set(collection, kind);
        hasPlugins = true;
      }
    }
    this.hasPlugins = hasPlugins;
    this.#pathsByKind = groupBy(this.#kinds.keys(), (path) => this.#kinds.get(path) ?? 'other');
    this.taxonomies = this.collectionsOfKind('terms').map((path) => path.slice(path.lastIndexOf('/') + 1));
  }

  /**
   * Locates a route.
   *
   * @param template path template of the operation; `null` if the document has none for the route
   */
  locate(route: string, namespace: string, template: string | null): ResourceLocation {
    const path = toTagPath(route);
    const known = this.#findCollectionOf(path, template);
    return known === null
      ? this.#createLocation(path, namespace, path, null)
      : this.#createLocation(path, namespace, known, itemOf(path, known, template));
  }

  /** Locates a route of unknown namespace, that of a link. Returns `null` if it is in no known collection. */
  locateKnown(route: string): ResourceLocation | null {
    const path = toTagPath(route);
    const isCollection = this.#collections.has(path) || this.#kinds.has(path);
    const collection = findCollection(path, this.#collections) ?? (isCollection ? path : null);
    if (collection === null) return null;
    const namespace = this.#collections.get(collection) ?? '';
    const itemPath = path === collection ? null : itemOf(path, collection, null);
    return this.#createLocation(path, namespace, collection, itemPath);
  }

  /** The paths of the collections of a kind. `posts` includes all post types. */
  collectionsOfKind(kind: ResourceKind): readonly string[] {
    return this.#pathsByKind.get(kind) ?? NO_PATHS;
  }

  /** Whether lists of a collection can be filtered by a parameter: those of hierarchical types by `parent`. */
  hasListParameter(collectionPath: string, parameter: string): boolean {
    return this.#listParameters.get(collectionPath)?.has(parameter) ?? false;
  }

  #createLocation(
    path: string,
    namespace: string,
    collectionPath: string,
    itemPath: string | null,
  ): ResourceLocation {
    const isBelowItem = itemPath !== null && itemPath.length < path.length;
    const kind = this.#kinds.get(collectionPath) ?? 'other';
    return { namespace, path, collectionPath, itemPath, isBelowItem, kind };
  }

  #findCollectionOf(path: string, template: string | null): string | null {
    if (template === null) return findCollection(path, this.#collections);
    let known = this.#collectionsByTemplate.get(template);
    if (known === undefined) {
      const parameterStart = template.indexOf('{');
      const literal = parameterStart < 0 ? template : template.slice(0, parameterStart);
      known = findCollection(toTagPath(literal), this.#collections);
      this.#collectionsByTemplate.set(template, known);
    }
    // A template that begins with a parameter says nothing.
    return known ?? findCollection(path, this.#collections);
  }
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

/**
 * The tags (surrogate keys) by which stored responses are purged. In the store each has a prefix that names its site, so
 * that several sites can share a store.
 *
 * | tag | responses that have it |
 * |---|---|
 * | `/wp/v2/posts/12` | those of this path and of paths below it, and those that contain this item |
 * | `=/wp/v2/posts` | those of exactly this route |
 * | `/wp/v2/posts?` | lists of the collection without a known filter |
 * | `/wp/v2/posts?categories=3`, `/wp/v2/posts?categories` | lists that are filtered by one value of a parameter; by any value |
 * | `/wp/v2/posts?*` | all lists of the collection |
 * | `/wp/v2/posts#title` | responses that depend on this field of any item; `#any`: on any field of any item |
 * | `/wp/v2/categories/3#own` | responses of the resource's own routes that contain this item; not those that embed it |
 * | `>/wp/v2/users/3`, `>#12` | responses that reference this item, or the post with this id, without containing it |
 * | `P/about` | pages and everything else outside of the REST API, at or below this path |
 * | `@120` | responses that mention an item by its id 120 (`mentionTags`) |
 * | `!name` | a tag that the site (`Surrogate-Key`, `Cache-Tag`) or a cache rule states |
 */
export const tagNames = {
  exactRoute: (route: string): string => `=${route}`,
  unfilteredList: (collection: string): string => `${collection}?`,
  anyList: (collection: string): string => `${collection}?*`,
  listFilteredBy: (collection: string, parameter: string): string => `${collection}?${parameter}`,
  listFilteredTo: (collection: string, parameter: string, value: string): string =>
    `${collection}?${parameter}=${value}`,
  fieldDependency: (collection: string, field: string): string => `${collection}#${field}`,
  anyFieldDependency: (collection: string): string => `${collection}#any`,
  ownRoutes: (item: string): string => `${item}#own`,
  reference: (item: string): string => `>${item}`,
  mention: (id: string): string => `@${id}`,
  customName: (name: string): string => `!${name}`,
} as const;

/** Tag of all responses of a site. */
export const EVERYTHING = '/';

/** Tag of responses whose content is unknown, so that they may contain any item. */
export const OPAQUE_TAG = '#any';

/** Tag of responses that may reference any item. */
export const OPAQUE_REFERENCES_TAG = '>#any';

/** Tag of responses with blocks that WordPress renders from other posts, comments or terms. */
export const DYNAMIC_CONTENT_TAG = '#dynamic';

/** Lists a path and its parents, as tags: `/`, `/a` and `/a/b` for `/a/b`. A purge of any of them purges the path. */
export function pathHierarchy(path: string): readonly string[] {
  const levels = ['/'];
  // Eight levels are more than the routes of any site have. An id that contains slashes is not split further.
  for (let at = path.indexOf('/', 1); at > 0 && levels.length < 8; at = path.indexOf('/', at + 1)) {
    levels.push(path.slice(0, at));
  }
  if (path !== '/') levels.push(path);
  return levels;
}

/** Converts the ASCII letters of a route to lower case. WordPress matches routes in any case, and PCRE folds only ASCII. */
export function toTagPath(route: string): string {
  return /[A-Z]/.test(route) ? route.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : route;
}

/** Returns the tags of a page: its path at the site, each path above it, and the tag of the whole site. */
export function pageTags(address: string): readonly string[] {
  const path = address.split('?', 1)[0] ?? '/';
  return ['/', ...pathHierarchy(path.replace(/(?<=.)\/$/, '')).map(pageTag)];
}

export function pageTag(path: string): string {
  return `P${path}`;
}

/** Infers the namespace of a route outside the document: its first two segments, as is the convention of plugins. */
export function inferNamespace(route: string): string {
  return toTagPath(route).split('/').slice(1, 3).join('/');
}

/** A filter with more values than this is treated as no filter. */
const MAX_FILTER_VALUES = 20;

/** The query of a list request, interpreted as the site does. */
interface ListQuery {
  readonly values: ReadonlyMap<string, Json>;
  /** The default of `orderby` in the document. */
  readonly defaultOrder?: Json | undefined;
}

/** Returns the tags of a response that depend on its route and query, and not on its body. */
export function routeTags(at: ResourceLocation, query: ListQuery, resources: ResourceMap): readonly string[] {
  const tags = [
    ...pathHierarchy(at.path),
    tagNames.exactRoute(at.path),
    ...argumentTags(at, query, resources),
  ];
  if (at.itemPath === null) tags.push(...listTags(at, query, resources));
  else if (hasOwnRoutes(at)) tags.push(tagNames.ownRoutes(at.itemPath));
  return tags;
}

/**
 * Returns the tags of the resources that the arguments of a request name. The response depends on whether they exist and who may
 * see them: without the post, a list of its comments is empty or refused.
 */
function argumentTags(
  { collectionPath, kind }: ResourceLocation,
  { values }: ListQuery,
  resources: ResourceMap,
): readonly string[] {
  const tags: string[] = [];
  for (const [name, value] of values) {
    const parameter = name.replace(/_exclude$/, '');
    const isPost = parameter === 'post' || (parameter === 'parent' && (kind === 'posts' || kind === 'media'));
    const collections =
      parameter === 'author'
        ? resources.collectionsOfKind('users')
        : parameter === 'parent' || parameter === 'include'
          ? [collectionPath]
          : resources.taxonomies.includes(parameter)
            ? resources.collectionsOfKind('terms').filter((path) => path.endsWith(`/${parameter}`))
            : NO_PATHS;
    if (!isPost && collections.length === 0) continue;
    // A taxonomy is also given as `{ "terms": […], "include_children": true }`.
    const ids = toScalarList(isJsonObject(value) ? value['terms'] : value) ?? [];
    if (ids.length > MAX_FILTER_VALUES) return [OPAQUE_REFERENCES_TAG];
    for (const id of ids) {
      if (isPost) tags.push(tagNames.reference(`#${id}`));
      for (const collection of collections) tags.push(tagNames.reference(`${collection}/${id}`));
    }
  }
  return tags;
}

/** Whether items of the kind have members that only responses of their own routes contain, and that other writes change. */
export function hasOwnRoutes({ kind }: ResourceLocation): boolean {
  return kind === 'terms' || kind === 'users';
}

/** Returns the tags of a list: its filter, and the fields on which its members and their order depend. */
export function listTags(
  { collectionPath, kind }: ResourceLocation,
  { values, defaultOrder }: ListQuery,
  resources: ResourceMap,
): readonly string[] {
  const dependencies = LIST_DEPENDENCIES[kind];
  if (kind === 'search') return searchTags(collectionPath, values);
  if (dependencies === undefined) return [tagNames.anyList(collectionPath)];
  const filters = filterTags(collectionPath, kind, values, resources);
  return [
    tagNames.anyList(collectionPath),
    ...filters,
    // A list of the terms of a post contains all of them, so it has the tag of each term that can change.
    ...(kind === 'terms' && filters[0] === tagNames.listFilteredBy(collectionPath, 'post')
      ? []
      : fieldTags(collectionPath, kind, { values, defaultOrder }, resources)),
  ];
}

/** Returns the tags of a search, which is for posts, for terms, or for a type that a plugin adds. */
function searchTags(collection: string, values: ReadonlyMap<string, Json>): readonly string[] {
  const type = values.get('type') ?? 'post';
  return [tagNames.listFilteredTo(collection, 'type', typeof type === 'string' ? type : '')];
}

function fieldTags(
  collection: string,
  kind: ResourceKind,
  { values, defaultOrder }: ListQuery,
  resources: ResourceMap,
): readonly string[] {
  const dependencies = LIST_DEPENDENCIES[kind];
  const order = values.get('orderby') ?? defaultOrder ?? dependencies?.defaultOrder;
  const fields = new Set(
    (typeof order === 'string' ? dependencies?.fieldsByOrder[order] : undefined) ?? [ANY_FIELD],
  );
  for (const name of values.keys()) {
    if (name !== 'orderby') for (const field of fieldsReadBy(name, kind, resources)) fields.add(field);
  }
  return Array.from(fields, (field) => tagNames.fieldDependency(collection, field));
}

function fieldsReadBy(parameter: string, kind: ResourceKind, { taxonomies }: ResourceMap): readonly string[] {
  const known = LIST_DEPENDENCIES[kind]?.fieldsByParameter[parameter];
  if (known !== undefined) return known;
  const taxonomy = taxonomies.find((each) => parameter === each || parameter === `${each}_exclude`);
  return [taxonomy ?? ANY_FIELD];
}

function filterTags(
  collection: string,
  kind: ResourceKind,
  values: ReadonlyMap<string, Json>,
  resources: ResourceMap,
): readonly string[] {
  for (const parameter of listFilterParameters(kind, resources)) {
    const filterValues = toScalarList(values.get(parameter));
    if (filterValues === null || filterValues.length > MAX_FILTER_VALUES) continue;
    return [
      tagNames.listFilteredBy(collection, parameter),
      ...filterValues.map((value) => tagNames.listFilteredTo(collection, parameter, value)),
    ];
  }
  return [tagNames.unfilteredList(collection)];
}

/** Lists the parameters that filter lists of a kind, in their order of precedence. */
export function listFilterParameters(kind: ResourceKind, { taxonomies }: ResourceMap): readonly string[] {
  const parameters = (LIST_DEPENDENCIES[kind]?.filters ?? []).map(([parameter]) => parameter);
  if (kind !== 'posts' && kind !== 'blocks') return parameters;
  // Taxonomies come early, because most filtered lists are filtered by a term.
  return [...parameters.slice(0, 2), ...taxonomies, ...parameters.slice(2)];
}

/** Converts a value to a list of ids or names. Returns `null` if it is no such list. */
export function toScalarList(value: Json | undefined): readonly string[] | null {
  if (value === undefined || value === null) return null;
  if (value === '') return null;
  if (typeof value !== 'object') {
    return String(value)
      .toLowerCase()
      .split(/[\s,]+/);
  }
  if (!Array.isArray(value) || value.length === 0) return null;
  const scalars = value.flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [String(each).toLowerCase()] : [],
  );
  return scalars.length === value.length ? scalars : null;
}

/**
 * The fields on which the members of a list and their order depend, according to the controllers of WordPress
 * (wp-includes/rest-api/endpoints). A write purges a list only if it changes such a field.
 */
interface ListDependencies {
  /** Fields whose change can add an item to any list or remove it. */
  readonly membershipFields: readonly string[];
  /** Parameters that select items by the values of a field. The first one in the request determines the tags. */
  readonly filters: readonly (readonly [parameter: string, field: string])[];
  /** The fields that each parameter reads. A parameter that is missing here may read any field. */
  readonly fieldsByParameter: Readonly<Record<string, readonly string[]>>;
  readonly fieldsByOrder: Readonly<Record<string, readonly string[]>>;
  readonly defaultOrder: string;
}

/** Stands for any field of an item. The modification date and unknown parameters depend on it. */
const ANY_FIELD = 'any';

/** Parses a table of names, each with the fields that it reads: `search=title,content page=`. */
function parseFields(table: string): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    splitNames(table).map((entry) => {
      const [name = '', fields = ''] = entry.split('=');
      return [name, fields === '' ? [] : fields.split(',')];
    }),
  );
}

function parseListDependencies(kind: Exclude<keyof typeof LISTS, 'commonParameters'>): ListDependencies {
  const { defaultOrder, filters, membership, orders, parameters } = LISTS[kind];
  return {
    membershipFields: splitNames(membership),
    filters: Object.entries(parseFields(filters)).map(([parameter, [field = '']]) => [parameter, field]),
    fieldsByParameter: parseFields(`${LISTS.commonParameters} ${parameters}`),
    fieldsByOrder: parseFields(orders),
    defaultOrder,
  };
}

const LISTS = CONVENTIONS.lists;
const POSTS = parseListDependencies('posts');

export const LIST_DEPENDENCIES: Readonly<Partial<Record<ResourceKind, ListDependencies>>> = {
  posts: POSTS,
  blocks: POSTS,
  media: parseListDependencies('media'),
  terms: parseListDependencies('terms'),
  users: parseListDependencies('users'),
  comments: parseListDependencies('comments'),
};
