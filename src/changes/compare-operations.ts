import { getContexts, getErrorCodes, getForcedReference } from '../document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
  toJsonObject,
} from '../json.ts';
import { parameterNamesOf, removeParameterNames } from '../model/templates.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { listPathItemOperations } from '../openapi/path-items.ts';
import { compareSchemas } from './compare-schemas.ts';
import { ChangePlace, type Comparison } from './context.ts';
import { printName } from './rules.ts';

/** An operation of a document. */
export interface ComparedOperation {
  /** Method and path template: `GET /wp/v2/posts/{id}`. */
  readonly name: string;
  readonly operation: JsonObject;
  /** The parameters of the path item and of the operation; those of the operation replace those of the path item. */
  readonly parameters: readonly Json[];
}

/**
 * Reads the operations of a document, by method and path template without the names of parameters (`GET /wp/v2/posts/{}`):
 * templates that differ in these names only mean the same path.
 */
export function readOperations(document: JsonObject): ReadonlyMap<string, ComparedOperation> {
  const operations = new Map<string, ComparedOperation>();
  for (const [path, item] of jsonMembers(document['paths'])) {
    if (!isJsonObject(item)) continue;
    for (const { method, operation } of listPathItemOperations(item)) {
      if (!isJsonObject(operation)) continue;
      const name = `${method} ${path}`;
      const key = removeParameterNames(name);
      const parameters = [...jsonItems(operation['parameters']), ...jsonItems(item['parameters'])];
      if (!operations.has(key)) operations.set(key, { name, operation, parameters });
    }
  }
  return operations;
}

/** Compares the parameters of an operation, by location and name; path parameters by their position. */
export function compareParameters(
  before: ComparedOperation,
  after: ComparedOperation,
  comparison: Comparison,
): void {
  const from = readParameterObjects(before, (value) => comparison.resolveBefore(value));
  const to = readParameterObjects(after, (value) => comparison.resolveAfter(value));
  for (const [, old, current] of pairsOf(from, to)) {
    const { in: location, name } = current ?? old ?? {};
    const label = `${String(location)} parameter ${printName(String(name))}`;
    const place = new ChangePlace(comparison, after.name, 'request', label);
    if (current === undefined) place.report('parameter-removed');
    else if (old === undefined) {
      place.report(current['required'] === true ? 'required-parameter-added' : 'parameter-added');
    } else compareParameterPair(old, current, place);
  }
}

function compareParameterPair(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  if (before['name'] !== after['name']) {
    place.report('parameter-renamed', { from: before['name'], to: after['name'] });
  }
  compareRequired(before, after, place);
  const [from, to] = [describeSerialization(before), describeSerialization(after)];
  if (from !== to) place.report('serialization-changed', { from, to });
  // The texts of a parameter stand beside its schema, and are compared like those of the schema.
  compareSchemas(withTexts(before), withTexts(after), place);
}

function withTexts({ deprecated, description, schema = {} }: JsonObject): JsonObject {
  return {
    ...omitUndefined({ description, deprecated }),
    ...toJsonObject(schema),
  };
}

function describeSerialization({ explode, in: location, style }: JsonObject): string {
  const effective = style ?? (location === 'query' || location === 'cookie' ? 'form' : 'simple');
  const isExploded = explode ?? effective === 'form';
  return `${String(effective)}${isExploded === true ? ', exploded' : ''}`;
}

/** Parameter Objects by location and name. The first of several with the same location and name applies. */
function readParameterObjects(
  operation: ComparedOperation,
  resolve: Comparison['resolveBefore'],
): ReadonlyMap<string, JsonObject> {
  const names = parameterNamesOf(operation.name);
  const parameters = new Map<string, JsonObject>();
  for (const stated of operation.parameters) {
    if (!isJsonObject(stated)) continue;
    const parameter = resolve(stated);
    const { in: location, name } = parameter;
    if (typeof name !== 'string' || typeof location !== 'string') continue;
    const key = JSON.stringify([location, location === 'path' ? names.indexOf(name) : name]);
    if (!parameters.has(key)) parameters.set(key, parameter);
  }
  return parameters;
}

/** Compares the request bodies of an operation. */
export function compareBodies(before: Json | undefined, after: Json | undefined, place: ChangePlace): void {
  if (!isJsonObject(after)) {
    if (isJsonObject(before)) place.report('body-removed');
    return;
  }
  const to = place.comparison.resolveAfter(after);
  if (!isJsonObject(before)) {
    place.report(to['required'] === true ? 'required-body-added' : 'body-added');
    return;
  }
  const from = place.comparison.resolveBefore(before);
  compareRequired(from, to, place);
  compareMediaTypes(from['content'], to['content'], place);
}

