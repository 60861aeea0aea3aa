import { getContexts, getErrorCodes, getExtraMethods, getForcedReference } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { isPathItemMethod } from '../openapi/path-items.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { ChangeContext, ChangePlace } from './context.ts';
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
    const standard = Object.entries(item).filter(([name]) => isPathItemMethod(name));
    for (const [method, operation] of [...standard, ...jsonMembers(getExtraMethods(item))]) {
      if (!isJsonObject(operation)) continue;
      const name = `${method.toUpperCase()} ${path}`;
      const key = name.replace(/\{[^{}]*\}/g, '{}');
      const parameters = [...jsonItems(operation['parameters']), ...jsonItems(item['parameters'])];
      if (!operations.has(key)) operations.set(key, { name, operation, parameters });
    }
  }
  return operations;
}

/** The names of an operation's path parameters, in the order of the path template. */
function pathParameterNames({ name }: ComparedOperation): readonly string[] {
  return [...name.matchAll(/\{([^{}]*)\}/g)].map(([, parameter = '']) => parameter);
}

/** Compares the parameters of an operation, by location and name; path parameters by their position. */
export function compareParameters(
  before: ComparedOperation,
  after: ComparedOperation,
  context: ChangeContext,
): void {
  const from = readParameterObjects(before, context.resolveBefore);
  const to = readParameterObjects(after, context.resolveAfter);
  for (const key of new Set([...from.keys(), ...to.keys()])) {
    const [old, current] = [from.get(key), to.get(key)];
    const place = parameterPlace(after.name, current ?? old ?? {});
    if (current === undefined) context.report('parameter-removed', place);
    else if (old === undefined) {
      context.report(current['required'] === true ? 'required-parameter-added' : 'parameter-added', place);
    } else compareParameterPair(old, current, place, context);
  }
}

function compareParameterPair(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  if (before['name'] !== after['name']) {
    context.report('parameter-renamed', place, { from: before['name'], to: after['name'] });
  }
  const [wasRequired, isRequired] = [before['required'] === true, after['required'] === true];
  if (!wasRequired && isRequired) context.report('became-required', place);
  if (wasRequired && !isRequired) context.report('became-optional', place);
  const [from, to] = [describeSerialization(before), describeSerialization(after)];
  if (from !== to) context.report('serialization-changed', place, { from, to });
  // The texts of a parameter stand beside its schema, and are compared like those of the schema.
  compareSchemas(withTexts(before), withTexts(after), place, context);
}

