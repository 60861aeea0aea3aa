import type { SiteAddress } from '../discovery/site.ts';
import {
  EXTENSION_NAMES,
  extensionOf,
  getAlternatives,
  getContexts,
  getParameterName,
  getParameterSchema,
  hasMark,
} from '../document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  toJsonObject,
  toPointerSegment,
} from '../json.ts';
import { parameterNamesOf, removeParameterNames } from '../model/templates.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { Steps } from '../steps.ts';
import { createDocumentError, dereference, referenceOf } from './document-references.ts';
import { listPathItemOperations } from './path-items.ts';
import { readBodySchema } from './request-bodies.ts';
import { contentSchemaOf } from './schema-view.ts';
import type { ServedApi, ServedOperation, ServedParameter, ServedRoute } from './served-api.ts';

/**
 * Reads the routes of a site and their operations from a document. References to parameters are resolved. The
 * work is done in steps of one operation.
 *
 * Users edit documents. An operation that a user removed is not served. Routes that the site
 * extension does not list are matched after all others. An operation without a route pattern is matched by its path.
 *
 * @param siteUrl the site's base URL; needed for a document that a gateway served, which does not contain it
 * @throws {ConfigurationError} with the JSON pointer of the part that cannot be used
 */
export function* readServedApi(document: unknown, siteUrl?: string): Steps<ServedApi> {
  if (!isJsonObject(document)) {
    throw createDocumentError('', 'is not a JSON object', 'expected an OpenAPI document');
  }
  const { openapi } = document;
  if (typeof openapi !== 'string' || !/^3\.[12]\./.test(openapi))
    throw createDocumentError('/openapi', describe(openapi), 'expected OpenAPI 3.1');
  const { address, namespaces, routes } = readSiteExtension(document, siteUrl);
  const byPattern = new Map(
    routes.map((route) => [route.pattern, { ...route, operations: new Map<string, ServedOperation>() }]),
  );
  for (const { pattern, operation } of documentOperations(document)) {
    let route = byPattern.get(pattern);
    if (route === undefined) {
      route = { pattern, namespace: longestNamespace(pattern, namespaces), operations: new Map() };
      byPattern.set(pattern, route);
    }
    const known = route.operations.get(operation.method);
    route.operations.set(operation.method, known ? joinOperations(known, operation) : operation);
    yield;
  }
  return { address, namespaces, routes: [...byPattern.values()] satisfies ServedRoute[] };
}

function* documentOperations(document: JsonObject): Generator<RouteOperationEntry> {
  for (const [path, value] of Object.entries(readObject(document['paths'], '/paths', 'path items'))) {
    if (path.startsWith('x-')) continue;
    const at = `/paths${toPointerSegment(path)}`;
    const item = readObject(value, at, 'a path item');
    const { parameters: pathItemParameters, [EXTENSION_NAMES.methods]: extra = {} } = item;
    readObject(extra, `${at}/${EXTENSION_NAMES.methods}`, 'operations by method');
    for (const { method, operation, location } of listPathItemOperations(item)) {
      const pointer = at + location.map(toPointerSegment).join('');
      yield* readRouteOperations({ document, path, method, operation, pathItemParameters, pointer });
    }
  }
}

function readObject(value: Json | undefined, pointer: string, expected: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw createDocumentError(pointer, 'is not an object', `expected ${expected}`);
}

function describe(value: Json | undefined): string {
  return `is ${JSON.stringify(value) ?? 'missing'}`;
}

/**
 * Joins the operations of one route at two paths. A route with optional parts has one path for each of its forms; the
 * joined operation accepts the parameters of every form and has the path and the id of the first.
 */
