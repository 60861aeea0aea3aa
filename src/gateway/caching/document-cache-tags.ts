import { hashText } from '../../cache/content/content-hash.ts';
import { type ResourceLocation, ResourceMap } from '../../cache/dependencies/resource-map.ts';
import {
  bodyTags,
  findShownItem,
  headerTags,
  MAX_TEXT,
  readItemTags,
  SiteLinks,
} from '../../cache/dependencies/response-tags.ts';
import { tagNames, toTagPath } from '../../cache/dependencies/tags.ts';
import { ALL_GROUPS, type ResponseGroupName } from '../../cache/dependencies/write-rules.ts';
import type { PurgeLabels, ResponseGroup } from '../../cache/store.ts';
import {
  type DeclaredParameter,
  templateOfRouteClass,
  UNKNOWN_ROUTE_CLASS,
} from '../../cache/wordpress/cache-key.ts';
import {
  isServedFile,
  nameFileKind,
  namePageKind,
  PAGE_NAMESPACES,
} from '../../cache/wordpress/page-kinds.ts';
import { extensionOf } from '../../document-extensions.ts';
import type { RouteGlob } from '../../glob.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { Json, JsonObject } from '../../json.ts';
import { getOrCreate, memoizeByString } from '../../memoize.ts';
import type { Operation } from '../../openapi/index.ts';
import { toByteString } from '../../php/encoding.ts';
import { isJsonContentType } from '../../php/request.ts';
import { isRewritableBody } from '../../upstream/rewrite-body.ts';
import { isCoreArgument } from '../../validation/evidence/core-rules.ts';
import { dereferenceSchema, type ResolveReference } from '../../validation/wordpress/schema.ts';
import { createSchemaValidator } from '../../validation/wordpress/validate.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Properties of a read of a route on which its labels depend. */
export interface RouteReadScope {
  readonly routeClass: string;
  readonly location: ResourceLocation;
  /** The query, as the site reads it. */
  readonly values: ReadonlyMap<string, Json>;
}

/** What finds the links of a site by one URL of the gateway, in header fields and in bodies. */
interface GatewayLinks {
  readonly publicBase: string;
  readonly ofHeader: SiteLinks;
  readonly ofBody: SiteLinks;
}

export const NO_DECLARED_PARAMETERS: ReadonlyMap<string, DeclaredParameter> = new Map();

/** Data about a site that caching needs, derived from its document: resources, parameters, and tags of responses. */
export class DocumentCacheTags {
  /** Separates the keys and tags of this site from those of other sites in the store. */
  readonly storeScope: string;
  readonly resources: ResourceMap;
  /** Namespaces of the document, in lower case. */
  readonly namespaces: ReadonlySet<string>;
  /** Hash of the operations of the document, for which the names of kinds stand. */
  readonly version: string;
  /** Names of the groups of the site in the store, and `null` for responses without a group. */
  readonly storedGroups: readonly (string | null)[];
  readonly #snapshot: Snapshot;
  readonly #rewritesLinks: boolean;
  readonly #routeClasses: RouteClassRegistry;
  readonly #declaredParameters = new WeakMap<Operation, ReadonlyMap<string, DeclaredParameter>>();
  /** For the last URL of the gateway: most clients use one. */
  #links: GatewayLinks | undefined;
  /** Prefixes a tag with {@link storeScope}, which is its form in the store. */
  readonly toStoredTag: (tag: string) => string;
  readonly #getStoredGroup: (name: string) => (routeClass: string) => ResponseGroup;

