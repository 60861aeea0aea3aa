import { expect, test } from 'vitest';
import { decodeText } from '../../src/discovery/response-text.ts';
import { BodyBuffer } from '../../src/http/chunks.ts';
import { runSteps } from '../../src/steps.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

test.each<[string, Uint8Array, string | undefined, string, string[]]>([
  ['a byte order mark', utf8('\ufeff{}'), undefined, '\ufeff{}', []],
  ['ISO 8859-1 with its label', latin1('{"é"}'), 'iso-8859-1', '{"é"}', ['foreign-charset']],
  ['ISO 8859-1 labelled UTF-8', latin1('{"é"}'), 'utf-8', '{"\ufffd"}', ['invalid-utf8']],
  ['ISO 8859-1 under an unknown label', latin1('{"é"}'), 'klingon', '{"\ufffd"}', ['invalid-utf8']],
  ['an empty body', utf8(''), undefined, '', []],
])('decodeText decodes %s', (_, bytes, charset, text, rules) => {
  // A connection may bring a character in parts.
  const body = new BodyBuffer();
  for (const byte of bytes) body.add(Uint8Array.of(byte));
  const decoded = runSteps(decodeText(body, charset));
  expect(decoded.text).toBe(text);
  expect(decoded.repairs.map(({ rule }) => rule)).toEqual(rules);
});
