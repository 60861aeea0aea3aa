import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasWords, ResponseWords } from '../../../src/gateway/exchange/response-words.ts';

function wordsOf(
  body: string | Uint8Array,
  fields: Readonly<Record<string, string>> = {},
  status = 500,
): string {
  const words = new ResponseWords({ status, reason: '', headers: Object.entries(fields).flat() });
  const bytes = Buffer.from(body);
  // In two chunks, as from a socket.
  words.add(bytes.subarray(0, 100));
  words.add(bytes.subarray(100));
  return words.toString();
}

const page = (title: string, body: string): string =>
  `<!DOCTYPE html><html><head><style>.a > b {}</style><title>${title}</title></head><body id="error-page">${body}</body></html>`;
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json; charset=UTF-8' };

test.each<[string, string, Readonly<Record<string, string>>, string]>([
  [
    'the page of wp_die()',
    page(
      'Database Error',
      '<div class="wp-die-message"><h1>Error establishing a database connection</h1></div>',
    ),
    HTML,
    '500 "Database Error: Error establishing a database connection" (text/html)',
  ],
  [
    'a maintenance page',
    page('Maintenance', '<h1>Briefly unavailable for scheduled maintenance.</h1><p>Check back in a minute.'),
    { ...HTML, 'retry-after': '600', server: 'nginx' },
    '500 "Maintenance: Briefly unavailable for scheduled maintenance. Check back in a minute." (text/html, Retry-After: 600, Server: nginx)',
  ],
  [
    "Cloudflare's challenge",
    page(
      'Just a moment...',
      '<script>window._cf = "x";</script><noscript>Enable JavaScript and cookies to continue</noscript>',
    ),
    { ...HTML, 'cf-mitigated': 'challenge', server: 'cloudflare' },
    '500 "Just a moment...: Enable JavaScript and cookies to continue" (text/html, Cf-Mitigated: challenge, Server: cloudflare)',
  ],
  [
    'a heading that repeats the title',
    page('502 Bad Gateway', '<h1>502 Bad Gateway</h1><hr>nginx'),
    HTML,
    '500 "502 Bad Gateway nginx" (text/html)',
  ],
  [
    'a fatal error of PHP as HTML',
    '<br />\n<b>Fatal error</b>:  Uncaught Error: Call to undefined function acme() in /srv/a.php:3',
    HTML,
    '500 "Fatal error : Uncaught Error: Call to undefined function acme() in /srv/a.php:3" (text/html)',
  ],
  [
    'an error of WordPress with HTML in its message',
    '{"code":"internal_server_error","message":"<p>There has been a critical error on this website.<\\/p><p><a href=\\"x\\">Learn more.<\\/a><\\/p>","data":{"status":500}}',
    JSON_TYPE,
    '500 "There has been a critical error on this website. Learn more." (application/json)',
  ],
  [
    'a notice before JSON',
    'Notice: x in y\n{"code":"a","message":"Broken \\u00e9"}',
    JSON_TYPE,
    '500 "Broken é" (application/json)',
  ],
  [
    'a text',
    'upstream request timeout',
    { 'content-type': 'text/plain' },
    '500 "upstream request timeout" (text/plain)',
  ],
  ['nothing', '', {}, '500'],
  ['a body in an unknown coding', 'abc', { 'content-encoding': 'zstd' }, '500'],
  ['bytes that are no gzip', 'abc', { 'content-encoding': 'gzip' }, '500'],
])('the words of %s are read', (_, body, fields, expected) => {
  expect(wordsOf(body, fields)).toBe(expected);
});

test('a refusal in JSON is named by its code, because its message can repeat what the client has sent', () => {
  const body = '{"code":"rest_invalid_param","message":"Invalid parameter(s): secret"}';
  expect(wordsOf(body, JSON_TYPE, 400)).toBe('400 "rest_invalid_param" (application/json)');
  expect(wordsOf('{"message":"secret"}', JSON_TYPE, 403)).toBe('403 (application/json)');
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('the beginning of a body in %s is read', (coding, encode) => {
  const noise = Array.from({ length: 20_000 }, () => Math.random().toString(36)).join('<br>');
  const body = encode(Buffer.from(page('Down', `<h1>Nothing works.</h1>${noise}`)));
  expect(wordsOf(body, { ...HTML, 'content-encoding': coding })).toContain('"Down: Nothing works.');
  const bomb = encode(Buffer.alloc(10_000_000, '<b>'));
  expect(wordsOf(bomb, { ...HTML, 'content-encoding': coding }).length).toBeLessThan(300);
});

test.each([
  ['mysql://wp:hunter2@db.example.com/wp failed', 'mysql://db.example.com/wp failed'],
  ['Invalid password=hunter2 for admin', 'Invalid password=… for admin'],
  ['api_key: abc', 'api_key: …'],
  ['The token 9f8e7d6c5b4a39281706f5e4d3c2b1a0 expired', 'The token … expired'],
  ['Authorization: Bearer abc', 'Authorization: …'],
  ['red \u001b[31m and \u202e back', 'red  [31m and   back'],
])('%j is shown as %j', (body, shown) => {
  expect(wordsOf(body, { 'content-type': 'text/plain' })).toContain(`"${shown}`);
  expect(wordsOf(body, { 'content-type': 'text/plain' })).not.toContain('hunter2');
});

test('any body has at most a few hundred printable characters', () => {
  const piece = fc.constantFrom(
    '<',
    '<script>',
    '</script>',
    '<title>',
    '"message":"',
    '\\',
    '&#0;',
    '\u0007',
    'é',
    '<head',
    ' ',
  );
  const body = fc.array(fc.oneof(piece, fc.string()), { maxLength: 300 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(body, fc.constantFrom(HTML, JSON_TYPE, {}), (text, fields) => {
      const words = wordsOf(text, { ...fields, server: text.slice(0, 200).replace(/[^\x20-\x7e]/g, '') });
      expect(words.length).toBeLessThan(400);
      expect(words).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    }),
  );
});

test.each([
  [500, true],
  [403, true],
  [404, false],
  [410, false],
])('of a response with %i they are read: %s', (status, isRead) => {
  expect(hasWords({ status, reason: '', headers: [] })).toBe(isRead);
});
