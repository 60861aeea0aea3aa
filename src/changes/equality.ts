import { ownMember } from '../discovery/index-values.ts';
import { isJsonObject, type Json } from '../json.ts';
import { canonicalText } from '../model/schema/values.ts';
import type { Steps } from '../steps.ts';

/** The levels of a document whose members are compared one by one. Those of the third are operations and components. */
const LEVELS = 3;

/** Whether two documents have the same text. The order of members counts. */
export function* haveEqualTexts(before: Json, after: Json, levels: number = LEVELS): Steps<boolean> {
  if (levels === 0 || !isJsonObject(before) || !isJsonObject(after)) {
    yield;
    return JSON.stringify(before) === JSON.stringify(after);
  }
  const [from, to] = [Object.entries(before), Object.entries(after)];
  if (from.length !== to.length) return false;
  for (const [index, [name, value]] of from.entries()) {
    const [otherName, other = null] = to[index] ?? [];
    if (name !== otherName || !(yield* haveEqualTexts(value, other, levels - 1))) return false;
  }
  return true;
}

/** Does the work of {@link differ} in steps. */
export function* differInSteps(
  before: Json | undefined,
  after: Json | undefined,
  levels: number = LEVELS,
): Steps<boolean> {
  if (levels === 0 || !isJsonObject(before) || !isJsonObject(after)) {
    yield;
    return differ(before, after);
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (yield* differInSteps(ownMember(before, name), ownMember(after, name), levels - 1)) return true;
  }
  return false;
}

/** Whether two values differ in more than the order of members. */
export function differ(before: Json | undefined, after: Json | undefined): boolean {
  if (before === undefined || after === undefined) return before !== after;
  return before !== after && canonicalText(before) !== canonicalText(after);
}
