import { expect, test } from 'vitest';
import { findNonceMember } from '../../../src/gateway/wordpress/response-rules.ts';

const find = (text: string): string | undefined => findNonceMember(new TextEncoder().encode(text))?.key;

test.each([
  ['{"nonce":"3f2b"}', 'nonce'],
  ['{"a":1,"_wpnonce" : "3f2b"}', '_wpnonce'],
  ['{"nonces":{"save":"3f2b"}}', 'nonces'],
  ['{"nonce":{"value":"3f2b"}}', 'nonce'],
  ['{"nonces":["3f2b"]}', 'nonces'],
  [`{"nonce":${' '.repeat(40)}"3f2b"}`, 'nonce'],
  ['{"rendered":"<input name=\\"_wpnonce\\" value=\\"3f2b\\">"}', '_wpnonce'],
  ['{"href":"https://example.com/?_wpnonce=3f2b"}', '_wpnonce'],
  [`${'nonce '.repeat(1_001)}{"nonce":"3f2b"}`, 'nonce'],
  ['{"é":"ü","nonce":"3f2b"}', 'nonce'],
  ['{"text":"nonce","wp.nonce":"3f2b"}', 'wp.nonce'],
])('%s has the member %s', (text, name) => {
  expect(find(text)).toBe(name);
});

test.each([
  '',
  '{}',
  '{"nonce":""}',
  '{"nonce":null}',
  '{"nonces":[]}',
  '{"nonces":{}}',
  '{"nonce":true}',
  '{"args":{"nonce":{"type":"string"}}}',
  '{"text":"nonce: \\"3f2b\\""}',
  // JSON within a string.
  '{"rendered":"<script>{\\"nonce\\":\\"3f2b\\"}</script>"}',
  '{"text":"a pronounced nonce"}',
  '{"title":"nonce","id":3}',
  `{"${'a'.repeat(100)}nonce":"3f2b"}`,
])('%s has none', (text) => {
  expect(find(text)).toBeUndefined();
});

test('a body with many occurrences is searched in linear time', () => {
  expect(find('nonce"'.repeat(1_000_000))).toBe('nonce');
  expect(find(`"${'a'.repeat(5_000_000)}`)).toBeUndefined();
});
