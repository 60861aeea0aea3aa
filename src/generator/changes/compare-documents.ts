import { getContexts, getErrorCodes, getForcedReference } from '../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
  toJsonObject,
} from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { runSteps, type Steps, visitInSteps } from '../../base/steps.ts';
import { canonicalText, typesOf } from '../model/schema/keywords.ts';
import { parameterNamesOf, removeParameterNames } from '../model/site.ts';
import { listSchemaComponents, toSchemaReference } from '../openapi/document-objects.ts';
import { listOperations, type Operation } from '../openapi/operations.ts';
import { asText, compareSchemaContents, compareSchemas, differ } from './compare-schemas.ts';
import {
  ChangePlace,
  type ChangeRuleName,
  Comparison,
  type ComparisonResult,
  nameOf,
  printName,
} from './context.ts';

export function compareDocuments(before: JsonObject, after: JsonObject): ComparisonResult {
  return runSteps(compareDocumentsInSteps(before, after));
}

export function* compareDocumentsInSteps(before: JsonObject, after: JsonObject): Steps<ComparisonResult> {
  const comparison = new Comparison(before, after);
  if (!(yield* nestsWithin(before)) || !(yield* nestsWithin(after))) {
    documentPlace(comparison, 'document').report('not-comparable');
    return yield* comparison.list([]);
  }
  const from = readOperations(before);
  yield;
  const to = readOperations(after);
  const keys = new Set([...to.keys(), ...from.keys()]);
  compareSecurity(before, after, documentPlace(comparison, 'security'));
  compareSecuritySchemes(before, after, comparison);
  for (const key of keys) {
    yield* compareOperationPair(from.get(key), to.get(key), comparison);
    yield;
  }
  yield* comparePairs(comparison);
  registerOthers(before, after, comparison);
  yield* comparePairs(comparison);
  compareSchemaNames(before, after, comparison);
  const all = [...keys].flatMap((key) => [to.get(key), from.get(key)]).filter((each) => each !== undefined);
  return yield* comparison.list([...new Set(all.map(labelOf))]);
}

function* comparePairs(comparison: Comparison): Steps<void> {
  for (const { after, before, direction, source } of comparison.pairs()) {
    const label = `${direction} schema ${printComponentName(nameOf(after))}`;
    compareSchemaContents(
      comparison.resolveBefore({ $ref: before }),
      comparison.resolveAfter({ $ref: after }),
      new ChangePlace(comparison, source, direction, label),
    );
    yield;
  }
}

function registerOthers(before: JsonObject, after: JsonObject, comparison: Comparison): void {
  const compared = comparison.comparedReferences();
  for (const [name, old, current] of pairsOf(listSchemaComponents(before), listSchemaComponents(after))) {
    const reference = { $ref: toSchemaReference(name) };
    if (compared.has(reference.$ref) || old === undefined || current === undefined) continue;
    for (const direction of ['request', 'response'] as const)
      comparison.register(reference, reference, new ChangePlace(comparison, '', direction));
  }
}

function documentPlace(comparison: Comparison, label: string): ChangePlace {
  return new ChangePlace(comparison, '', 'response', label);
}

function compareSecuritySchemes(before: JsonObject, after: JsonObject, comparison: Comparison): void {
  const schemesOf = ({ components }: JsonObject) => jsonMembers(toJsonObject(components)['securitySchemes']);
  for (const [name, old, current] of pairsOf(schemesOf(before), schemesOf(after))) {
    if (old === undefined || current === undefined) continue;
    const [from, to] = [old, current].map((scheme) => {
      const { description: _, ...rest } = toJsonObject(scheme);
      return rest;
    });
    const place = documentPlace(comparison, `security scheme ${printComponentName(name)}`);
    reportDifference('security-changed', from, to, place);
  }
}

function compareSecurity(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  const waysOf = ({ security = [] }: JsonObject) =>
    new Map(
      (jsonItems(security).length > 0 ? jsonItems(security) : [{}]).map((way) => [canonicalText(way), way]),
    );
  const [from, to] = [waysOf(before), waysOf(after)];
  if ([...from.keys()].some((way) => !to.has(way)))
    place.report('security-changed', { from: before['security'], to: after['security'] });
  else for (const [way, added] of to) if (!from.has(way)) place.report('security-added', { to: added });
}

