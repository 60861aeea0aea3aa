import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { judgeFormat } from '../wordpress/formats.ts';
import { canonical } from './canonical.ts';
import { type FindingKind, typeOf } from './finding.ts';
import type { Check, Walk } from './node.ts';
import { preparePattern } from './pattern.ts';

/** Whether a value is as a keyword says. */
type Test<Value extends Json> = (value: Value, walk: Walk) => boolean;

/**
 * One keyword that says of a value, without looking at another schema, whether it is right.
 *
 * `test` prepares it from what the schema states; null where that is nothing to test by.
 */
export interface Assertion<Value extends Json> {
  readonly kind: FindingKind;
  test(stated: Json, schema: JsonObject): Test<Value> | null;
}

const NO_COST: Pick<Walk, 'spend'> = { spend() {} };

export const ANY_ASSERTIONS: Readonly<Record<string, Assertion<Json>>> = {
  enum: { kind: 'enum', test: (stated) => oneOf(Array.isArray(stated) ? stated : [stated]) },
  const: { kind: 'enum', test: (stated) => oneOf([stated]) },
};

export const STRING_ASSERTIONS: Readonly<Record<string, Assertion<string>>> = {
  minLength: bound((length, most) => length >= most, codePoints),
  maxLength: bound((length, most) => length <= most, codePoints),
  pattern: {
    kind: 'pattern',
    // The site's own pattern, where ours is a translation of it.
    test: (stated, schema) => preparePattern(schema['x-waygate-pcre'] ?? stated),
  },
  format: {
    kind: 'format',
    test: (stated) =>
      typeof stated === 'string' ? (value) => judgeFormat(stated, value, '') === null : null,
  },
};

export const NUMBER_ASSERTIONS: Readonly<Record<string, Assertion<number>>> = {
  minimum: bound((value, limit) => value >= limit, itself),
  maximum: bound((value, limit) => value <= limit, itself),
  exclusiveMinimum: bound((value, limit) => value > limit, itself),
  exclusiveMaximum: bound((value, limit) => value < limit, itself),
  multipleOf: bound((value, divisor) => Number.isInteger(value / divisor), itself),
};

export const ARRAY_ASSERTIONS: Readonly<Record<string, Assertion<readonly Json[]>>> = {
  minItems: bound(
    (count, limit) => count >= limit,
    ({ length }) => length,
  ),
  maxItems: bound(
    (count, limit) => count <= limit,
    ({ length }) => length,
  ),
  uniqueItems: {
    kind: 'range',
    test: (stated) =>
      stated === true
        ? (value, walk) => new Set(value.map((item) => canonical(item, walk))).size === value.length
        : null,
  },
};

export const OBJECT_ASSERTIONS: Readonly<Record<string, Assertion<JsonObject>>> = {
  minProperties: bound((count, limit) => count >= limit, countOf),
  maxProperties: bound((count, limit) => count <= limit, countOf),
};

/** A keyword as a check that reports what it finds. */
export function asserting<Value extends Json>(
  keyword: string,
  { kind, test }: Assertion<Value>,
  {
    stated,
    schema,
    pointer,
  }: { readonly stated: Json; readonly schema: JsonObject; readonly pointer: string },
): Check<Value> | null {
  const holds = test(stated, schema);
  if (holds === null) return null;
  return (value, walk) => {
    walk.spend(1);
    if (!holds(value, walk)) walk.found(kind, keyword, typeOf(value), pointer);
  };
}

function oneOf(members: readonly Json[]): Test<Json> {
  const scalars = new Set<Json>(members.filter((member) => typeof member !== 'object' || member === null));
  const others = new Set(
    members
      .filter((member) => Array.isArray(member) || isJsonObject(member))
      .map((member) => canonical(member, NO_COST)),
  );
  return (value, walk) =>
    scalars.has(value) ||
    (others.size > 0 && typeof value === 'object' && others.has(canonical(value, walk)));
}

function bound<Value extends Json>(
  holds: (measure: number, limit: number) => boolean,
  measure: (value: Value, walk: Walk) => number,
): Assertion<Value> {
  return {
    kind: 'range',
    test: (limit) => (typeof limit === 'number' ? (value, walk) => holds(measure(value, walk), limit) : null),
  };
}

function itself(value: number): number {
  return value;
}

function countOf(value: JsonObject): number {
  return Object.keys(value).length;
}

/** JSON Schema counts code points (RFC 8259 §7). */
function codePoints(text: string, walk: Walk): number {
  walk.spend(text.length >> 6);
  let count = text.length;
  for (let at = 0; at + 1 < text.length; at += 1) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}
