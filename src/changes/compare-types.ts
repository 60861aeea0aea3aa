import type { JsonObject } from '../json.ts';
import type { ChangeContext } from './context.ts';
import type { ChangePlace } from './place.ts';
import {
  acceptsNull,
  describeTypes,
  type SchemaTypes,
  statedTypesOf,
  statedValuesOf,
} from './schema-forms.ts';

/**
 * Compares the types of two schemas, and the values that they state.
 *
 * @returns whether the schemas have a type in common, so that their other keywords can be compared
 */
export function compareTypes(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): boolean {
  const [from, to] = [statedTypesOf(before), statedTypesOf(after)];
  const relation = compareTypeSets(from, to);
  if (relation !== 'equal') {
    context.report(`type-${relation}`, place, { from: describeTypes(from), to: describeTypes(to) });
  }
  compareNull(before, after, place, context);
  if (relation === 'changed') return false;
  compareValues(before, after, place, context);
  return true;
}

export function compareNull(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  const [from, to] = [acceptsNull(before), acceptsNull(after)];
  if (from === false && to === true) context.report('null-added', place);
  if (from === true && to === false) context.report('null-removed', place);
}

function compareTypeSets(from: SchemaTypes, to: SchemaTypes): 'equal' | 'widened' | 'narrowed' | 'changed' {
  if (from === undefined || to === undefined) {
    if (from === to) return 'equal';
    return from === undefined ? 'narrowed' : 'widened';
  }
  // A schema of null alone that gains a type is widened by it, and the reverse.
  const isKept = [...from].every((type) => includesType(to, type));
  const isOld = [...to].every((type) => includesType(from, type));
  if (isKept && isOld) return 'equal';
  if (isKept) return 'widened';
  return isOld ? 'narrowed' : 'changed';
}

/** `number` includes `integer` (JSON Schema validation §6.1.1). */
function includesType(types: ReadonlySet<string>, type: string): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

function compareValues(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  const [from, to] = [statedValuesOf(before), statedValuesOf(after)];
  if (from === undefined && to !== undefined) {
    context.report('values-restricted', place, { to: [...to.values()] });
  } else if (from !== undefined && to === undefined) {
    context.report('values-unrestricted', place, { from: [...from.values()] });
  } else if (from !== undefined && to !== undefined) {
    for (const [text, value] of from)
      if (!to.has(text)) context.report('value-removed', place, { from: value });
    for (const [text, value] of to) if (!from.has(text)) context.report('value-added', place, { to: value });
  }
}
