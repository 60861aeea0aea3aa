import type { Diagnostic } from '../../base/diagnostics.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
  ownMember,
  toJsonObject,
} from '../../base/json.ts';
import { adviseNearest, createNearestLookup } from '../../base/nearest-name.ts';
import type { ExtendedOperation, McpOptions } from '../../base/option-types.ts';
import { typesOf } from '../model/schema/keywords.ts';
import { type JsonLocation, locatePointer, referenceOf } from './document-references.ts';
import { toJsonPath } from './json-path.ts';
import { isLevel } from './operation-levels.ts';
import { listRouteOperations, type Operation, toPointer } from './operations.ts';
import { MAX_SCHEMA_DEPTH } from './schema-view.ts';

type Extensions = Readonly<Record<string, ExtendedOperation>>;

export const EXTEND_RULE = 'extend-matches-nothing';

/** Translates `extend` of a configuration to an overlay, and reports entries that match nothing. */
export function toExtensionOverlay(
  document: JsonObject,
  extensions: Extensions,
): { readonly overlay: JsonObject; readonly diagnostics: readonly Diagnostic[] } {
  const operations = listRouteOperations(document);
  const diagnostics: Diagnostic[] = [];
  const report = (text: string): void => {
    const message = `extend: ${text}`;
    diagnostics.push({ rule: EXTEND_RULE, severity: 'warning', pointer: '', message, action: 'Skipped.' });
  };
  const actions = Object.entries(extensions).flatMap(([entry, added]) => {
    const [, method, route = entry] = /^([A-Z]+) (.*)$/.exec(entry) ?? [];
    const ofRoute = operations.filter(({ path, pattern }) => path === route || pattern === route);
    const found = ofRoute.filter((each) => method === undefined || each.method === method);
    if (found.length === 0) {
      const nearest = createNearestLookup(operations.map(({ path }) => path))(route);
      const words =
        ofRoute.length > 0 ? `the document has no ${method} there` : 'the document has no such route';
      const advice = adviseNearest(nearest === route ? undefined : nearest);
      report(`"${entry}" matches nothing: ${words}${advice}`);
    } else if (added.body !== undefined && !found.some(takesBody)) {
      report(`"${entry}" has a body, which only POST, PUT and PATCH take`);
    } else if (added.parameters !== undefined && method === undefined && found.every(takesBody)) {
      report(`"${entry}" has parameters and no method, and no method of the route takes those`);
    }
    const writable = findMembers(ofRoute, added);
    for (const name of added.writable ?? []) {
      if (found.length > 0 && !Object.hasOwn(writable, name))
        report(`"${entry}" makes "${name}" writable, which no response of the route has`);
    }
    const body = { ...writable, ...added.body };
    return found.flatMap((operation) => actionsFor(operation, { ...added, body }, method !== undefined));
  });
  const distinct = new Map(actions.map((action) => [JSON.stringify(action), action]));
  const info = { title: 'extend', version: '1' };
  return { overlay: { overlay: '1.1.0', info, actions: [...distinct.values()] }, diagnostics };
}

/** Writable members of a route's responses, by name. */
function findMembers(
  operations: readonly Operation[],
  { response = {}, writable = [] }: ExtendedOperation,
): Readonly<Record<string, JsonObject>> {
  const objects = operations.flatMap((operation) =>
    responsePointersOf(operation).flatMap((pointer) => findObjects(operation.source.document, pointer)),
  );
  const properties = objects.map(([, object]) => toJsonObject(object['properties']));
  const found = writable.flatMap((name) => {
    const stated = ownMember(toJsonObject(response), name);
    const schema = isJsonObject(stated)
      ? stated
      : properties.map((members) => ownMember(members, name)).find(isJsonObject);
    if (schema === undefined) return [];
    const { readOnly: _, ...written } = schema;
    // The site states no argument, so it validates nothing: what reads as "20" can be written as 20.
    const isOpen = stated === undefined && !typesOf(written).includes('object');
    return [
      [name, isOpen ? { anyOf: [written, { type: ['string', 'number', 'boolean'] }] } : written] as const,
    ];
  });
  return Object.fromEntries(found);
}

function responsePointersOf({
  contextReferences = new Map(),
  responsePointer,
}: Operation): readonly string[] {
  const contexts = Array.from<string, string>(contextReferences.values(), (reference) => reference.slice(1));
  return responsePointer === undefined ? contexts : [responsePointer, ...contexts];
}

