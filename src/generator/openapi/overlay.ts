import type { OpenAPIV3_1 } from 'openapi-types';
import type { Diagnostic } from '../../base/diagnostics.ts';
import { extensionOf } from '../../base/document-extensions.ts';
import { ConfigurationError } from '../../base/errors.ts';
import {
  changeMembers,
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
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { ExtendedOperation, McpOptions } from '../../base/option-types.ts';
import { runSteps, type Steps } from '../../base/steps.ts';
import { typesOf } from '../model/schema/keywords.ts';
import {
  type JsonLocation,
  locatePointer,
  MAX_SCHEMA_DEPTH,
  type OpenApiDocument,
  referenceOf,
} from './document-objects.ts';
import { addOverlayToReport, type GenerationReport, type OverlayChange } from './generation-report.ts';
import { createPlaces, evaluateJsonPath, type Places, placeAt, toJsonPath } from './json-path.ts';
import { isLevel } from './operation-levels.ts';
import { listRouteOperations, type Operation, toPointer } from './operations.ts';
import SKIP_REASONS from './skip-reasons.json' with { type: 'json' };

export interface OverlayResult {
  readonly document: OpenApiDocument;
  readonly changes: readonly OverlayChange[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies an overlay (OpenAPI Overlay Specification 1.0, and 1.1 but `copy`) to a copy of a document. An
 * action that selects nothing or doesn't fit is skipped with a diagnostic.
 * @throws {ConfigurationError} when the value is not an overlay, or the result is not a document
 *
 * @example
 * import { applyOverlay, discover, toOpenApi } from 'waygate';
 *
 * const { document } = toOpenApi(await discover('https://example.com'));
 * const overlay = {
 *   overlay: '1.0.0',
 *   info: { title: 'Our title', version: '1' },
 *   actions: [{ target: '$.info', update: { title: 'Our interface' } }],
 * };
 * const { changes } = applyOverlay(document, overlay);
 * console.log(changes.length);
 */
export function applyOverlay(document: OpenAPIV3_1.Document | JsonObject, overlay: unknown): OverlayResult {
  return runSteps(applyOverlayInSteps(toJsonObject(document), overlay));
}

function* applyOverlayInSteps(document: JsonObject, overlay: unknown): Steps<OverlayResult> {
  let content = document;
  const changes: OverlayChange[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, action] of parseOverlayActions(overlay).entries()) {
    try {
      const { description, evidence, remove, target } = action;
      const selection = yield* evaluateJsonPath(content, target);
      if (!selection.ok) throw new SkippedAction('unreadable', selection.reason);
      const places = selection.locations.length;
      if (places === 0) throw new SkippedAction('gone');
      content = applyAction(content, action, selection.locations);
      const change: OverlayChange['change'] = remove ? 'remove' : 'update';
      changes.push(omitUndefined({ target, description, change, places, evidence }));
    } catch (error) {
      if (!(error instanceof SkippedAction)) throw error;
      const { action: then, message, rule } = SKIP_REASONS[error.kind];
      const detail = error.message === '' ? '' : ` ${error.message}.`;
      diagnostics.push({
        ...{ rule, severity: 'warning', pointer: '', action: then },
        message: `Action ${index + 1} of the overlay (${action.target}) ${message}${detail}`,
      });
    }
    yield;
  }
  if (!isDocument(content))
    throw new ConfigurationError('The overlay turns the document into something that is not OpenAPI.');
  return { document: content, changes, diagnostics };
}

type Generation = { readonly document: OpenApiDocument; readonly report: GenerationReport };

/** Applies the overlay and `extend` of the configuration to a generated document and its report. */
export function* applyOverlayToGeneration(
  generation: Generation,
  overlay: unknown,
  extend: Readonly<Record<string, ExtendedOperation>> = {},
): Steps<Generation> {
  const { document, report } = overlay === undefined ? generation : yield* applyOne(generation, overlay);
  if (Object.keys(extend).length === 0) return { document, report };
  const { diagnostics, overlay: extension } = toExtensionOverlay(document, extend);
  return yield* applyOne({ document, report }, extension, diagnostics);
}

function* applyOne(
  { document, report }: Generation,
  overlay: unknown,
  diagnostics: readonly Diagnostic[] = [],
): Steps<Generation> {
  const result = yield* applyOverlayInSteps(document, overlay);
  return {
    document: result.document,
    report: addOverlayToReport(report, overlay, result.changes, [...diagnostics, ...result.diagnostics]),
  };
}

class SkippedAction extends Error {
  readonly kind: keyof typeof SKIP_REASONS;

  constructor(kind: keyof typeof SKIP_REASONS, detail?: string) {
    super(detail);
    this.kind = kind;
  }
}

function applyAction(
  document: JsonObject,
  { remove, update }: ParsedOverlayAction,
  locations: readonly JsonLocation[],
): JsonObject {
  if (update === undefined && !remove) throw new SkippedAction('incompatible');
  const places = createPlaces();
  for (const location of locations) placeAt(places, location).isSelected = true;
  const content = changePlaces(document, places, (value) => {
    if (remove || update === undefined) return undefined;
    // A list accepts a list or a single item.
    return Array.isArray(value) && !Array.isArray(update) ? [...value, update] : merge(value, update);
  });
  if (!isJsonObject(content)) throw new SkippedAction('incompatible');
  return content;
}

export function isDocument(content: JsonObject): content is OpenApiDocument {
  return (
    typeof content['openapi'] === 'string' && isJsonObject(content['info']) && isJsonObject(content['paths'])
  );
}

interface ParsedOverlayAction {
  readonly target: string;
  readonly description: string | undefined;
  readonly remove: boolean;
  readonly update: Json | undefined;
  readonly evidence: Json | undefined;
}

export function parseOverlayActions(overlay: unknown): readonly ParsedOverlayAction[] {
  if (!isJsonObject(overlay)) throw overlayError('is not a JSON object');
  const { actions, overlay: version } = overlay;
  if (typeof version !== 'string' || !/^1\.\d+/.test(version)) {
    const declared = JSON.stringify(version) ?? 'nothing';
    throw overlayError(`has "overlay": ${declared}; versions 1.0 and 1.1 are supported`);
  }
  if (!Array.isArray(actions)) throw overlayError('has no list of "actions"');
  return actions.map((action: Json, index) => {
    const { description, remove, target, update } = toJsonObject(action);
    if (typeof target !== 'string') throw overlayError(`has no "target" in /actions/${index}`);
    return {
      target,
      description: typeof description === 'string' ? description : undefined,
      remove: remove === true,
      update,
      evidence: extensionOf(toJsonObject(action), 'evidence'),
    };
  });
}

function overlayError(found: string): ConfigurationError {
  return new ConfigurationError(`The overlay ${found}.`);
}

/** Changes each place before those below it, in a copy. @param change removes a place by `undefined` */
function changePlaces(
  value: Json,
  { below, isSelected }: Places,
  change: (value: Json) => Json | undefined,
): Json | undefined {
  const changed = isSelected ? change(value) : value;
  const changeBelow = (member: Json, token: string | number): Json | undefined => {
    const places = below.get(token);
    return places === undefined ? member : changePlaces(member, places, change);
  };
  if (below.size === 0 || changed === undefined) return changed;
  if (isJsonObject(changed)) return changeMembers(changed, changeBelow);
  return jsonItems(changed)
    .map(changeBelow)
    .filter((item) => item !== undefined);
}

/** Overlay 1.1, Action Object: lists are concatenated, objects merged, other values replaced. */
function merge(target: Json, update: Json): Json {
  if (Array.isArray(target) && Array.isArray(update)) return [...target, ...update];
  if (isJsonObject(target) && isJsonObject(update)) {
    const members = new Map(Object.entries(target));
    for (const [name, value] of Object.entries(update)) {
      const current = members.get(name);
      members.set(name, current === undefined ? value : merge(current, value));
    }
    return Object.fromEntries(members);
  }
  const isValue = [target, update].every((value) => typeof value !== 'object' || value === null);
  if (isValue) return update;
  throw new SkippedAction('incompatible');
}

type Extensions = Readonly<Record<string, ExtendedOperation>>;

export const EXTEND_RULE = 'extend-matches-nothing';

/** Translates `extend` of a configuration to an overlay, and reports entries that match nothing. */
function toExtensionOverlay(
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
