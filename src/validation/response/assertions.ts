import { getStatedPattern } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { compilePattern, countExpandedNodes, parseArgumentPattern } from '../../pcre/index.ts';
import { validateFormat } from '../wordpress/keywords.ts';
import type { ResponseFindingKind } from './finding.ts';

/** The work that the validation of a response may still take. */
export interface WorkBudget {
  /** Takes steps from the budget. @throws {ValidationBudgetError} when it is exhausted */
  spend(steps: number): void;
}

/** Thrown when the validation of a response exceeds its limits. */
export class ValidationBudgetError extends Error {
  override readonly name = 'ValidationBudgetError';
  readonly reason: 'too-deep' | 'too-costly';

  constructor(reason: 'too-deep' | 'too-costly') {
    super(reason);
    this.reason = reason;
  }
}

/** Tests whether a value conforms to a keyword. */
type KeywordTest<Value extends Json> = (value: Value, walk: WorkBudget) => boolean;

/**
 * A keyword that does not apply another schema.
 *
 * `compile` returns the test for the keyword's value, and `null` for an unusable value.
 */
export interface KeywordAssertion<Value extends Json> {
  readonly kind: ResponseFindingKind;
  compile(stated: Json, schema: JsonObject): KeywordTest<Value> | null;
}

const NO_COST: WorkBudget = { spend() {} };

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
  measure: (value: Value, walk: WorkBudget) => number,
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
function countCodePoints(text: string, walk: WorkBudget): number {
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
function toCanonicalText(value: Json, walk: WorkBudget, depth = 0): string {
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

/** Maximum length of a pattern with its repetitions expanded, in characters. Longer ones take too long to compile. */
const MAX_PATTERN_LENGTH = 5_000;
/** Maximum length of a text that a pattern is matched with, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 16_384;

/**
 * Compiles a pattern of the site. Matching takes linear time. A text that exceeds {@link MAX_TEXT_LENGTH} always matches.
 *
 * @returns `null` when the pattern cannot be matched exactly as the site does, so that no value violates it
 */
export function compileBoundedPattern(source: Json): ((text: string, walk: WorkBudget) => boolean) | null {
  if (typeof source !== 'string' || source.length > MAX_PATTERN_LENGTH) return null;
  const parsed = parseArgumentPattern(source);
  if (!parsed.ok || parsed.rejectionReason !== undefined) return null;
  const size = countExpandedNodes(parsed.root);
  if (size > MAX_PATTERN_LENGTH) return null;
  const matcher = compilePattern(source);
  if (!matcher.exact) return null;
  // Matching an ambiguous pattern can take time proportional to the product of both lengths.
  const cost = matcher.ambiguity === 'none' ? 1 : size;
  return (text, walk) => {
    if (text.length > MAX_TEXT_LENGTH) return true;
    walk.spend((text.length * cost) >> 4);
    return matcher.test(text);
  };
}
