import type { Json, JsonObject } from '../json.ts';
import { canonicalText } from '../model/schema/values.ts';
import { compareNull } from './compare-types.ts';
import type { ChangeContext, SchemaComparison } from './context.ts';
import type { ChangePlace } from './place.ts';
import { describeSchema, valueAlternativesOf } from './schema-forms.ts';

/**
 * Compares the alternatives (`anyOf`, `oneOf`) of two schemas; a schema without them is the only alternative. Equal
 * alternatives are matched first, then those of the same component or type. The others were removed or added.
 */
export function compareAlternatives(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
  compareSchemas: SchemaComparison,
): void {
  compareNull(before, after, place, context);
  let [removed, added] = [[...valueAlternativesOf(before)], [...valueAlternativesOf(after)]];
  const deeper = { ...place, depth: place.depth + 1 };
  for (const keyOf of [canonicalText, describeSchema]) {
    const matched = matchAlternatives(removed, added, keyOf);
    for (const [from, to] of matched.pairs) compareSchemas(from, to, deeper, context);
    ({ removed, added } = matched);
  }
  const [from, to] = [removed[0], added[0]];
  if (from !== undefined && to !== undefined && removed.length === 1 && added.length === 1) {
    compareSchemas(from, to, deeper, context);
    return;
  }
  for (const each of removed) context.report('alternative-removed', place, { from: describeSchema(each) });
  for (const each of added) context.report('alternative-added', place, { to: describeSchema(each) });
}

interface MatchedAlternatives {
  readonly pairs: readonly (readonly [before: Json, after: Json])[];
  readonly removed: Json[];
  readonly added: Json[];
}

function matchAlternatives(
  before: readonly Json[],
  after: readonly Json[],
  keyOf: (alternative: Json) => string,
): MatchedAlternatives {
  const open = new Map<string, Json[]>();
  for (const each of after) {
    const key = keyOf(each);
    open.set(key, [...(open.get(key) ?? []), each]);
  }
  const pairs: (readonly [Json, Json])[] = [];
  const removed: Json[] = [];
  for (const each of before) {
    const partner = open.get(keyOf(each))?.shift();
    if (partner === undefined) removed.push(each);
    else pairs.push([each, partner]);
  }
  const matched = new Set(pairs.map(([, partner]) => partner));
  return { pairs, removed, added: after.filter((each) => !matched.has(each)) };
}
