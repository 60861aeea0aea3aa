import { EXTENSION_NAMES, extensionOf, getAlternatives } from '../../base/document-extensions.ts';
import { ConfigurationError } from '../../base/errors.ts';
import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  memberAt,
  toJsonObject,
} from '../../base/json.ts';
import type { Steps } from '../../base/steps.ts';
import { findNamespace, type SiteAddress } from '../discovery/site.ts';
import { parameterNamesOf, removeParameterNames } from '../model/site.ts';
import { addReachedReferences, collectReferences } from './document-objects.ts';
import { isPathItemMethod, type Operation, operationMembers, operationsOf } from './operations.ts';

export interface ServedApi {
  readonly address: SiteAddress;
  readonly namespaces: readonly string[];
  readonly routes: readonly ServedRoute[];
}

export interface ServedRoute {
  readonly pattern: string;
  readonly namespace: string;
  /** By method, upper case. Without `HEAD`, it runs `GET`. */
  readonly operations: ReadonlyMap<string, Operation>;
}

/**
 * Steps of one operation. Users edit documents: removed and unreadable operations aren't served, unlisted routes match last, and
 * operations without a pattern match by path.
 * @param siteUrl needed if a gateway served the document, because it doesn't contain the site's URL
 * @throws {ConfigurationError} with the JSON pointer of an unusable part
 */
export function* readServedApi(document: unknown, siteUrl?: string): Steps<ServedApi> {
  if (!isJsonObject(document)) {
    throw createDocumentError('', 'is not a JSON object', 'expected an OpenAPI document');
  }
  const { openapi } = document;
  if (typeof openapi !== 'string' || !/^3\.[12]\./.test(openapi))
    throw createDocumentError('/openapi', describe(openapi), 'expected OpenAPI 3.1');
  const { address, namespaces, routes } = readSiteExtension(document, siteUrl);
  readObject(document['paths'], '/paths', 'path items');
  const byPattern = new Map(
    routes.map((route) => [route.pattern, { ...route, operations: new Map<string, Operation>() }]),
  );
  const names = new Set(namespaces);
  for (const shared of operationsOf(document)) {
    for (const operation of shared.routes) {
      const pattern = operation.pattern ?? patternFromPath(operation.path);
      let route = byPattern.get(pattern);
      if (route === undefined) {
        route = { pattern, namespace: findNamespace(pattern, names), operations: new Map() };
        byPattern.set(pattern, route);
      }
      const known = route.operations.get(operation.method);
      route.operations.set(operation.method, known?.joinedWith(operation) ?? operation);
    }
    yield;
  }
  return { address, namespaces, routes: [...byPattern.values()] satisfies ServedRoute[] };
}

function readObject(value: Json | undefined, pointer: string, expected: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw createDocumentError(pointer, 'is not an object', `expected ${expected}`);
}

function describe(value: Json | undefined): string {
  return `is ${JSON.stringify(value) ?? 'missing'}`;
}

function patternFromPath(path: string): string {
  const names = parameterNamesOf(path);
  return removeParameterNames(path)
    .split('{}')
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\@]/g, '\\$&'))
    .reduce((pattern, literal, index) => {
      const name = names[index - 1] ?? '';
      const group = /^[A-Za-z_]\w{0,31}$/.test(name) ? `?P<${name}>` : '';
      return `${pattern}(${group}[^/]+)${literal}`;
    });
}

type SiteRoutes = readonly Omit<ServedRoute, 'operations'>[];

function readSiteExtension(
  document: JsonObject,
  siteUrl?: string,
): Omit<ServedApi, 'routes'> & { readonly routes: SiteRoutes } {
  const root = extensionOf(document, 'site');
  if (!isJsonObject(root)) {
    const hint = 'documents made by `waygate generate` contain the address of the site';
    throw createDocumentError(SITE_POINTER, 'is missing', hint);
  }
  const { format, namespaces = [] } = root;
  if (format !== 1) {
    const hint = 'this version of waygate reads format 1';
    throw createDocumentError(`${SITE_POINTER}/format`, describe(format), hint);
  }
  const address = readAddress(root['site'], siteUrl);
  if (!Array.isArray(namespaces) || !namespaces.every((name) => typeof name === 'string')) {
    const at = `${SITE_POINTER}/namespaces`;
    throw createDocumentError(at, 'is not a list of strings', 'expected namespace names');
  }
  return { address, namespaces, routes: readRoutes(root['routes']) };
}

const SITE_POINTER = `/${EXTENSION_NAMES.site}`;

function readAddress(declared: Json | undefined, siteUrl: string | undefined): SiteAddress {
  const at = `${SITE_POINTER}/site`;
  const { aliases, base, prefix, root, spelling } = readObject(declared, at, 'the address of the site');
  if (spelling !== 'pretty' && spelling !== 'plain')
    throw createDocumentError(`${at}/spelling`, describe(spelling), 'expected `pretty` or `plain`');
  const site = siteUrl !== undefined && URL.canParse(siteUrl) ? new URL(siteUrl) : undefined;
  const folder = site && site.origin + site.pathname.replace(/\/?$/, '/');
  const read = (value: Json | undefined, name: string): string => readUrl(value, `${at}/${name}`, folder);
  return {
    base: read(base, 'base'),
    ...(Array.isArray(aliases)
      ? { aliases: aliases.map((alias, place) => read(alias, `aliases/${place}`)) }
      : {}),
    root: read(root, 'root'),
    spelling,
    prefix: typeof prefix === 'string' ? prefix : 'wp-json',
  };
}