function reportDifference(
  rule: ChangeRuleName,
  from: Json | undefined,
  to: Json | undefined,
  place: ChangePlace,
): void {
  if (differ(from, to)) place.report(rule, { from, to });
}

function* compareOperationPair(
  before: Operation | undefined,
  after: Operation | undefined,
  comparison: Comparison,
): Steps<void> {
  const shown = after ?? before;
  const name = shown === undefined ? '' : labelOf(shown);
  const place = new ChangePlace(comparison, name, 'request');
  if (before === undefined || after === undefined) {
    place.report(after === undefined ? 'operation-removed' : 'operation-added');
    return;
  }
  const [from, to] = [before.shared, after.shared];
  reportDifference('operation-renamed', from['operationId'], to['operationId'], place);
  const [wasDeprecated, isDeprecated] = [from['deprecated'] === true, to['deprecated'] === true];
  place.reportSwitch(wasDeprecated, isDeprecated, 'operation-deprecated', 'operation-undeprecated');
  compareSecurity(from, to, place);
  yield* compareParameters(before, after, comparison);
  const body = new ChangePlace(comparison, name, 'request', 'request body');
  compareBodies(from['requestBody'], to['requestBody'], body);
  yield* compareResponses(from, to, name, comparison);
}

/** Programs import schemas by name. The schemas of operations that come or go aren't changes of their own. */
function compareSchemaNames(before: JsonObject, after: JsonObject, comparison: Comparison): void {
  for (const [name, old, current] of pairsOf(listSchemaComponents(before), listSchemaComponents(after))) {
    const place = documentPlace(comparison, `schema ${printComponentName(name)}`);
    if (!comparison.replaced.has(toSchemaReference(name))) continue;
    if (current === undefined) place.report('schema-removed');
    else if (old === undefined) place.report('schema-added');
  }
}

function printComponentName(name: string): string {
  return /^[\w.-]{1,80}$/.test(name) ? name : printName(name);
}

/** waygate's own documents nest less than 100 levels. */
const MAX_DEPTH = 500;

export function isComparable(document: Json): boolean {
  return runSteps(nestsWithin(document));
}

function* nestsWithin(document: Json): Steps<boolean> {
  let level: readonly Json[] = [document];
  for (let left = MAX_DEPTH; left > 0 && level.length > 0; left -= 1) {
    const below: Json[] = [];
    yield* visitInSteps(level, (value) => {
      if (typeof value === 'object' && value !== null)
        for (const member of Object.values(value)) below.push(member);
    });
    level = below;
  }
  return level.length === 0;
}

/** Operations by method and template without parameter names: `GET /wp/v2/posts/{}`. */
function readOperations(document: JsonObject): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>();
  for (const operation of listOperations(document)) {
    const key = removeParameterNames(labelOf(operation));
    if (!operations.has(key)) operations.set(key, operation);
  }
  return operations;
}

function labelOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function* compareParameters(before: Operation, after: Operation, comparison: Comparison): Steps<void> {
  const [from, to] = [readParameterObjects(before), readParameterObjects(after)];
  for (const [, old, current] of pairsOf(from, to)) {
    const { in: location, name } = current ?? old ?? {};
    const label = `${String(location)} parameter ${printName(String(name))}`;
    const place = new ChangePlace(comparison, labelOf(after), 'request', label);
    if (current === undefined) place.report('parameter-removed');
    else if (old === undefined) {
      place.report(current['required'] === true ? 'required-parameter-added' : 'parameter-added');
    } else compareParameterPair(old, current, place);
    yield;
  }
}

function compareParameterPair(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  reportDifference('parameter-renamed', before['name'], after['name'], place);
  compareRequired(before, after, place);
  const [from, to] = [describeSerialization(before), describeSerialization(after)];
  const [first, second] = [withDeprecation(before), withDeprecation(after)];
  if (canBeList(first) && canBeList(second)) reportDifference('serialization-changed', from, to, place);
  compareUrlValues(first, second, place, after['in'] === 'query');
  compareMediaTypes(before['content'], after['content'], place);
}