function joinOperations(first: ServedOperation, second: ServedOperation): ServedOperation {
  const isRequired = (all: readonly ServedParameter[], { in: location, name }: ServedParameter): boolean =>
    all.some((parameter) => parameter.in === location && parameter.name === name && parameter.required);
  const parameters = new Map<string, ServedParameter>();
  for (const parameter of [...first.parameters, ...second.parameters]) {
    const key = `${parameter.in} ${parameter.name}`;
    if (parameters.has(key)) continue;
    parameters.set(key, {
      ...parameter,
      required: isRequired(first.parameters, parameter) && isRequired(second.parameters, parameter),
    });
  }
  const bodySchema = first.bodySchema ?? second.bodySchema;
  const { responseSchema, responsePointer, contextReferences } =
    first.responseSchema === undefined ? second : first;
  return {
    ...first,
    allowBatch: first.allowBatch || second.allowBatch,
    parameters: [...parameters.values()],
    ...omitUndefined({ bodySchema, responseSchema, responsePointer, contextReferences }),
  };
}

/** The longest namespace that contains a route of unknown registration; empty if none does. */
function longestNamespace(pattern: string, namespaces: readonly string[]): string {
  return namespaces
    .filter((namespace) => `${pattern}/`.startsWith(`/${namespace}/`))
    .reduce((longest, namespace) => (namespace.length > longest.length ? namespace : longest), '');
}

/** An operation of one route. An operation of the document that several routes share yields one entry per route. */
interface RouteOperationEntry {
  /** The site's route pattern. */
  readonly pattern: string;
  readonly operation: ServedOperation;
}

/** An operation of the document, and its position in the document. */
interface OperationSource {
  readonly document: JsonObject;
  readonly path: string;
  readonly method: string;
  readonly operation: Json;
  /** The parameters of the path item, which an operation's own override. */
  readonly pathItemParameters: Json | undefined;
  /** JSON pointer to the operation. */
  readonly pointer: string;
}

/**
 * Reads the operations that an operation of the document stands for, one for each route.
 *
 * @throws {ConfigurationError} with the JSON pointer of the part that cannot be used
 */
function readRouteOperations(source: OperationSource): readonly RouteOperationEntry[] {
  const { document, path, pointer } = source;
  const operation = readObject(source.operation, pointer, 'an operation');
  const alternatives = getAlternatives(operation);
  if (alternatives.length > 0) {
    return alternatives.map((alternative, index) => readAlternative(source, operation, alternative, index));
  }
  const contextReferences = getContexts(operation);
  const success = {
    ...readSuccessResponse(document, operation, pointer),
    ...(contextReferences.size === 0 ? {} : { contextReferences }),
  };
  return [
    {
      pattern: readPattern(operation, path, pointer),
      operation: toServedOperation(source, operation, operation, success),
    },
  ];
}

function readAlternative(
  source: OperationSource,
  operation: JsonObject,
  stated: Json,
  index: number,
): RouteOperationEntry {
  const pointer = `${source.pointer}/${EXTENSION_NAMES.alternatives}/${index}`;
  const alternative = readObject(stated, pointer, 'one of the routes that share the operation');
  // Only the shared operation refers to the global parameters. An alternative lists the parameters of its route.
  const globals = jsonItems(operation['parameters']).filter((each) => isJsonObject(each) && '$ref' in each);
  const parameters = [...jsonItems(alternative['parameters']), ...globals];
  const { response: responseSchema } = alternative;
  return {
    pattern: readPattern(alternative, source.path, pointer),
    operation: toServedOperation(
      { ...source, pointer },
      { ...alternative, parameters },
      operation,
      isJsonObject(responseSchema) ? { responseSchema, responsePointer: `${pointer}/response` } : {},
    ),
  };
}

type SuccessResponse = Pick<ServedOperation, 'responseSchema' | 'responsePointer' | 'contextReferences'>;