function readUrl(value: Json | undefined, at: string, siteUrl: string | undefined): string {
  if (typeof value === 'string' && URL.canParse(value, siteUrl)) {
    const { href, protocol } = new URL(value, siteUrl);
    if (/^https?:$/.test(protocol)) return URL.canParse(value) ? value : href;
  }
  const isRelative = typeof value === 'string' && value.startsWith('./');
  const hint = isRelative
    ? 'a document that a gateway served does not contain the URL of the site: give it too'
    : 'expected an http or https URL';
  throw createDocumentError(at, describe(value), hint);
}

function readRoutes(value: Json | undefined): SiteRoutes {
  const at = `${SITE_POINTER}/routes`;
  if (!Array.isArray(value))
    throw createDocumentError(at, 'is not a list', 'expected the routes in the order of the site');
  return value.map((route: Json, index) => {
    const { pattern, namespace: declared } = toJsonObject(route);
    const namespace = declared ?? '';
    if (typeof pattern === 'string' && typeof namespace === 'string') return { pattern, namespace };
    const hint = 'expected `{ "pattern", "namespace" }`, both strings';
    throw createDocumentError(`${at}/${index}`, 'is not a route', hint);
  });
}

function createDocumentError(pointer: string, found: string, expected: string): ConfigurationError {
  return new ConfigurationError(`The document cannot be used: #${pointer} ${found}; ${expected}.`);
}

/** Keeps the routes of namespaces such as `wp/v2`; `''` selects those outside all. */
export function narrowToNamespaces(document: JsonObject, namespaces: readonly string[]): JsonObject {
  const wanted = new Set(namespaces);
  return narrowDocument(document, (_, namespace) => wanted.has(namespace));
}

export function narrowDocument(
  document: JsonObject,
  isSelected: (pattern: string, namespace: string) => boolean,
): JsonObject {
  const site = toJsonObject(extensionOf(document, 'site'));
  const routes = jsonItems(site['routes']).filter(isJsonObject);
  const keptRoutes = routes.filter(
    ({ namespace, pattern }) =>
      typeof namespace === 'string' && typeof pattern === 'string' && isSelected(pattern, namespace),
  );
  const wanted = new Set(keptRoutes.map(({ namespace }) => namespace));
  const patterns = new Set(keptRoutes.map(({ pattern }) => pattern));
  const paths = changeMembers(toJsonObject(document['paths']), (item) =>
    isJsonObject(item) ? narrowPathItem(item, patterns) : undefined,
  );
  const tags = new Set(
    Object.values(paths).flatMap((item) =>
      operationMembers(item).flatMap(([, operation]) => jsonItems(memberAt(operation, 'tags'))),
    ),
  );
  const narrowed: JsonObject = changeMembers(document, (value, name) => {
    if (name === 'paths') return paths;
    if (name === 'tags') {
      return jsonItems(value).filter((tag) => isJsonObject(tag) && tags.has(tag['name'] ?? null));
    }
    if (name === EXTENSION_NAMES.site) {
      const remaining = jsonItems(site['namespaces']).filter((namespace) => wanted.has(namespace));
      return { ...site, namespaces: remaining, routes: keptRoutes };
    }
    return value;
  });
  return dropUnreachableComponents(narrowed);
}

function narrowPathItem(item: JsonObject, patterns: ReadonlySet<Json | undefined>): JsonObject | undefined {
  const belongs = (operation: Json): boolean =>
    isJsonObject(operation) &&
    [operation, ...getAlternatives(operation)].some(
      (entry) => isJsonObject(entry) && patterns.has(extensionOf(entry, 'route')),
    );
  const remaining = changeMembers(item, (value, name) => {
    if (name === EXTENSION_NAMES.methods && isJsonObject(value)) {
      const remainingMethods = changeMembers(value, (operation) =>
        belongs(operation) ? operation : undefined,
      );
      return Object.keys(remainingMethods).length === 0 ? undefined : remainingMethods;
    }
    return !isPathItemMethod(name) || belongs(value) ? value : undefined;
  });
  return operationMembers(remaining).some(([, operation]) => isJsonObject(operation)) ? remaining : undefined;
}

/** Security schemes stay, because security requirements name them without a reference. */
function dropUnreachableComponents(document: JsonObject): JsonObject {
  const components = toJsonObject(document['components']);
  const others = changeMembers(document, (value, name) => (name === 'components' ? undefined : value));
  const reached = addReachedReferences(collectReferences(others), document);
  const sections = changeMembers(components, (section, kind) => {
    if (kind === 'securitySchemes' || !isJsonObject(section)) return section;
    const remaining = changeMembers(section, (content, name) =>
      reached.has(`#/components/${kind}/${name}`) ? content : undefined,
    );
    return Object.keys(remaining).length === 0 ? undefined : remaining;
  });
  return changeMembers(document, (value, name) => (name === 'components' ? sections : value));
}
