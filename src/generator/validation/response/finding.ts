import type { JsonType } from '../../../base/json.ts';

/** `tolerated`: violates the schema, but PHP commonly writes it. `remark`: valid, but poorly described. */
export type FindingSeverity = 'wrong' | 'tolerated' | 'remark';

export const FINDING_SEVERITIES = {
  /** `null` is the most frequent error of declared schemas. */
  null: 'wrong',
  /** PHP has one array type. */
  'empty-array-for-object': 'tolerated',
  /** As database columns and post meta contain it. */
  'string-for-number': 'tolerated',
  type: 'wrong',
  enum: 'wrong',
  /** A format as WordPress defines it. In JSON Schema 2020-12 (§7.2.1) a format is an annotation. */
  format: 'remark',
  pattern: 'wrong',
  /** A number, length or count out of bounds, or duplicate items. */
  range: 'wrong',
  missing: 'wrong',
  extra: 'remark',
  forbidden: 'wrong',
  alternatives: 'wrong',
  other: 'wrong',
} as const;

export type ResponseFindingKind = keyof typeof FINDING_SEVERITIES;

/** A difference between a response and its schema, without values of the response. */
export interface ResponseFinding {
  readonly kind: ResponseFindingKind;
  /** JSON Pointer into the response. `*` stands for an index or an undeclared name. */
  readonly pointer: string;
  readonly actual: JsonType | 'nothing';
  readonly keyword: string;
  /** JSON Pointer into the document: the schema to change. */
  readonly schema: string;
}

export function keyOfFinding({ kind, pointer, actual, keyword, schema }: ResponseFinding): string {
  return `${pointer}\n${kind}\n${actual}\n${keyword}\n${schema}`;
}

const NUMERIC = /^[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?$/i;

export function classifyTypeMismatch(types: readonly string[], value: unknown): ResponseFindingKind {
  if (value === null) return 'null';
  if (Array.isArray(value) && value.length === 0 && types.includes('object')) return 'empty-array-for-object';
  const isNumeric = typeof value === 'string' && value.length <= 45 && NUMERIC.test(value);
  const isOfType = types.includes('number') || (types.includes('integer') && Number.isInteger(Number(value)));
  return isNumeric && isOfType ? 'string-for-number' : 'type';
}