  /** @param rewritesLinks whether links in bodies are rewritten to the gateway @param routeClasses registers the route classes */
  constructor(snapshot: Snapshot, rewritesLinks: boolean, routeClasses: RouteClassRegistry) {
    const { siteAddress, requestValidators } = snapshot;
    const operations = [...(requestValidators?.listOperations() ?? [])];
    this.#snapshot = snapshot;
    this.#rewritesLinks = rewritesLinks;
    this.#routeClasses = routeClasses;
    this.storeScope = siteAddress.base.replace(/^https?:\/\//, '');
    this.resources = new ResourceMap(
      operations.map(({ operation, route }) => ({
        namespace: route.namespace,
        template: operation.path,
        method: operation.method,
        queryParameters: operation.parameters.map((parameter) => parameter.name),
      })),
    );
    this.namespaces = new Set(operations.map(({ route }) => toTagPath(route.namespace)));
    this.version = hashOperations(operations.map(({ operation }) => operation));
    this.storedGroups = [...ALL_GROUPS.map((name) => this.toStoredGroup(name)), null];
    this.toStoredTag = memoizeByString((tag) => `${this.storeScope} ${tag}`);
    this.#getStoredGroup = memoizeByString((name) => memoizeByString((routeClass) => ({ name, routeClass })));
  }

  /** @param pattern of the operation's route */
  getDeclaredParameters(operation: Operation, pattern: string): ReadonlyMap<string, DeclaredParameter> {
    const { requestValidators } = this.#snapshot;
    if (requestValidators === null) return NO_DECLARED_PARAMETERS;
    return getOrCreate(this.#declaredParameters, operation, () =>
      toDeclaredParameters(operation, pattern, requestValidators.resolveReference),
    );
  }

  /** Prefixes tags with {@link storeScope}, which is their form in the store. */
  toStoredTags(tags: Iterable<string>): string[] {
    return Array.from(tags, this.toStoredTag);
  }

  toStoredGroup(group: ResponseGroupName): string {
    return `${this.storeScope} ${group}`;
  }

  /**
   * Adds the tags in the header fields of a response, those of the resource that it says it shows, and those of the items in its
   * body to the address tags. All are in their stored form.
   *
   * @param address path and query at the site
   * @param publicBase the gateway's URL of the site, to which links in the header are rewritten
   */
  getPageLabels(
    address: string,
    storedAddressTags: readonly string[],
    head: ResponseHead,
    body: Uint8Array,
    publicBase: string,
  ): PurgeLabels {
    const tags = [...storedAddressTags, ...this.toStoredTags(headerTags(head))];
    if (!this.#snapshot.isDiscovered) return { tags, group: null };
    const links = this.#getLinks(publicBase);
    const item = findShownItem(head, links.ofHeader);
    if (item !== null) tags.push(this.toStoredTag(tagNames.ownPage(item)));
    const path = address.split('?', 1)[0] ?? '/';
    if (isServedFile(path, head)) {
      return { tags, group: this.#getGroup('files', nameFileKind(path), PAGE_NAMESPACES.files) };
    }
    const text = isReadable(head.headers) ? toSearchedText(body) : null;
    tags.push(...this.toStoredTags(readItemTags(text, { address }, links.ofBody)));
    return { tags, group: this.#getGroup('pages', namePageKind(address), PAGE_NAMESPACES.pages) };
  }

  /**
   * Adds the tags of the resources in the body and the tags in the header fields to the address tags. All are in their
   * stored form.
   */
  getRouteLabels(
    scope: RouteReadScope,
    storedAddressTags: readonly string[],
    head: ResponseHead,
    body: Uint8Array,
    publicBase: string,
  ): PurgeLabels {
    const { location, routeClass, values } = scope;
    const text = isJsonContentType(fieldValue(head.headers, 'content-type') ?? null)
      ? toSearchedText(body)
      : null;
    const shown = bodyTags(location, values, text, this.#getLinks(publicBase).ofBody);
    const tags = storedAddressTags.slice();
    for (const added of [shown, headerTags(head)]) for (const tag of added) tags.push(this.toStoredTag(tag));
    return { tags, group: this.#getGroup('routes', routeClass, location.namespace) };
  }

  #getLinks(publicBase: string): GatewayLinks {
    if (this.#links?.publicBase !== publicBase) {
      const { siteAddress } = this.#snapshot;
      const ofHeader = new SiteLinks(siteAddress, [publicBase], this.resources);
      const ofBody = this.#rewritesLinks ? ofHeader : new SiteLinks(siteAddress, [], this.resources);
      this.#links = { publicBase, ofHeader, ofBody };
    }
    return this.#links;
  }

  #getGroup(group: ResponseGroupName, routeClass: string, namespace: string): ResponseGroup {
    this.#routeClasses.add(routeClass, routeClass === UNKNOWN_ROUTE_CLASS ? '' : namespace);
    return this.#getStoredGroup(this.toStoredGroup(group))(routeClass);
  }
}

/** Hashes methods, paths and parameters of operations, in any order. */
export function hashOperations(
  operations: readonly Pick<Operation, 'method' | 'path' | 'parameters'>[],
): string {
  const lines = operations.map(({ method, parameters, path }) =>
    JSON.stringify([method, path, parameters.map(({ name }) => name).sort()]),
  );
  return hashText(lines.sort().join('\n')).toString(36);
}

/** Converts a body to a byte string. A longer one than {@link MAX_TEXT} is not read, so what follows does not matter. */
function toSearchedText(body: Uint8Array): string {
  return toByteString(body.subarray(0, MAX_TEXT + 1));
}

/** Whether a page is text. One without media type is read as HTML. */
function isReadable(headers: readonly string[]): boolean {
  const isTyped = fieldValue(headers, 'content-type') !== undefined;
  return isRewritableBody(200, isTyped ? headers : [...headers, 'content-type', 'text/html']);
}

/**
 * Maps the query parameters of an operation to what the cache key needs: normalization and default.
 *
 * @param pattern of the operation's route
 */
export function toDeclaredParameters(
  { method, parameters }: Operation,
  pattern: string,
  resolve: ResolveReference,
): ReadonlyMap<string, DeclaredParameter> {
  return new Map(
    parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => {
        // Callbacks of plugins may read `05` or an explicit default in another way than its definition says.
        const isKeyed = isCoreArgument({ method, route: pattern }, name, dereferenceSchema(schema, resolve));
        return [name, { ...toDeclaredParameter(name, schema, resolve), isKeyed }];
      }),
  );
}

function toDeclaredParameter(
  name: string,
  schema: JsonObject,
  resolve: ResolveReference,
): Omit<DeclaredParameter, 'isKeyed'> {
  // The generator inferred this schema's type from the default. The site does not coerce the value to it.
  if (extensionOf(schema, 'type') !== undefined) return { convert: () => undefined };
  const validator = createSchemaValidator(schema, resolve);
  const convert = (value: Json): Json | undefined => {
    if (validator.validate(value, name) !== null) return undefined;
    const sanitized = validator.sanitize(value, name);
    if (!sanitized.ok) return undefined;
    // Only the site knows how its own sanitizer changes a string, so only an unchanged string is normalized.
    return typeof sanitized.value === 'string' && sanitized.value !== value ? undefined : sanitized.value;
  };
  // A default of null is none: WordPress leaves the parameter out.
  const { default: defaultValue = null } = schema;
  return { convert, default: defaultValue === null ? undefined : convert(defaultValue) };
}

/** Maximum route classes that rules select among. Others are purged. */
const MAX_READ_KINDS = 2000;

/** The route classes of a site that were requested, with their namespaces. */
export class RouteClassRegistry {
  readonly #namespaces = new Map<string, string>();

  add(routeClass: string, namespace: string): void {
    if (this.#namespaces.size < MAX_READ_KINDS) this.#namespaces.set(routeClass, namespace);
  }

  /** Lists the kinds that a glob selects by their path template or pattern, or by their namespace: `pages` and `files` too. */
  select({ isForRoutes, matches }: RouteGlob): readonly string[] {
    // The kinds of pages and files begin with a word, and have a path after it.
    const pathOf = (kind: string): string => templateOfRouteClass(kind.slice(Math.max(0, kind.indexOf('/'))));
    return [...this.#namespaces].flatMap(([routeClass, namespace]) =>
      matches(isForRoutes ? pathOf(routeClass) : namespace) ? [routeClass] : [],
    );
  }

  /** Lists the kinds that none of the globs selects, without those of unknown name. */
  selectOthers(globs: readonly RouteGlob[]): readonly string[] {
    const selected = new Set(globs.flatMap((glob) => this.select(glob)));
    return [...this.#namespaces.keys()].filter((kind) => kind !== UNKNOWN_ROUTE_CLASS && !selected.has(kind));
  }
}
