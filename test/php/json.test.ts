import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePhpJson } from '../../src/php/json.ts';
import { PHP_JSON_ERRORS } from '../../src/php/json-error.ts';
import { JSON_TEXTS } from './json-cases.ts';

const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text;

test.each(JSON_TEXTS)('%s', (_, text, error) => {
  const result = decodePhpJson(bytesOf(text));
  if (error === null) expect(result).toEqual({ ok: true, value: JSON.parse(String(text)) });
  else expect(result).toEqual({ ok: false, error: PHP_JSON_ERRORS[error] });
});

test('what was printed is read back', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
      const text = JSON.stringify(value);
      expect(decodePhpJson(bytesOf(text))).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test('any bytes are read without an error, and none that JavaScript takes for no JSON', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '\\',
    '\\u',
    'd800',
    '1',
    '-',
    'e1',
    'true',
    ' ',
    '\0',
    'é',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const result = decodePhpJson(bytesOf(pieces.join('')));
      if (result.ok) expect(() => JSON.parse(pieces.join(''))).not.toThrow();
    }),
  );
});