function withTexts({ deprecated, description, schema = {} }: JsonObject): JsonObject {
  const base = isJsonObject(schema) ? schema : {};
  return {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...base,
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
  resolve: ChangeContext['resolveBefore'],
): ReadonlyMap<string, JsonObject> {
  const names = pathParameterNames(operation);
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

function parameterPlace(source: string, { in: location, name }: JsonObject): ChangePlace {
  return {
    source,
    direction: 'request',
    label: `${String(location)} parameter ${printName(String(name))}`,
    path: [],
    depth: 0,
  };
}

/** Compares the request bodies of an operation. */
export function compareBodies(
  before: Json | undefined,
  after: Json | undefined,
  source: string,
  context: ChangeContext,
): void {
  const place: ChangePlace = { source, direction: 'request', label: 'request body', path: [], depth: 0 };
  if (!isJsonObject(after)) {
    if (isJsonObject(before)) context.report('body-removed', place);
    return;
  }
  const to = context.resolveAfter(after);
  const isRequired = to['required'] === true;
  if (!isJsonObject(before)) {
    context.report(isRequired ? 'required-body-added' : 'body-added', place);
    return;
  }
  const from = context.resolveBefore(before);
  const wasRequired = from['required'] === true;
  if (!wasRequired && isRequired) context.report('became-required', place);
  if (wasRequired && !isRequired) context.report('became-optional', place);
  compareMediaTypes(from['content'], to['content'], place, context);
}

/** Compares the schemas of a body or a response by media type. */
function compareMediaTypes(
  before: Json | undefined,
  after: Json | undefined,
  place: ChangePlace,
  context: ChangeContext,
): void {
  const [from, to] = [new Map(jsonMembers(before)), new Map(jsonMembers(after))];
  for (const mediaType of new Set([...from.keys(), ...to.keys()])) {
    const [old, current] = [from.get(mediaType), to.get(mediaType)];
    if (current === undefined) context.report('media-type-removed', place, { from: mediaType });
    else if (old === undefined) context.report('media-type-added', place, { to: mediaType });
    else compareSchemas(schemaOf(old), schemaOf(current), place, context);
  }
}

function schemaOf(content: Json): Json | undefined {
  return isJsonObject(content) ? content['schema'] : undefined;
}

/** Compares the texts of two objects that are no schemas. */
export function compareTexts(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  for (const name of ['summary', 'description']) {
    if (before[name] !== after[name]) context.report('text-changed', place, { name });
  }
}

/** Compares the responses of an operation: statuses, header fields, schemas, contexts and error codes. */
export function compareResponses(
  before: JsonObject,
  after: JsonObject,
  source: string,
  context: ChangeContext,
): void {
  const placeOf = (label: string): ChangePlace => ({
    source,
    direction: 'response',
    label,
    path: [],
    depth: 0,
  });
  const [from, to] = [new Map(jsonMembers(before['responses'])), new Map(jsonMembers(after['responses']))];
  for (const status of new Set([...from.keys(), ...to.keys()])) {
    const [old, current] = [from.get(status), to.get(status)];
    const kind = /^[2-3]|^default$/.test(status) ? 'success' : 'error';
    if (current === undefined)
      context.report(`${kind}-status-removed`, placeOf('responses'), { from: status });
    else if (old === undefined) context.report(`${kind}-status-added`, placeOf('responses'), { to: status });
    else {
      const place = placeOf(`response ${printStatus(status)}`);
      compareResponseObjects(
        context.resolveBefore(toObject(old)),
        context.resolveAfter(toObject(current)),
        place,
        context,
      );
    }
  }
  compareContexts(before, after, placeOf, context);
  compareErrorCodes(getErrorCodes(before), getErrorCodes(after), placeOf('responses'), context);
}

function compareResponseObjects(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  compareTexts(before, after, place, context);
  compareMediaTypes(before['content'], after['content'], place, context);
  const [from, to] = [new Map(jsonMembers(before['headers'])), new Map(jsonMembers(after['headers']))];
  for (const name of new Set([...from.keys(), ...to.keys()])) {
    const [old, current] = [from.get(name), to.get(name)];
    const header = { ...place, label: `${place.label}, header ${printName(name)}` };
    if (current === undefined) context.report('header-removed', header);
    else if (old === undefined) context.report('header-added', header);
    else {
      const [first, second] = [context.resolveBefore(toObject(old)), context.resolveAfter(toObject(current))];
      compareTexts(first, second, header, context);
      compareSchemas(first['schema'], second['schema'], header, context);
    }
  }
}

function compareContexts(
  before: JsonObject,
  after: JsonObject,
  placeOf: (label: string) => ChangePlace,
  context: ChangeContext,
): void {
  const [from, to] = [getContexts(before), getContexts(after)];
  for (const name of new Set([...from.keys(), ...to.keys()])) {
    const [old, current] = [from.get(name), to.get(name)];
    if (current === undefined) context.report('context-removed', placeOf('responses'), { from: name });
    else if (old === undefined) context.report('context-added', placeOf('responses'), { to: name });
    else
      compareSchemas(
        { $ref: old },
        { $ref: current },
        placeOf(`response with context ${printName(name)}`),
        context,
      );
  }
  const [forcedBefore, forcedAfter] = [getForcedReference(before), getForcedReference(after)];
  if (forcedBefore !== undefined && forcedAfter !== undefined) {
    const place = placeOf('response with force=true');
    compareSchemas({ $ref: forcedBefore }, { $ref: forcedAfter }, place, context);
  }
}

function compareErrorCodes(
  before: readonly string[],
  after: readonly string[],
  place: ChangePlace,
  context: ChangeContext,
): void {
  const [from, to] = [new Set(before), new Set(after)];
  for (const code of from) if (!to.has(code)) context.report('error-code-removed', place, { from: code });
  for (const code of to) if (!from.has(code)) context.report('error-code-added', place, { to: code });
}

function toObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}

function printStatus(status: string): string {
  return /^[\w]{1,10}$/.test(status) ? status : printName(status);
}
