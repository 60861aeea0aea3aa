/** The types of JSON Schema, which are also the only ones that WordPress checks (rest_validate_value_from_schema). */
export const JSON_TYPES: ReadonlySet<string> = new Set([
  'string',
  'integer',
  'number',
  'boolean',
  'array',
  'object',
  'null',
]);

/** Words that sites write in `type` and what they mean. Null: anything at all. */
const TYPE_WORDS: ReadonlyMap<string, string | null> = new Map([
  ['bool', 'boolean'],
  ['int', 'integer'],
  ['long', 'integer'],
  ['absint', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['decimal', 'number'],
  ['numeric', 'number'],
  ['str', 'string'],
  ['text', 'string'],
  ['textarea', 'string'],
  ['date', 'string'],
  ['datetime', 'string'],
  ['date-time', 'string'],
  ['time', 'string'],
  ['email', 'string'],
  ['url', 'string'],
  ['uri', 'string'],
  ['uuid', 'string'],
  ['slug', 'string'],
  ['html', 'string'],
  ['list', 'array'],
  ['hash', 'object'],
  ['map', 'object'],
  ['dict', 'object'],
  ['nil', 'null'],
  ['none', null],
  ['any', null],
  ['mixed', null],
]);

/**
 * What a type expression of a site means: `bool`, `array|string`, `?int`, `string or null`, `string[]`. Undefined
 * where any part of it may be anything or is not understood: then nothing is certain.
 */
export function parseTypeExpression(expression: string): readonly string[] | undefined {
  if (expression.length > 200) return undefined;
  const types = new Set<string>();
  for (const part of expression.toLowerCase().split(/[|,/]| or /)) {
    let word = part.trim();
    if (word.startsWith('?')) {
      types.add('null');
      word = word.slice(1);
    }
    if (/^[\w-]+\[\]$|^array</.test(word)) word = 'array';
    const type = JSON_TYPES.has(word) ? word : TYPE_WORDS.get(word);
    if (typeof type !== 'string') return undefined;
    types.add(type);
  }
  // `?int` reads better, and is tried at the site, as integer first.
  return types.delete('null') ? [...types, 'null'] : [...types];
}

/** The JSON Schema type of a value; whole numbers are `integer`. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Whether a value has one of the types, as JSON Schema sees it: every integer is a number. */
export function hasJsonType(value: unknown, types: readonly string[]): boolean {
  const type = jsonTypeOf(value);
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}
