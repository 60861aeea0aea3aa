import type { JsonObject } from '../json.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { typesOf } from '../openapi/schema-view.ts';
import { compilePattern } from '../pcre/index.ts';

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

/** E.g. `^[\w-]+$`. */
const REPEATED_CLASS = /^\^(?:\[(?:\\.|[^\]\\])+\]|\\[dw])\+\$$/;
/** E.g. `^(?:en|de)$` or `^(?:[Ee][Nn]|[Dd][Ee])$`. */
const WORDS = /^\^(?:\(\?:([^()]+)\)|([^()|]+))\$$/;
const WORD = /^(?:\[\w\w\]|[\w-])+$/;

const CHARACTERS: readonly string[] = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'éßж中',
];

/** Whether texts of one pattern satisfy another, as far as words and repeated classes tell. */
export function isIncluded(pattern: string, other: string): boolean {
  if (REPEATED_CLASS.test(pattern)) {
    const [own, target] = [compilePattern(pattern), compilePattern(other)];
    return REPEATED_CLASS.test(other) && CHARACTERS.every((text) => !own.test(text) || target.test(text));
  }
  const [, inGroup, alone] = WORDS.exec(pattern) ?? [];
  const words = (inGroup ?? alone)?.split('|') ?? [''];
  const target = compilePattern(other);
  return words.every(
    (word) =>
      WORD.test(word) && [0, 1].every((at) => target.test(word.replace(/\[(\w)(\w)\]/g, `$${at + 1}`))),
  );
}
