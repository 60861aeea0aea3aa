import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePhpJson } from '../../../src/base/php/values.ts';
import { JSON_CASES, JSON_ERROR_CODES } from './json-cases.ts';

const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text;

test.each(JSON_CASES)('PHP decodes %s or reports its error', (_, text, error) => {
  const result = decodePhpJson(bytesOf(text));
  if (error === null) expect(result).toEqual({ ok: true, value: JSON.parse(String(text)) });
  else expect(result).toMatchObject({ ok: false, error: { code: JSON_ERROR_CODES[error] } });
});

test('a serialized value is decoded to itself', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
      const text = JSON.stringify(value);
      expect(decodePhpJson(bytesOf(text))).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test('no input throws, and every accepted text is valid for JSON.parse', () => {
  const piece = fc.constantFrom(...'{|}|[|]|,|:|"|"a"|\\|\\u|d800|1|-|e1|true| |\0|é'.split('|'));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const result = decodePhpJson(bytesOf(pieces.join('')));
      if (result.ok) expect(() => JSON.parse(pieces.join(''))).not.toThrow();
    }),
  );
});
