import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from '../../src/php/json.ts';
import { JSON_FAULTS } from '../../src/php/json-fault.ts';
import { JSON_TEXTS } from './json-texts.ts';

const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text;

test.each(JSON_TEXTS)('%s', (_, text, fault) => {
  const reading = readJson(bytesOf(text));
  if (fault === null) expect(reading).toEqual({ ok: true, value: JSON.parse(String(text)) });
  else expect(reading).toEqual({ ok: false, fault: JSON_FAULTS[fault] });
});

test('what was printed is read back', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
      const text = JSON.stringify(value);
      expect(readJson(bytesOf(text))).toEqual({ ok: true, value: JSON.parse(text) });
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
      const reading = readJson(bytesOf(pieces.join('')));
      if (reading.ok) expect(() => JSON.parse(pieces.join(''))).not.toThrow();
    }),
  );
});