/** @param entry the operation itself, or the alternative of one route */
function toServedOperation(
  { document, path, method, pathItemParameters, pointer }: OperationSource,
  entry: JsonObject,
  operation: JsonObject,
  success: SuccessResponse,
): ServedOperation {
  const id = entry['operationId'] ?? operation['operationId'];
  const { requestBody } = entry;
  const body =
    requestBody === undefined ? {} : resolveObject(document, requestBody, `${pointer}/requestBody`);
  return {
    id: typeof id === 'string' ? id : `${method} ${path}`,
    method,
    path,
    allowBatch: hasMark(entry, 'allowBatch'),
    parameters: readParameters(
      document,
      [...jsonItems(entry['parameters']), ...jsonItems(pathItemParameters)],
      `${pointer}/parameters`,
    ),
    ...omitUndefined({ bodySchema: readBodySchema(body) }),
    ...success,
  };
}

function readPattern(entry: JsonObject, path: string, pointer: string): string {
  const pattern = extensionOf(entry, 'route');
  if (typeof pattern === 'string') return pattern;
  if (pattern === undefined) return patternFromPath(path);
  const at = `${pointer}/${EXTENSION_NAMES.route}`;
  throw createDocumentError(at, 'is not a string', "expected the site's route pattern");
}

/** Creates the pattern of a hand-written operation, which has only a path. Each parameter matches one segment. */
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

/** The JSON schema of the first 2xx response that has one. */
function readSuccessResponse(
  document: JsonObject,
  operation: JsonObject,
  operationPointer: string,
): SuccessResponse {
  for (const [status, stated] of jsonMembers(operation['responses'])) {
    if (!/^2(?:\d\d|XX)$/.test(status)) continue;
    const pointer = `${operationPointer}/responses/${status}`;
    const schema = contentSchemaOf(resolveObject(document, stated, pointer));
    if (!isJsonObject(schema)) continue;
    const target = referenceOf(stated)?.slice(1) ?? pointer;
    return { responseSchema: schema, responsePointer: `${target}/content/application~1json/schema` };
  }
  return {};
}

function resolveObject(document: JsonObject, value: Json, pointer: string): JsonObject {
  const target = dereference(value, document);
  if (target !== undefined) return target;
  throw createDocumentError(pointer, 'does not lead to an object', 'fix the reference');
}

/**
 * Reads the site extension of a document: the site's address, its namespaces and its routes in matching order.
 *
 * @param siteUrl the site's base URL, which the URLs of a document that a gateway served are relative to
 * @throws {ConfigurationError} with the JSON pointer of the part that cannot be used
 */
function readSiteExtension(
  document: JsonObject,
  siteUrl?: string,
): {
  readonly address: SiteAddress;
  readonly namespaces: readonly string[];
  readonly routes: readonly { readonly pattern: string; readonly namespace: string }[];
} {
  const root = extensionOf(document, 'site');
  if (!isJsonObject(root)) {
    throw createDocumentError(
      SITE_POINTER,
      'is missing',
      'documents made by `waygate generate` contain the address of the site',
    );
  }
  const { format } = root;
  if (format !== 1) {
    const hint = 'this version of waygate reads format 1';
    throw createDocumentError(`${SITE_POINTER}/format`, describe(format), hint);
  }
  return {
    address: readAddress(root['site'], toBaseUrl(siteUrl)),
    namespaces: readNamespaces(root['namespaces']),
    routes: readRoutes(root['routes']),
  };
}

const SITE_POINTER = `/${EXTENSION_NAMES.site}`;

function toBaseUrl(siteUrl: string | undefined): string | undefined {
  if (siteUrl === undefined || !URL.canParse(siteUrl)) return undefined;
  const { origin, pathname } = new URL(siteUrl);
  return origin + pathname.replace(/\/?$/, '/');
}

