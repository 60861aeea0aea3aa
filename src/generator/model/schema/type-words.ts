import { splitNames } from '../../../base/glob.ts';
import { jsonTypeOf } from '../../../base/json.ts';

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
