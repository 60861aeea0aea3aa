import { isJsonObject, type JsonObject } from '../json.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { ChangeContext } from './context.ts';
import type { ChangePlace } from './place.ts';
import { printName } from './print-value.ts';
import { type ComparedOperation, pathParameterNames } from './read-operations.ts';

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