function readAddress(stated: Json | undefined, siteUrl: string | undefined): SiteAddress {
  const at = `${SITE_POINTER}/site`;
  const { aliases, base, prefix, root, spelling } = readObject(stated, at, 'the address of the site');
  if (spelling !== 'pretty' && spelling !== 'plain')
    throw createDocumentError(`${at}/spelling`, describe(spelling), 'expected `pretty` or `plain`');
  return {
    base: readUrl(base, `${at}/base`, siteUrl),
    ...(Array.isArray(aliases)
      ? { aliases: aliases.map((alias, position) => readUrl(alias, `${at}/aliases/${position}`, siteUrl)) }
      : {}),
    root: readUrl(root, `${at}/root`, siteUrl),
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
    ? 'a document that a gateway served does not contain the URL of the site: state it, too'
    : 'expected an http or https URL';
  throw createDocumentError(at, describe(value), hint);
}

function readNamespaces(value: Json = []): readonly string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value;
  const at = `${SITE_POINTER}/namespaces`;
  throw createDocumentError(at, 'is not a list of strings', 'expected namespace names');
}

function readRoutes(value: Json | undefined): readonly { pattern: string; namespace: string }[] {
  const at = `${SITE_POINTER}/routes`;
  if (!Array.isArray(value))
    throw createDocumentError(at, 'is not a list', 'expected the routes in the order of the site');
  return value.map((route: Json, index) => {
    const { pattern, namespace: stated } = toJsonObject(route);
    const namespace = stated ?? '';
    if (typeof pattern === 'string' && typeof namespace === 'string') return { pattern, namespace };
    const hint = 'expected `{ "pattern", "namespace" }`, both strings';
    throw createDocumentError(`${at}/${index}`, 'is not a route', hint);
  });
}

/** Reads the parameters of an operation. The first of several with the same name and location applies. */
function readParameters(
  document: JsonObject,
  list: readonly Json[],
  pointer: string,
): readonly ServedParameter[] {
  const parameters = new Map<string, ServedParameter>();
  list.forEach((stated, index) => {
    const parameterPointer = `${pointer}/${index}`;
    const parameter = resolveParameter(document, stated, parameterPointer);
    const location = parameter['in'];
    // Users may add headers and cookies to document them: the gateway ignores those.
    if ((location !== 'path' && location !== 'query') || hasMark(parameter, 'unnamed')) return;
    const served = readParameter(parameter, location, parameterPointer);
    const key = `${location} ${served.name}`;
    if (!parameters.has(key)) parameters.set(key, served);
  });
  return [...parameters.values()];
}

function readParameter(parameter: JsonObject, location: 'path' | 'query', pointer: string): ServedParameter {
  const name = getParameterName(parameter);
  if (typeof name !== 'string')
    throw createDocumentError(`${pointer}/name`, 'is not a string', 'expected a name');
  const schema = getParameterSchema(parameter);
  const isGroup = location === 'path' && extensionOf(parameter, 'pcre') !== undefined;
  return {
    name,
    in: location,
    // What only the code of the endpoint requires is left to the site, whose error is another one.
    required: location === 'path' || (parameter['required'] === true && !hasMark(parameter, 'needed')),
    schema: isGroup ? withoutGroupPattern(schema) : schema,
  };
}

/**
 * Returns the schema by which the site validates the argument of a path group. The pattern of the group is removed. Every
 * request that matched the route matches it, and it is in ECMAScript syntax, unlike the patterns of arguments.
 */
function withoutGroupPattern({ pattern: _, allOf, ...argument }: JsonObject): JsonObject {
  const members = jsonItems(allOf);
  const argumentPattern = members.at(-1);
  if (!isJsonObject(argumentPattern) || argumentPattern['pattern'] === undefined) {
    return allOf === undefined ? argument : { ...argument, allOf };
  }
  const others = members.slice(0, -1);
  return { ...argument, ...argumentPattern, ...(others.length === 0 ? {} : { allOf: others }) };
}

function resolveParameter(document: JsonObject, stated: Json, pointer: string): JsonObject {
  const parameter = dereference(stated, document);
  if (parameter !== undefined) return parameter;
  const reference = referenceOf(stated);
  if (reference === undefined) throw createDocumentError(pointer, 'is not an object', 'expected a parameter');
  const hint = 'fix the reference or remove the parameter';
  throw createDocumentError(`${pointer}/$ref`, `leads nowhere (${reference})`, hint);
}