function compareUrlValues(before: JsonObject, after: JsonObject, place: ChangePlace, isQuery: boolean): void {
  const values = { from: typesOf(before).join(' or '), to: typesOf(after).join(' or ') };
  const [itemBefore, itemAfter] = [before, after].map(({ items, type, ...beside }) =>
    isQuery && type === 'array' && isJsonObject(items) ? { ...beside, ...items } : undefined,
  );
  if (itemAfter !== undefined && !canBeList(before)) {
    place.report('type-widened', values);
    compareUrlValues(before, itemAfter, place, false);
  } else if (itemBefore !== undefined && !canBeList(after)) {
    place.report('type-narrowed', values);
    compareUrlValues(itemBefore, after, place, false);
  } else {
    const [from, to] = [asText(before, after), asText(after, before)];
    if (from !== before && !typesOf(before).includes('string')) place.report('type-widened', values);
    if (to !== after && !typesOf(after).includes('string')) place.report('type-narrowed', values);
    if (itemBefore === undefined || itemAfter === undefined) compareSchemas(from, to, place);
    else {
      compareSchemas({ ...before, items: {} }, { ...after, items: {} }, place);
      compareUrlValues(toJsonObject(before['items']), toJsonObject(after['items']), place.below('[]'), false);
    }
  }
}

function canBeList(schema: JsonObject): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes('array') || types.includes('object');
}

function withDeprecation({ deprecated, schema = {} }: JsonObject): JsonObject {
  return { ...omitUndefined({ deprecated }), ...toJsonObject(schema) };
}

function describeSerialization({ explode, in: location, style }: JsonObject): string {
  const effective = style ?? (location === 'query' || location === 'cookie' ? 'form' : 'simple');
  const isExploded = explode ?? effective === 'form';
  return `${String(effective)}${isExploded === true ? ', exploded' : ''}`;
}

function readParameterObjects({ parameterObjects, path }: Operation): ReadonlyMap<string, JsonObject> {
  const names = parameterNamesOf(path);
  return new Map(
    parameterObjects.flatMap((parameter) => {
      const { in: location, name } = parameter;
      if (typeof name !== 'string' || typeof location !== 'string') return [];
      return [
        [JSON.stringify([location, location === 'path' ? names.indexOf(name) : name]), parameter] as const,
      ];
    }),
  );
}

function compareBodies(before: Json | undefined, after: Json | undefined, place: ChangePlace): void {
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

function compareRequired(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  const [wasRequired, isRequired] = [before['required'] === true, after['required'] === true];
  place.reportSwitch(wasRequired, isRequired, 'became-required', 'became-optional');
}

function pairsOf<Value>(
  before: Iterable<readonly [string, Value]>,
  after: Iterable<readonly [string, Value]>,
): readonly (readonly [name: string, old: Value | undefined, current: Value | undefined])[] {
  const [from, to] = [new Map(before), new Map(after)];
  return Array.from(new Set([...from.keys(), ...to.keys()]), (name) => [name, from.get(name), to.get(name)]);
}

function compareMediaTypes(before: Json | undefined, after: Json | undefined, place: ChangePlace): void {
  for (const [mediaType, old, current] of pairsOf(jsonMembers(before), jsonMembers(after))) {
    if (current === undefined) place.report('media-type-removed', { from: mediaType });
    else if (old === undefined) place.report('media-type-added', { to: mediaType });
    else compareSchemas(memberAt(old, 'schema'), memberAt(current, 'schema'), place);
  }
}

function* compareResponses(
  before: JsonObject,
  after: JsonObject,
  source: string,
  comparison: Comparison,
): Steps<void> {
  const placeOf = (label: string): ChangePlace => new ChangePlace(comparison, source, 'response', label);
  const place = placeOf('responses');
  const statuses = pairsOf(jsonMembers(before['responses']), jsonMembers(after['responses']));
  for (const [status, old, current] of statuses) {
    const kind = /^[2-3]|^default$/.test(status) ? 'success' : 'error';
    if (current === undefined) place.report(`${kind}-status-removed`, { from: status });
    else if (old === undefined) place.report(`${kind}-status-added`, { to: status });
    else {
      const [from, to] = [
        comparison.resolveBefore(toJsonObject(old)),
        comparison.resolveAfter(toJsonObject(current)),
      ];
      const label = `response ${/^[\w]{1,10}$/.test(status) ? status : printName(status)}`;
      compareMediaTypes(from['content'], to['content'], placeOf(label));
    }
    yield;
  }
  compareContexts(before, after, placeOf);
  compareErrorCodes(getErrorCodes(before), getErrorCodes(after), place);
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
