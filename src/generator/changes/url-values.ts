import type { JsonObject } from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { compilePattern } from '../../base/pcre/index.ts';
import { typesOf } from '../openapi/schema-view.ts';

/** Makes numbers the text of their digits, if the later schema accepts text. */
export function asText(schema: JsonObject, after: JsonObject): JsonObject {
  const types = typesOf(schema);
  const isNumber = (type: string): boolean => type === 'integer' || type === 'number';
  const later = typesOf(after);
  if (!types.some(isNumber) || !later.includes('string') || later.some(isNumber)) return schema;
  const { exclusiveMaximum: _a, exclusiveMinimum: _b, maximum: _c, minimum: _d, pattern, ...rest } = schema;
  const digits = types.every((type) => type === 'integer') ? '^\\d+$' : undefined;
  return {
    ...rest,
    ...omitUndefined({ pattern: pattern ?? digits }),
    type: [...new Set(types.map((type) => (isNumber(type) ? 'string' : type)))],
  };
}

/** A class and how often it occurs, e.g. `^[\w-]+$`, `^\d{1,4}\n?$`. */
const REPEATED_CLASS = /^\^(\[(?:\\.|[^\]\\])+\]|\\[dw])([+*?]|\{(\d+)(,?)(\d*)\}|)(\\n\?)?\$$/;
/** E.g. `^(?:en|de)$` or `^(?:[Ee][Nn]|[Dd][Ee])$`. */
const WORDS = /^\^(?:\(\?:([^()]+)\)|([^()|]+))\$$/;
const WORD = /^(?:\[\w\w\]|[\w-])+$/;

const CHARACTERS: readonly string[] = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'éßж中',
];

function readRepetition(pattern: string) {
  const [found, one, mark, low, comma, high, lineEnd = ''] = REPEATED_CLASS.exec(pattern) ?? [];
  if (found === undefined) return undefined;
  const isOpen = mark === '+' || mark === '*' || (comma === ',' && high === '');
  return {
    class: compilePattern(`^${one}$`),
    least: Number(low ?? (mark === '*' || mark === '?' ? 0 : 1)),
    most: isOpen ? Number.POSITIVE_INFINITY : Number(high || (low ?? 1)),
    lineEnd,
  };
}

/** Whether texts of one pattern satisfy another, as far as words and repeated classes tell. */
export function isIncluded(pattern: string, other: string): boolean {
  const [own, wide] = [readRepetition(pattern), readRepetition(other)];
  if (own !== undefined) {
    return (
      wide !== undefined &&
      wide.least <= own.least &&
      wide.most >= own.most &&
      wide.lineEnd.length >= own.lineEnd.length &&
      CHARACTERS.every((text) => !own.class.test(text) || wide.class.test(text))
    );
  }
  const [, inGroup, alone] = WORDS.exec(pattern) ?? [];
  const words = (inGroup ?? alone)?.split('|') ?? [''];
  const target = compilePattern(other);
  return words.every(
    (word) =>
      WORD.test(word) && [0, 1].every((at) => target.test(word.replace(/\[(\w)(\w)\]/g, `$${at + 1}`))),
  );
}
