import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBodyRewriter, isRewritableBody } from '../../../src/gateway/upstream/rewrite-body.ts';
import { createSiteUrls } from '../../../src/gateway/upstream/rewrite-urls.ts';

const GATEWAY = 'https://gw.example.com/shop';
const bases = createSiteUrls([
  { url: 'http://example.com/blog/' },
  { url: 'http://example.com/blog/wp-json/', suffix: '/api' },
  { url: 'http://media.example.com:8080/' },
]);

function rewriteChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const rewriter = createBodyRewriter(bases, GATEWAY);
  return Buffer.concat([...chunks.map((chunk) => Buffer.from(rewriter.write(chunk))), rewriter.end()]);
}

function rewriteText(text: string): string {
  return Buffer.from(rewriteChunks([Buffer.from(text)])).toString();
}

const escapeSlashes = (value: unknown): string => JSON.stringify(value).replaceAll('/', '\\/');
const withoutScheme = (url: string): string => url.replace(/^https?:/, '');

/** How content spells a URL, with what stands around it. */
const SPELLINGS: readonly (readonly [name: string, spell: (url: string) => string])[] = [
  ['in text', (url) => `see ${url}`],
  ['twice in a row', (url) => `${url},${url}`],
  ['without a scheme', (url) => `src="${withoutScheme(url)}"`],
  ['as PHP escapes it (Automattic/go-search-replace#29)', escapeSlashes],
  ['as rawurlencode() writes that JSON', (url) => encodeURIComponent(escapeSlashes([url, url]))],
  // MarceloPedra in deliciousbrains/better-search-replace#43.
  ['in a parameter', (url) => `wp-login.php?redirect_to=${encodeURIComponent(url)}&amp;reauth=1`],
  ['at the end of a share link', (url) => `href="https://share.example/?u=${encodeURIComponent(url)}"`],
  ['in a parameter without a scheme', (url) => `url=${encodeURIComponent(withoutScheme(url))}`],
  [
    'in a parameter of a parameter',
    (url) => `redirect_to=${encodeURIComponent(`/login?to=${encodeURIComponent(url)}&b`)}`,
  ],
  ['in JSON within JSON (wp-cli/wp-cli#3753)', (url) => escapeSlashes({ data: escapeSlashes({ u: url }) })],
  // noahkuhn in deliciousbrains/better-search-replace#66.
  ['in a block', (url) => String.raw`<!-- wp:a {"text":"\u003ca href=\u0022${url}\u0022\u003e"} -->`],
];

