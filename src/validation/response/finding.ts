import type { Json } from '../../json.ts';
import { isJsonObject } from '../../json.ts';

/** What a value is, to JSON Schema. `integer` is a number without a fraction. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/**
 * How much a finding says: `wrong`, the schema refuses the value; `tolerated`, it does too, but sites of this kind write
 * such values for what the schema means; `remark`, it does not, and the document could still say more or better.
 */
export type FindingSeverity = 'wrong' | 'tolerated' | 'remark';

export type ResponseFindingKind =
  | 'null'
  | 'empty-array-for-object'
  | 'string-for-number'
  | 'type'
  | 'enum'
  | 'format'
  | 'pattern'
  | 'range'
  | 'missing'
  | 'extra'
  | 'forbidden'
  | 'alternatives'
  | 'other';

/** What can be found, each with its weight. */
export const FINDING_SEVERITIES: Readonly<Record<ResponseFindingKind, FindingSeverity>> = {
  /** `null` where the schema has no null: what declared schemas are wrong in most often. */
  null: 'wrong',
  /** PHP has one kind of array: an object without members is written as an empty list. */
  'empty-array-for-object': 'tolerated',
  /** `"12"` for 12: what comes out of a database column or of post meta. */
  'string-for-number': 'tolerated',
  type: 'wrong',
  /** None of the values of `enum`, or not that of `const`. */
  enum: 'wrong',
  /** By the site's own idea of the format; to JSON Schema 2020-12 (§7.2.1) a format is a remark. */
  format: 'remark',
  pattern: 'wrong',
  /** Too small, too large, too long, too many, or twice the same. */
  range: 'wrong',
  /** A required property that is not there. */
  missing: 'wrong',
  /** A property that the schema does not mention. */
  extra: 'remark',
  /** A property that `additionalProperties: false` refuses. */
  forbidden: 'wrong',
  /** Several alternatives of a `oneOf` at once. */
  alternatives: 'wrong',
  /** Any other keyword: `not`, `contains`, `propertyNames`, … */
  other: 'wrong',
};

/** One way in which an answer is not as its schema says. Never a value. */
export interface ResponseFinding {
  readonly kind: ResponseFindingKind;
  /** JSON pointer into the answer: `*` stands for any index, and for names that the schema gives no name to. */
  readonly pointer: string;
  /** What stood there. */
  readonly actual: JsonType | 'nothing';
  /** The keyword that the value is held against. */
  readonly keyword: string;
  /** JSON pointer into the document: the schema that has to change for the answer to be right. */
  readonly schema: string;
}

export function jsonTypeOf(value: Json): JsonType {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    default:
      if (value === null) return 'null';
      return isJsonObject(value) ? 'object' : 'array';
  }
}

/** Types as bits: a whole number is an integer and a number. */
export const TYPE_BITS: Readonly<Record<JsonType, number>> = {
  null: 1,
  boolean: 2,
  integer: 4,
  number: 12,
  string: 16,
  array: 32,
  object: 64,
};

export const ANY_TYPE = 127;

/** What `type` allows, as bits. A word that is no type allows everything, as it does at the site. */
export function typeBits(keywordValue: Json | undefined): number {
  if (keywordValue === undefined) return ANY_TYPE;
  const words = Array.isArray(keywordValue) ? keywordValue : [keywordValue];
  return words.reduce<number>((bits, word) => bits | (isType(word) ? TYPE_BITS[word] : ANY_TYPE), 0);
}

function isType(word: Json): word is JsonType {
  return typeof word === 'string' && Object.hasOwn(TYPE_BITS, word);
}

export function allowsType(bits: number, type: JsonType): boolean {
  // A number with a fraction needs the bit that integers have not.
  return (bits & (type === 'number' ? 8 : TYPE_BITS[type])) !== 0;
}

const NUMERIC = /^[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?$/i;

/** What kind of wrong type a value is; null where its type is allowed. */
export function classifyTypeMismatch(bits: number, value: Json, type: JsonType): ResponseFindingKind | null {
  if (allowsType(bits, type)) return null;
  if (type === 'null') return 'null';
  if (type === 'array' && Array.isArray(value) && value.length === 0 && allowsType(bits, 'object')) {
    return 'empty-array-for-object';
  }
  const isNumeric = typeof value === 'string' && value.length <= 45 && NUMERIC.test(value);
  if (
    isNumeric &&
    (allowsType(bits, 'number') || (allowsType(bits, 'integer') && Number.isInteger(Number(value))))
  ) {
    return 'string-for-number';
  }
  return 'type';
}
