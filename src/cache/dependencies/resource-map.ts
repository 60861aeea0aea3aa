import { splitNames } from '../../glob.ts';
import { groupBy } from '../../group-by.ts';
import CONVENTIONS from '../wordpress/conventions.json' with { type: 'json' };
import { tagNames, toTagPath } from './tags.ts';

interface ResourceMapOperation {
  readonly namespace: string;
  /** Path template: `/wp/v2/posts/{id}`. */
  readonly template: string;
  readonly method: string;
  readonly queryParameters: readonly string[];
}

/** The kind of the items of a collection. `other`: their dependencies are unknown. */
export type ResourceKind = keyof typeof CONVENTIONS.collections | 'other';

/**
 * Tags of an item by its id, by the kind of its collection in the REST API. The items of plugins are posts in most plugins: products,
 * events, courses.
 */
export const ITEM_TAG_BY_KIND: Readonly<Partial<Record<ResourceKind, (id: string) => string>>> = {
  posts: tagNames.post,
  media: tagNames.post,
  blocks: tagNames.post,
  other: tagNames.post,
  terms: tagNames.term,
  users: tagNames.user,
  comments: tagNames.comment,
};

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
export const CORE_NAMESPACES: ReadonlySet<string> = new Set(['wp/v2', 'core/v2']);

const isKind = (name: string): name is keyof typeof CONVENTIONS.collections =>
  Object.hasOwn(CONVENTIONS.collections, name);

/** Kinds by the last segments of core collections. A reusable block may be part of the content of any post. */
const KIND_BY_NAME: ReadonlyMap<string, ResourceKind> = new Map(
  Object.entries(CONVENTIONS.collections).flatMap(([kind, names]) =>
    isKind(kind) ? splitNames(names).map((name) => [name, kind] as const) : [],
  ),
);

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

export class ResourceMap {
  readonly #kinds = new Map<string, ResourceKind>();
  readonly #pathsByKind: ReadonlyMap<ResourceKind, readonly string[]>;
  /** Namespaces of the collections that have items, by path. */
  readonly #collections = new Map<string, string>();
  constructor(routes: Iterable<ResourceMapOperation>) {
    for (const { namespace, template, method, queryParameters } of routes) {
      const parameterStart = template.indexOf('{');
      // A collection has the literal segments before the first segment with a parameter.
      const end = parameterStart < 0 ? template.length : template.lastIndexOf('/', parameterStart);
      const collection = toTagPath(template.slice(0, end));
      if (collection === '') continue;
      if (parameterStart > 0) this.#collections.set(collection, namespace);
      if (!CORE_NAMESPACES.has(namespace)) continue;
      const own = kindOfOwnCollection(collection, namespace);
      if (own !== undefined) {
        this.#kinds.set(collection, own);
      } else if (parameterStart < 0 && method === 'GET') {
        const kind = KIND_BY_PARAMETERS.find(([, names]) =>
          names.every((name) => queryParameters.includes(name)),
        )?.[0];
        if (kind !== undefined) this.#kinds.set(collection, kind);
      }
    }
    this.#pathsByKind = groupBy(this.#kinds.keys(), (path) => this.#kinds.get(path) ?? 'other');
  }

  /** Locates a route. @param template path template of the operation; `null` if the document has none for the route */
  locate(route: string, namespace: string, template: string | null): ResourceLocation {
    const path = toTagPath(route);
    return this.#createLocation(path, namespace, this.#findCollectionOf(path, template) ?? path, template);
  }

  /** Locates a route of unknown namespace, that of a link. Returns `null` if it is in no known collection. */
  locateKnown(route: string): ResourceLocation | null {
    const path = toTagPath(route);
    const isCollection = this.#collections.has(path) || this.#kinds.has(path);
    const collection = findCollection(path, this.#collections) ?? (isCollection ? path : null);
    if (collection === null) return null;
    return this.#createLocation(path, this.#collections.get(collection) ?? '', collection, null);
  }

  /** The paths of the collections of a kind. `posts` includes all post types. */
  collectionsOfKind(kind: ResourceKind): readonly string[] {
    return this.#pathsByKind.get(kind) ?? [];
  }

  #createLocation(
    path: string,
    namespace: string,
    collectionPath: string,
    template: string | null,
  ): ResourceLocation {
    const itemPath = path === collectionPath ? null : itemOf(path, collectionPath, template);
    const isBelowItem = itemPath !== null && itemPath.length < path.length;
    const kind = this.#kinds.get(collectionPath) ?? 'other';
    return { namespace, path, collectionPath, itemPath, isBelowItem, kind };
  }

  /** What a route is below is decided by the literal beginning of its template, unless that has none. */
  #findCollectionOf(path: string, template: string | null): string | null {
    const literal = template?.split('{', 1)[0] ?? '';
    return findCollection(toTagPath(literal), this.#collections) ?? findCollection(path, this.#collections);
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
