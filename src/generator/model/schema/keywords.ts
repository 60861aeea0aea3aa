import { EXTENSION_NAMES } from '../../../base/document-extensions.ts';
import { splitNames } from '../../../base/glob.ts';
import { type Json, jsonTexts, jsonTypeOf, memberAt } from '../../../base/json.ts';
import { parsePhpNumber } from '../../../base/php/values.ts';
import declared from './keywords.json' with { type: 'json' };

/** Kinds of values by keyword, in written order. Others are dropped, e.g. `$ref`, which WordPress ignores. */
export const KEYWORD_KINDS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(declared),
  [EXTENSION_NAMES.exclusive, 'flag'],
  [EXTENSION_NAMES.context, 'values'],
  [EXTENSION_NAMES.format, 'text'],
  [EXTENSION_NAMES.default, 'value'],
  // The stated `type`, if a rule changed it; null if there was none. WordPress doesn't check unknown types.
  [EXTENSION_NAMES.type, 'value'],
  [EXTENSION_NAMES.pcre, 'text'],
  [EXTENSION_NAMES.patternProperties, 'texts-by-name'],
]);

const KEYWORD_ORDER: ReadonlyMap<string, number> = new Map(
  [...KEYWORD_KINDS.keys()].map((name, at) => [name, at]),
);

export function compareKeywords(a: string, b: string): number {
  return (KEYWORD_ORDER.get(a) ?? 0) - (KEYWORD_ORDER.get(b) ?? 0);
}

export function listKeywordsOfKind(kind: string): readonly string[] {
  return [...KEYWORD_KINDS].flatMap(([name, keywordKind]) => (keywordKind === kind ? [name] : []));
}

export const LIMIT_KEYWORDS: readonly string[] = ['number', 'divisor', 'count'].flatMap(listKeywordsOfKind);

export function typesOf(schema: Json | undefined): readonly string[] {
  const type = memberAt(schema, 'type');
  return typeof type === 'string' ? [type] : jsonTexts(type);
}

export function isUsableLimit(value: Json | undefined, keyword: string): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  const kind = KEYWORD_KINDS.get(keyword);
  return kind === 'count' ? Number.isInteger(value) && value >= 0 : kind !== 'divisor' || value > 0;
}

/** WordPress checks no others (rest_validate_value_from_schema). */
export const SCHEMA_TYPES: ReadonlySet<string> = new Set(
  splitNames('string integer number boolean array object null'),
);

/** By JSON type. `any`, `mixed` and `none` are any type. */
const TYPE_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    boolean: 'bool',
    integer: 'int long absint',
    number: 'float double decimal numeric',
    string: 'str text textarea date datetime date-time time email url uri uuid slug html file',
    array: 'list',
    object: 'hash map dict',
    null: 'nil',
  }).flatMap(([type, words]) => words.split(' ').map((word) => [word, type] as const)),
);

/** `bool`, `array|string`, `?int`, `string[]`; `undefined` if a part is any type or unknown. */
export function parseTypeExpression(expression: string): readonly string[] | undefined {
  const types = new Set<string>();
  for (const part of expression.toLowerCase().split(/[|,/]| or /)) {
    let word = part.trim();
    if (word.startsWith('?')) {
      types.add('null');
      word = word.slice(1);
    }
    if (/^[\w-]+\[\]$|^array</.test(word)) word = 'array';
    const type = SCHEMA_TYPES.has(word) ? word : TYPE_WORDS.get(word);
    if (type === undefined) return undefined;
    types.add(type);
  }
  // WordPress tries null last.
  return types.delete('null') ? [...types, 'null'] : [...types];
}

export function hasSchemaType(value: unknown, types: readonly string[]): boolean {
  const type = jsonTypeOf(value);
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** Equal texts for values that JSON Schema considers equal (core §4.2.2). */
export function canonicalText(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`,
  );
  return `{${members.sort().join(',')}}`;
}

export function uniqueValues(values: readonly Json[]): readonly Json[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = canonicalText(value);
    return seen.has(text) ? false : seen.add(text);
  });
}

export function toFiniteNumber(value: Json): number | undefined {
  const number = typeof value === 'string' ? parsePhpNumber(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