/** @param isNamed whether the entry names the method; else only reads get a query, only writes a body */
function actionsFor(operation: Operation, added: ExtendedOperation, isNamed: boolean): readonly JsonObject[] {
  const { location, object, requestBody, source } = operation;
  const isWrite = takesBody(operation);
  const bodies = jsonMembers(requestBody?.['content']).map(
    ([type]) => `${toPointer([...location, 'requestBody', 'content', type])}/schema`,
  );
  const addParameter = ([name, schema]: readonly [string, Json]): readonly JsonObject[] => {
    const at = jsonItems(object.parameters).findIndex((each) => memberAt(each, 'name') === name);
    if (at < 0)
      return [{ target: toJsonPath(location), update: { parameters: [{ name, in: 'query', schema }] } }];
    const target = toJsonPath([...location, 'parameters', at]);
    return [
      { target: `${target}.schema`, remove: true },
      { target, update: { schema } },
    ];
  };
  const addMembers = (
    pointers: readonly string[],
    schemas: object = {},
    toUpdate: (content: Json) => JsonObject,
  ) => {
    const properties = toJsonObject(schemas);
    if (Object.keys(properties).length === 0) return [];
    const content = { 'application/json': { schema: { type: 'object', properties } } };
    if (pointers.length === 0) return [{ target: toJsonPath(location), update: toUpdate(content) }];
    const found = pointers.flatMap((pointer) => findObjects(source.document, pointer));
    return found.flatMap((each) => replaceMembers(each, properties));
  };
  return [
    ...(isNamed || !isWrite ? jsonMembers(toJsonObject(added.parameters)) : []).flatMap(addParameter),
    ...(isWrite ? addMembers(bodies, added.body, (content) => ({ requestBody: { content } })) : []),
    ...addMembers(responsePointersOf(operation), added.response, (content) => ({
      responses: { 200: { content } },
    })),
  ];
}

function takesBody({ method }: Operation): boolean {
  return /^P(?:OST|UT|ATCH)$/.test(method);
}

/** Merging would concatenate lists such as `enum`, so the earlier value is removed. */
function replaceMembers([location, schema]: FoundObject, properties: JsonObject): readonly JsonObject[] {
  const isAny = referenceOf(schema) !== undefined;
  const there = Object.keys(properties).filter((name) => memberAt(schema, 'properties', name));
  const removed = [...there.map((name) => ['properties', name]), ...(isAny ? [['$ref']] : [])];
  return [
    ...removed.map((names) => ({ target: toJsonPath([...location, ...names]), remove: true })),
    { target: toJsonPath(location), update: { ...(isAny && { type: 'object' }), properties } },
  ];
}

type FoundObject = readonly [JsonLocation, JsonObject];

function findObjects(document: JsonObject, pointer: string, depth = 0): readonly FoundObject[] {
  const found = locatePointer(document, pointer);
  if (found === null || !isJsonObject(found.value) || depth > MAX_SCHEMA_DEPTH) return [];
  const { location, value } = found;
  const reference = referenceOf(value);
  if (reference !== undefined && !reference.endsWith('/AnyFields'))
    return findObjects(document, reference.slice(1), depth + 1);
  const choices = value['properties'] === undefined ? jsonItems(value['anyOf']) : [];
  const below = ['items', 'allOf/0'].filter((path) => value[path.replace('/0', '')] !== undefined);
  const paths = [...below, ...choices.map((_, at) => `anyOf/${at}`)];
  if (paths.length > 0)
    return paths.flatMap((path) => findObjects(document, `${pointer}/${path}`, depth + 1));
  const types = typesOf(value);
  return types.length === 0 || types.includes('object') ? [[location, value]] : [];
}

export function describeUnknownTools(mcp: boolean | McpOptions | undefined, ids: Iterable<string>): string[] {
  const { reads = [], writes = [] } = typeof mcp === 'object' ? mcp : {};
  const known = new Set(ids);
  const isGroup = (name: string): boolean => isLevel(name) || /[*/]/.test(name);
  const unknown = [...reads, ...writes].filter((name) => !isGroup(name) && !known.has(name));
  if (unknown.length === 0) return [];
  const find = createNearestLookup([...known]);
  return unknown.map((name) => `the document has no operation "${name}"${adviseNearest(find(name))}`);
}
