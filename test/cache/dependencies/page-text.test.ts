import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { containsAny, plainText } from '../../../src/cache/dependencies/page-text.ts';

const VALUE = '<p>Tom &amp; Anna&#8217;s <em>“last”</em> day</p>\n';
const TEXT = 'Tom & Anna’s “last” day';

function contains(body: string | Uint8Array, text: string, headers: readonly string[] = []): boolean {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return containsAny({ body: bytes, headers }, [text]);
}

describe('the text of a field is found', () => {
  test.each([
    ['in HTML', `<div class="a">${VALUE}</div>`],
    ['in HTML without its tags', `<span>Tom &amp; Anna&#8217;s “last” day</span>`],
    ['with other references', '<p>Tom &#038; Anna&rsquo;s day</p><p>Tom &#x26; Anna&#x2019;s “last” day</p>'],
    ['in an attribute', '<meta name="description" content="Tom &amp; Anna’s “last” day, and more">'],
    ['in an attribute with single quotes', "<img alt='Tom &amp; Anna’s “last” day'>"],
    ['in JSON', JSON.stringify({ excerpt: { rendered: VALUE } })],
    ['in JSON as PHP writes it', JSON.stringify(VALUE).replaceAll('/', '\\/').replaceAll('’', '\\u2019')],
    [
      'in a script of a page',
      `<script type="application/ld+json">{"headline":"Tom & Anna\\u2019s “last” day"}</script>`,
    ],
    ['in a CDATA section of a feed', `<description><![CDATA[${VALUE}]]></description>`],
    ['escaped in a feed', `<summary>${VALUE.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</summary>`],
    ['after a sign that begins no tag', `<p>1 < 2 and I <3 you</p>${VALUE}`],
    ['after a tag that does not end', `${VALUE}<p class="`],
    ['with other white space', '<p>Tom\n\t&amp;&nbsp;Anna’s “last”   day'],
  ])('%s', (_, body) => {
    expect(plainText(VALUE)).toBe(TEXT);
    expect(contains(body, TEXT)).toBe(true);
  });

  test('as text that shows a tag', () => {
    expect(contains('<p>Use &lt;b&gt; here</p>', plainText('Use &lt;b&gt; here'))).toBe(true);
  });
});

test.each([
  ['another text', '<p>Tom &amp; Anna’s “first” day</p>'],
  ['words that are apart', '<p>Tom & Anna’s</p><p>and others</p><p>“last” day</p>'],
  ['nothing', ''],
])('a response with %s does not contain it', (_, body) => {
  expect(contains(body, TEXT)).toBe(false);
});

test.each<[string, Uint8Array, readonly string[]]>([
  ['that is compressed', gzipSync('other'), ['Content-Encoding', 'gzip']],
  ['in another charset', Buffer.from('other', 'latin1'), ['Content-Type', 'text/html; charset=ISO-8859-1']],
  ['over 512 KiB', Buffer.alloc(512 * 1024 + 1, 'a'), []],
])('a body %s may contain everything', (_, body, headers) => {
  expect(contains(body, TEXT, headers)).toBe(true);
});

test.each([
  ['open tags', '<a '.repeat(170_000)],
  ['signs that begin no tag', '<'.repeat(500_000)],
  ['attributes without an end', `<a ${'x="'.repeat(160_000)}>`],
  ['references without an end', '&amp'.repeat(120_000)],
  ['escapes', '\\u003c'.repeat(80_000)],
  ['white space', ' '.repeat(500_000)],
])('500 KB of %s are read before the test times out: each character once', (_, body) => {
  expect(plainText(body).length).toBeLessThanOrEqual(body.length + 1);
});