/** Compares whether a parameter or a body is required. */
function compareRequired(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  const isRequired = after['required'] === true;
  if (isRequired !== (before['required'] === true))
    place.report(isRequired ? 'became-required' : 'became-optional');
}

/** The values of two maps by their names: those of the first, then those that only the second has. */
function pairsOf<Value>(
  before: Iterable<readonly [string, Value]>,
  after: Iterable<readonly [string, Value]>,
): readonly (readonly [name: string, old: Value | undefined, current: Value | undefined])[] {
  const [from, to] = [new Map(before), new Map(after)];
  return Array.from(new Set([...from.keys(), ...to.keys()]), (name) => [name, from.get(name), to.get(name)]);
}

/** Compares the schemas of a body or a response by media type. */
function compareMediaTypes(before: Json | undefined, after: Json | undefined, place: ChangePlace): void {
  for (const [mediaType, old, current] of pairsOf(jsonMembers(before), jsonMembers(after))) {
    if (current === undefined) place.report('media-type-removed', { from: mediaType });
    else if (old === undefined) place.report('media-type-added', { to: mediaType });
    else compareSchemas(memberAt(old, 'schema'), memberAt(current, 'schema'), place);
  }
}

/** Compares the texts of two objects that are no schemas. */
export function compareTexts(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  for (const name of ['summary', 'description']) {
    if (before[name] !== after[name]) place.report('text-changed', { name });
  }
}

/** Compares the responses of an operation: statuses, header fields, schemas, contexts and error codes. */
export function compareResponses(
  before: JsonObject,
  after: JsonObject,
  source: string,
  comparison: Comparison,
): void {
  const placeOf = (label: string): ChangePlace => new ChangePlace(comparison, source, 'response', label);
  const place = placeOf('responses');
  const statuses = pairsOf(jsonMembers(before['responses']), jsonMembers(after['responses']));
  for (const [status, old, current] of statuses) {
    const kind = /^[2-3]|^default$/.test(status) ? 'success' : 'error';
    if (current === undefined) place.report(`${kind}-status-removed`, { from: status });
    else if (old === undefined) place.report(`${kind}-status-added`, { to: status });
    else {
      compareResponseObjects(
        comparison.resolveBefore(toJsonObject(old)),
        comparison.resolveAfter(toJsonObject(current)),
        placeOf(`response ${printStatus(status)}`),
      );
    }
  }
  compareContexts(before, after, placeOf);
  compareErrorCodes(getErrorCodes(before), getErrorCodes(after), place);
}

function compareResponseObjects(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  compareTexts(before, after, place);
  compareMediaTypes(before['content'], after['content'], place);
  const headers = pairsOf(jsonMembers(before['headers']), jsonMembers(after['headers']));
  for (const [name, old, current] of headers) {
    const label = `${place.label}, header ${printName(name)}`;
    const header = new ChangePlace(place.comparison, place.source, 'response', label);
    if (current === undefined) header.report('header-removed');
    else if (old === undefined) header.report('header-added');
    else {
      const first = place.comparison.resolveBefore(toJsonObject(old));
      const second = place.comparison.resolveAfter(toJsonObject(current));
      compareTexts(first, second, header);
      compareSchemas(first['schema'], second['schema'], header);
    }
  }
}

function compareContexts(
  before: JsonObject,
  after: JsonObject,
  placeOf: (label: string) => ChangePlace,
): void {
  for (const [name, old, current] of pairsOf(getContexts(before), getContexts(after))) {
    if (current === undefined) placeOf('responses').report('context-removed', { from: name });
    else if (old === undefined) placeOf('responses').report('context-added', { to: name });
    else
      compareSchemas({ $ref: old }, { $ref: current }, placeOf(`response with context ${printName(name)}`));
  }
  const [forcedBefore, forcedAfter] = [getForcedReference(before), getForcedReference(after)];
  if (forcedBefore !== undefined && forcedAfter !== undefined) {
    const place = placeOf('response with force=true');
    compareSchemas({ $ref: forcedBefore }, { $ref: forcedAfter }, place);
  }
}

function compareErrorCodes(before: readonly string[], after: readonly string[], place: ChangePlace): void {
  const [from, to] = [new Set(before), new Set(after)];
  for (const code of from) if (!to.has(code)) place.report('error-code-removed', { from: code });
  for (const code of to) if (!from.has(code)) place.report('error-code-added', { to: code });
}

function printStatus(status: string): string {
  return /^[\w]{1,10}$/.test(status) ? status : printName(status);
}