describe('a URL of the site in a body', () => {
  it.each(SPELLINGS)('is replaced %s', (_, spell) => {
    expect(rewriteText(spell('http://example.com/blog'))).toBe(spell(GATEWAY));
    expect(rewriteText(spell('http://example.com/blog/a'))).toBe(spell(`${GATEWAY}/a`));
    expect(rewriteText(spell('http://media.example.com:8080/i.png'))).toBe(spell(`${GATEWAY}/i.png`));
  });

  it.each([
    ['with another scheme', '<https://example.com/blog/>', `<${GATEWAY}/>`],
    ['with its port written out', ' http://example.com:80/blog/', ` ${GATEWAY}/`],
    ['in capitals', 'HTTP://Example.COM/blog', GATEWAY],
    // welaika/wordmove#431.
    [
      'in lower-case escapes',
      'url:http%3a%2f%2fexample.com%2fblog%2fa',
      `url:${encodeURIComponent(GATEWAY)}%2fa`,
    ],
    ['by its longest base', 'http://example.com/blog/wp-json/a', `${GATEWAY}/api/a`],
  ])('is replaced %s', (_, given, want) => {
    expect(rewriteText(given)).toBe(want);
  });

  it.each([
    ['a longer host', 'http://example.com.evil.test/blog/'],
    ['a subdomain', 'http://www.example.com/blog/'],
    ['a user name', 'http://example.com@evil.test/blog/'],
    ['a user name after the base', 'http://example.com/blog@evil.test/'],
    ['another port', 'http://example.com:81/blog/'],
    ['a missing port', 'http://media.example.com/'],
    ['a longer port', 'http://media.example.com:80801/'],
    ['a longer path segment', 'http://example.com/blogger'],
    ['another path', 'http://example.com/'],
    ['another scheme', 'ftp://example.com/blog/'],
    ['a longer host, percent-encoded', 'u=http%3A%2F%2Fexample.com.evil.test%2Fblog%2F'],
    ['a user name after it, percent-encoded', '%22http%3A%5C%2F%5C%2Fexample.com%40evil.test%5C%2Fblog%22'],
    ['letters beyond ASCII after it', 'http://example.com/blogé'],
  ])('with %s is not replaced', (_, given) => {
    expect(rewriteText(given)).toBe(given);
  });

  it('is found at any chunk boundaries', () => {
    const words =
      'http:// https:// http:\\/\\/ http%3A%5C%2F%5C%2F http%3A%2F%2F https%253a%252F%252F %2Fblog \\u0022 %5C%2Fblog %22 // / ' +
      'http:\\\\\\/\\\\\\/ example.com media.example.com :80 :8080 :443 /blog \\/blog /wp-json \\/wp-json " .evil @ x é EXAMPLE.com';
    const word = fc.constantFrom(...words.split(' '), ' ', '\n');
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(12), { minLength: 1, maxLength: 60 }), (given, cuts) => {
        let rest = Buffer.from(given);
        const chunks = cuts.map((cut) => {
          const chunk = rest.subarray(0, cut);
          rest = rest.subarray(cut);
          return chunk;
        });
        chunks.push(rest);
        expect(Buffer.from(rewriteChunks(chunks)).toString()).toBe(rewriteText(given));
      }),
      { numRuns: 200 },
    );
  });

  it('is the only thing that changes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 10 }), (chunks) => {
        expect(Buffer.from(rewriteChunks(chunks))).toEqual(Buffer.concat(chunks));
      }),
    );
  });

  it('is found even if the transport overwrites earlier chunks', () => {
    const rewriter = createBodyRewriter(bases, GATEWAY);
    const chunk = Buffer.from('a http://exam');
    const out = [Buffer.from(rewriter.write(chunk))];
    chunk.fill(0);
    out.push(Buffer.from(rewriter.write(Buffer.from('ple.com/blog/'))), Buffer.from(rewriter.end()));
    expect(Buffer.concat(out).toString()).toBe(`a ${GATEWAY}/`);
  });

  it('buffers less than 400 bytes of 4 MB', () => {
    const rewriter = createBodyRewriter(bases, GATEWAY);
    const chunk = Buffer.alloc(64 * 1024, 'http://example.com/blo http://example.co //');
    let sent = 0;
    for (let i = 0; i < 64; i++) sent += rewriter.write(chunk).length;
    expect(64 * chunk.length - sent).toBeLessThan(400);
  });
});

const XML = ['Content-Type', 'text/xml; charset=UTF-8', 'Content-Disposition'];

describe('a body can be rewritten', () => {
  it.each([
    ['if it is JSON', 200, ['Content-Type', 'application/json; charset=UTF-8'], true],
    ['if it is HTML', 404, ['content-type', 'text/html'], true],
    ['if it is a feed', 200, ['Content-Type', 'application/rss+xml'], true],
    ['but not if it is an image', 200, ['Content-Type', 'image/png'], false],
    ['but not without Content-Type', 200, [], false],
    ['but not if it is compressed', 200, ['Content-Type', 'text/html', 'Content-Encoding', 'gzip'], false],
    ['if its coding is identity', 200, ['Content-Type', 'text/html', 'Content-Encoding', 'identity'], true],
    ['but not if it is partial', 206, ['Content-Type', 'text/html'], false],
    ['but not if the status has no body', 304, ['Content-Type', 'text/html'], false],
    ['but not if it is a file of an export', 200, [...XML, 'Attachment; filename=site.xml'], false],
    ['if it only has a file name', 200, [...XML, 'inline; filename="attachment.xml"'], true],
    ['but not if it is UTF-16', 200, ['Content-Type', 'text/html; charset="UTF-16"'], false],
  ])('%s', (_, status, headers, want) => {
    expect(isRewritableBody(status, headers)).toBe(want);
  });
});
