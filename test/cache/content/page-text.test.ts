import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containsAny, hashWindows, plainText } from '../../../src/cache/content/page-text.ts';

const VALUE = '<p>Tom &amp; Anna&#8217;s <em>“last”</em> day</p>\n';
const TEXT = 'Tom & Anna’s “last” day';

function contains(body: string | Uint8Array, text: string, headers: readonly string[] = []): boolean {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const isContained = containsAny({ body: bytes, headers }, [text]);
  // Other processes may know the hashes alone.
  expect(containsAny({ body: bytes, headers }, [hashWindows(text)])).toBe(isContained);
  return isContained;
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
  ['of a picture', Buffer.from('other'), ['Content-Type', 'image/png']],
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

describe('a value is searched for', () => {
  test.each([
    [
      'by its text, which no attribute follows in a page',
      '<h2 class="wp-block-heading">Coming soon</h2>',
      'Coming soon',
    ],
    ['likewise where a sign less than is in it', '<p>I &lt;3 <a href="/you">you</a></p>', 'I <3 you'],
    ['by its attributes if it has no text', '<img src="/a.jpg" alt="A cat">', '/a.jpg A cat'],
  ])('%s', (_, value, text) => {
    expect(plainText(value)).toBe(text);
    expect(contains(`<main id="main">${value}<p>More of the page</p></main>`, text)).toBe(true);
  });
});

/** The same by regular expressions and with strings of characters: what the text of a body is. */
function describeTexts(markup: string): readonly string[] {
  const once = describeText(markup);
  return once.includes('<') ? [once, describeText(once)] : [once];
}

function describeText(markup: string): string {
  let attributes = '';
  const text = markup
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\(["/\\])/g, '$1')
    .replace(/<!\[CDATA\[|<[a-z/!?][^>]*(?:>|$)/gi, (tag) => {
      if (tag === '<![CDATA[') return '';
      if (!tag.endsWith('>')) return tag;
      for (const [, one, other] of tag.slice(0, -1).matchAll(/=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)')/g))
        attributes += ` ${one ?? other}`;
      return ' ';
    });
  const names: Readonly<Record<string, string>> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    nbsp: ' ',
    ndash: '–',
  };
  return `${text} ${attributes}`
    .replaceAll(']]>', ' ')
    .replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (_, decimal, hex, name) =>
      name === undefined
        ? String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
        : (names[name] ?? ''),
    )
    .replace(/\s+/g, ' ');
}

test('no text is missed that is in a body', () => {
  const parts = [
    ...[
      'Hello',
      'wor',
      'ld',
      'x',
      '12',
      ' ',
      '\n',
      'é',
      '“a”',
      '日本',
      'мир',
      '😀',
      '\u00a0',
      '&nbsp;',
      '&amp;',
      '&lt;',
      '&gt;',
    ],
    ...[
      '&quot;',
      '&#8217;',
      '&#x1F600;',
      '&ndash;',
      '&amp;lt;',
      '<p>',
      '</p>',
      '<a href="',
      "<img alt='",
      '">',
      "'>",
      '<b title = "',
    ],
    ...[
      '<![CDATA[',
      ']]>',
      '<',
      '>',
      '=',
      '"',
      "'",
      '\\u00e9',
      '\\ud83d\\ude00',
      '\\u003cb\\u003e',
      '\\/',
      '\\"',
      '<!-- ',
      ' -->',
    ],
  ];
  const bodies = fc
    .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 40 })
    .map((each) => each.join(''));
  fc.assert(
    fc.property(bodies, fc.nat(), fc.integer({ min: 1, max: 40 }), (body, start, length) => {
      for (const text of describeTexts(body)) {
        const at = start % Math.max(1, text.length);
        expect(contains(body, text.slice(at, at + length).trim())).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});
