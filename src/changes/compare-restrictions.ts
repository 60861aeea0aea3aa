import { ownMember } from '../discovery/index-values.ts';
import { isAnnotation } from '../document-extensions.ts';
import type { Json, JsonObject } from '../json.ts';
import { canonicalText } from '../model/schema/values.ts';
import type { ChangeContext } from './context.ts';
import type { ChangePlace } from './place.ts';
import { printKeyword } from './print-value.ts';

/** The keywords that limit a number, a length or a count, from below and from above. */
const BOUNDS: Readonly<Record<string, 'lower' | 'upper'>> = {
  minimum: 'lower',
  exclusiveMinimum: 'lower',
  minLength: 'lower',
  minItems: 'lower',
  minProperties: 'lower',
  maximum: 'upper',
  exclusiveMaximum: 'upper',
  maxLength: 'upper',
  maxItems: 'upper',
  maxProperties: 'upper',
};

/** Keywords that other functions compare. */
const COMPARED_ELSEWHERE: ReadonlySet<string> = new Set(
  '$ref $comment type enum const properties required additionalProperties items allOf anyOf oneOf'.split(' '),
);

/** Compares bounds, and every other keyword that restricts values: by the safe assumption that an unknown keyword does. */
export function compareRestrictions(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (COMPARED_ELSEWHERE.has(keyword) || keyword.startsWith('x-') || isAnnotation(keyword)) continue;
    const [from, to] = [ownMember(before, keyword), ownMember(after, keyword)];
    if (from !== undefined && to !== undefined && canonicalText(from) === canonicalText(to)) continue;
    const name = printKeyword(keyword);
    const side = Object.hasOwn(BOUNDS, keyword) ? BOUNDS[keyword] : undefined;
    if (side !== undefined) {
      context.report(isTightened(from, to, side) ? 'bound-tightened' : 'bound-loosened', place, {
        name,
        from,
        to,
      });
    } else if (from === undefined) {
      context.report('constraint-added', place, { name, to });
    } else if (to === undefined) {
      context.report('constraint-removed', place, { name, from });
    } else {
      context.report('constraint-changed', place, { name, from, to });
    }
  }
}

function isTightened(from: Json | undefined, to: Json | undefined, side: 'lower' | 'upper'): boolean {
  if (to === undefined) return false;
  if (typeof from !== 'number' || typeof to !== 'number') return true;
  return side === 'lower' ? to > from : to < from;
}
