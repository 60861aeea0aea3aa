import { getStatedPattern } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { validateFormat } from '../wordpress/formats.ts';
import type { KeywordContext } from './applicators.ts';
import { compileBoundedPattern } from './bounded-pattern.ts';
import { jsonTypeOf, type ResponseFindingKind } from './finding.ts';
import { type ResponseWalk, type SchemaCheck, ValidationBudgetError } from './schema-node.ts';

/** Tests whether a value conforms to a keyword. */
type KeywordTest<Value extends Json> = (value: Value, walk: ResponseWalk) => boolean;

/**
 * A keyword that does not apply another schema.
 *
 * `compile` returns the test for the keyword's value, and `null` for an unusable value.
 */
export interface KeywordAssertion<Value extends Json> {
  readonly kind: ResponseFindingKind;
  compile(stated: Json, schema: JsonObject): KeywordTest<Value> | null;
}

const NO_COST: Pick<ResponseWalk, 'spend'> = { spend() {} };

export const ANY_ASSERTIONS: Readonly<Record<string, KeywordAssertion<Json>>> = {
  enum: { kind: 'enum', compile: (stated) => isMemberOf(Array.isArray(stated) ? stated : [stated]) },
  const: { kind: 'enum', compile: (stated) => isMemberOf([stated]) },
};

export const STRING_ASSERTIONS: Readonly<Record<string, KeywordAssertion<string>>> = {
  minLength: bound((length, most) => length >= most, countCodePoints),
  maxLength: bound((length, most) => length <= most, countCodePoints),
  pattern: {
    kind: 'pattern',
    // `pattern` can be a translation of the site's own pattern.
    compile: (stated, schema) => compileBoundedPattern(getStatedPattern(schema) ?? stated),
  },
  format: {
    kind: 'format',
    compile: (stated) =>
      typeof stated === 'string' ? (value) => validateFormat(stated, value, '') === null : null,
  },
};

export const NUMBER_ASSERTIONS: Readonly<Record<string, KeywordAssertion<number>>> = {
  minimum: bound((value, limit) => value >= limit, identity),
  maximum: bound((value, limit) => value <= limit, identity),
  exclusiveMinimum: bound((value, limit) => value > limit, identity),
  exclusiveMaximum: bound((value, limit) => value < limit, identity),
  multipleOf: bound((value, divisor) => Number.isInteger(value / divisor), identity),
};

export const ARRAY_ASSERTIONS: Readonly<Record<string, KeywordAssertion<readonly Json[]>>> = {
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
    compile: (stated) =>
      stated === true
        ? (value, walk) => new Set(value.map((item) => toCanonicalText(item, walk))).size === value.length
        : null,
  },
};

export const OBJECT_ASSERTIONS: Readonly<Record<string, KeywordAssertion<JsonObject>>> = {
  minProperties: bound((count, limit) => count >= limit, countMembers),
  maxProperties: bound((count, limit) => count <= limit, countMembers),
};

/** Converts an assertion to a check that reports a finding. */
export function createAssertionCheck<Value extends Json>(
  keyword: string,
  { kind, compile }: KeywordAssertion<Value>,
  { keywordValue, schema, pointer }: Pick<KeywordContext, 'keywordValue' | 'schema' | 'pointer'>,
): SchemaCheck<Value> | null {
  const holds = compile(keywordValue, schema);
  if (holds === null) return null;
  return (value, walk) => {
    walk.spend(1);
    if (!holds(value, walk)) walk.report(kind, keyword, jsonTypeOf(value), pointer);
  };
}

function isMemberOf(members: readonly Json[]): KeywordTest<Json> {
  const scalars = new Set<Json>(members.filter((member) => typeof member !== 'object' || member === null));
  const others = new Set(
    members
      .filter((member) => Array.isArray(member) || isJsonObject(member))
      .map((member) => toCanonicalText(member, NO_COST)),
  );
  return (value, walk) =>
    scalars.has(value) ||
    (others.size > 0 && typeof value === 'object' && others.has(toCanonicalText(value, walk)));
}

function bound<Value extends Json>(
  holds: (measure: number, limit: number) => boolean,
  measure: (value: Value, walk: ResponseWalk) => number,
): KeywordAssertion<Value> {
  return {
    kind: 'range',
    compile: (limit) =>
      typeof limit === 'number' ? (value, walk) => holds(measure(value, walk), limit) : null,
  };
}

function identity(value: number): number {
  return value;
}

function countMembers(value: JsonObject): number {
  return Object.keys(value).length;
}

/** JSON Schema counts code points (RFC 8259 §7). */
function countCodePoints(text: string, walk: ResponseWalk): number {
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

/** Maximum depth of compared values. */
const MAX_DEPTH = 64;

/** Returns the same text for values that are equal in JSON Schema (core §4.2.2). @throws {ValidationBudgetError} */
function toCanonicalText(value: Json, walk: Pick<ResponseWalk, 'spend'>, depth = 0): string {
  if (depth > MAX_DEPTH) throw new ValidationBudgetError('too-deep');
  if (typeof value === 'string') {
    walk.spend(1 + (value.length >> 6));
    return JSON.stringify(value);
  }
  walk.spend(1);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
  if (Array.isArray(value))
    return `[${value.map((item: Json) => toCanonicalText(item, walk, depth + 1)).join()}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${toCanonicalText(member, walk, depth + 1)}`,
  );
  return `{${members.sort().join()}}`;
}
