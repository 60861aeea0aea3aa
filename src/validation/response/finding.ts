import type { Json, JsonType } from '../../json.ts';

/**
 * The severity of a finding.
 *
 * - `wrong`: the value violates the schema.
 * - `tolerated`: the value violates the schema, but PHP commonly writes it for the declared type.
 * - `remark`: the value is valid, and the document could describe it better.
 */
export type FindingSeverity = 'wrong' | 'tolerated' | 'remark';

/** All kinds of findings with their severity. */
export const FINDING_SEVERITIES = {
  /** `null` for a type without null, the most frequent error of declared schemas. */
  null: 'wrong',
  /** PHP has one array type, so it writes an object without members as an empty list. */
  'empty-array-for-object': 'tolerated',
  /** `"12"` for 12, as database columns and post meta contain it. */
  'string-for-number': 'tolerated',
  type: 'wrong',
  /** A value that `enum` or `const` does not allow. */
  enum: 'wrong',
  /** A format as WordPress defines it. In JSON Schema 2020-12 (§7.2.1) a format is an annotation. */
  format: 'remark',
  pattern: 'wrong',
  /** A number, length or count out of bounds, or duplicate items. */
  range: 'wrong',
  missing: 'wrong',
  /** A property that the schema does not declare. */
  extra: 'remark',
  /** A property that `additionalProperties: false` forbids. */
  forbidden: 'wrong',
  /** A value that matches more than one schema of a `oneOf`. */
  alternatives: 'wrong',
  /** A value that `not` excludes. */
  other: 'wrong',
} as const;

export type ResponseFindingKind = keyof typeof FINDING_SEVERITIES;

/** One difference between a response and its schema. It never contains a value of the response. */
export interface ResponseFinding {
  readonly kind: ResponseFindingKind;
  /** JSON Pointer into the response. `*` stands for an index or for a property name that the schema does not declare. */
  readonly pointer: string;
  readonly actual: JsonType | 'nothing';
  readonly keyword: string;
  /** JSON Pointer into the document: the schema to change so that the response is valid. */
  readonly schema: string;
}

export function keyOfFinding({ kind, pointer, actual, keyword, schema }: ResponseFinding): string {
  return `${pointer}\n${kind}\n${actual}\n${keyword}\n${schema}`;
}

/** Bit masks of the types. The mask of `number` includes the bit of `integer`. */
const TYPE_KEYWORD_MASKS: Readonly<Record<JsonType, number>> = {
  null: 1,
  boolean: 2,
  integer: 4,
  number: 12,
  string: 16,
  array: 32,
  object: 64,
};

export const ANY_TYPE_MASK = 127;

/** Converts the value of `type` to a bit mask. An unknown type allows every value, as at the site. */
export function toTypeMask(keywordValue: Json | undefined): number {
  if (keywordValue === undefined) return ANY_TYPE_MASK;
  const words = Array.isArray(keywordValue) ? keywordValue : [keywordValue];
  return words.reduce<number>(
    (typeMask, word) => typeMask | (isType(word) ? TYPE_KEYWORD_MASKS[word] : ANY_TYPE_MASK),
    0,
  );
}

function isType(word: Json): word is JsonType {
  return typeof word === 'string' && Object.hasOwn(TYPE_KEYWORD_MASKS, word);
}

function allowsType(typeMask: number, type: JsonType): boolean {
  // A number with a fraction needs the bit that `integer` does not have.
  return (typeMask & (type === 'number' ? 8 : TYPE_KEYWORD_MASKS[type])) !== 0;
}

const NUMERIC = /^[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?$/i;

/** Classifies a type mismatch; `null` when the type of the value is allowed. */
export function classifyTypeMismatch(
  typeMask: number,
  value: Json,
  type: JsonType,
): ResponseFindingKind | null {
  if (allowsType(typeMask, type)) return null;
  if (type === 'null') return 'null';
  if (type === 'array' && Array.isArray(value) && value.length === 0 && allowsType(typeMask, 'object')) {
    return 'empty-array-for-object';
  }
  const isNumeric = typeof value === 'string' && value.length <= 45 && NUMERIC.test(value);
  if (
    isNumeric &&
    (allowsType(typeMask, 'number') || (allowsType(typeMask, 'integer') && Number.isInteger(Number(value))))
  ) {
    return 'string-for-number';
  }
  return 'type';
}
