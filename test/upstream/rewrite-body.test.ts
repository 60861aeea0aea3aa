import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBodyRewriter, isRewritableBody } from '../../src/upstream/rewrite-body.ts';
import { createSiteUrls } from '../../src/upstream/rewrite-urls.ts';

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

describe('a URL of the site in a body', () => {
  it.each([
    ['is replaced', 'see http://example.com/blog/x', 'see https://gw.example.com/shop/x'],
    ['is replaced with another scheme', '<https://example.com/blog/>', '<https://gw.example.com/shop/>'],
    [
      'is replaced with its port written out',
      ' http://example.com:80/blog/',
      ' https://gw.example.com/shop/',
    ],
    ['is replaced in capitals', 'HTTP://Example.COM/blog', 'https://gw.example.com/shop'],
    [
      'is replaced as PHP escapes it',
      '"http:\\/\\/example.com\\/blog\\/a"',
      '"https:\\/\\/gw.example.com\\/shop\\/a"',
    ],
    [
      'is replaced as rawurlencode() writes that JSON',
      '%22http%3A%5C%2F%5C%2Fexample.com%5C%2Fblog%5C%2Fa%22%2C%22http%3A%5C%2F%5C%2Fmedia.example.com%3A8080%22',
      '%22https%3A%5C%2F%5C%2Fgw.example.com%5C%2Fshop%5C%2Fa%22%2C%22https%3A%5C%2F%5C%2Fgw.example.com%5C%2Fshop%22',
    ],
    [
      'is replaced in a parameter, MarceloPedra in deliciousbrains/better-search-replace#43',
      'wp-login.php?redirect_to=http%3A%2F%2Fexample.com%2Fblog%2Fa%2F&amp;reauth=1',
      'wp-login.php?redirect_to=https%3A%2F%2Fgw.example.com%2Fshop%2Fa%2F&amp;reauth=1',
    ],
    [
      'is replaced in lower-case escapes, welaika/wordmove#431',
      '"link":"url:http%3a%2f%2fexample.com%2fblog%2fa|target:_blank"',
      '"link":"url:https%3A%2F%2Fgw.example.com%2Fshop%2fa|target:_blank"',
    ],
    [
      'is replaced at the end of a share link',
      'href="https://share.example/?u=http%3A%2F%2Fexample.com%2Fblog"',
      'href="https://share.example/?u=https%3A%2F%2Fgw.example.com%2Fshop"',
    ],
    [
      'is replaced in a parameter of a parameter',
      'redirect_to=%2Flogin%3Fto%3Dhttp%253A%252F%252Fexample.com%252Fblog%252Fa%26b',
      'redirect_to=%2Flogin%3Fto%3Dhttps%253A%252F%252Fgw.example.com%252Fshop%252Fa%26b',
    ],
    [
      'is replaced in a parameter without a scheme',
      'url=%2F%2Fexample.com%2Fblog%2Fa',
      'url=%2F%2Fgw.example.com%2Fshop%2Fa',
    ],
    [
      'is replaced in JSON within JSON, wp-cli/wp-cli#3753',
      String.raw`{"data":"{\"u\":\"http:\\\/\\\/example.com\\\/blog\\\/a\"}"}`,
      String.raw`{"data":"{\"u\":\"https:\\\/\\\/gw.example.com\\\/shop\\\/a\"}"}`,
    ],
    [
      'is replaced in the attributes of a block, noahkuhn in deliciousbrains/better-search-replace#66',
      String.raw`<!-- wp:a {"text":"\u003ca href=\u0022http://example.com/blog/a\u0022\u003e"} -->`,
      String.raw`<!-- wp:a {"text":"\u003ca href=\u0022https://gw.example.com/shop/a\u0022\u003e"} -->`,
    ],
    [
      'is replaced with escaped slashes, Automattic/go-search-replace#29',
      '{"src":"http:\\/\\/example.com\\/blog"}',
      '{"src":"https:\\/\\/gw.example.com\\/shop"}',
    ],
    [
      'without a scheme stays without one',
      'src="//example.com/blog/a.js"',
      'src="//gw.example.com/shop/a.js"',
    ],
    [
      'is found by its longest base',
      'http://example.com/blog/wp-json/a',
      'https://gw.example.com/shop/api/a',
    ],
    ['is found on another host', 'http://media.example.com:8080/i.png', 'https://gw.example.com/shop/i.png'],
    [
      'is replaced twice in a row',
      'http://example.com/blog,http://example.com/blog',
      `${GATEWAY},${GATEWAY}`,
    ],
  ])('%s', (_, given, want) => {
    expect(rewriteText(given)).toBe(want);
  });

  it.each([
    ['a longer host', 'http://example.com.evil.test/blog/'],
    ['a longer first label', 'http://notexample.com/blog/'],
    ['a subdomain', 'http://www.example.com/blog/'],
    ['a user name', 'http://example.com@evil.test/blog/'],
    ['a user name after the base', 'http://example.com/blog@evil.test/'],
    ['another port', 'http://example.com:81/blog/'],
    ['a missing port', 'http://media.example.com/'],
    ['a longer port', 'http://media.example.com:80801/'],
    ['a longer path segment', 'http://example.com/blogger'],
    ['another path', 'http://example.com/'],
    ['another scheme', 'ftp://example.com/blog/'],
    ['a longer scheme', 'xhttp://example.com/blog/'],
    ['a longer host, percent-encoded', 'u=http%3A%2F%2Fexample.com.evil.test%2Fblog%2F'],
    ['slashes that are encoded in part', 'u=http%3A%2F%252Fexample.com%2Fblog'],
    ['a user name after it, percent-encoded', '%22http%3A%5C%2F%5C%2Fexample.com%40evil.test%5C%2Fblog%22'],
    ['a longer path segment, percent-encoded', '%22http%3A%5C%2F%5C%2Fexample.com%5C%2Fblogger%22'],
    ['another port, percent-encoded', '%22http%3A%5C%2F%5C%2Fexample.com%3A81%5C%2Fblog%22'],
    ['half escaped slashes', 'http:/\\/example.com/blog/'],
    ['letters beyond ASCII after it', 'http://example.com/blogé'],
  ])('with %s is not replaced', (_, given) => {
    expect(rewriteText(given)).toBe(given);
  });

  it('is found at any chunk boundaries', () => {
    const word = fc.constantFrom(
      ...[
        'http://',
        'https://',
        'http:\\/\\/',
        'http%3A%5C%2F%5C%2F',
        'http%3A%2F%2F',
        'https%253a%252F%252F',
        '%2Fblog',
        '\\u0022',
        'http:\\\\\\/\\\\\\/',
        '%5C%2Fblog',
        '%22',
        '//',
        'example.com',
        'media.example.com',
        ':80',
        ':8080',
        ':443',
      ],
      ...[
        '/blog',
        '\\/blog',
        '/wp-json',
        '\\/wp-json',
        '/',
        '"',
        ' ',
        '.evil',
        '@',
        'x',
        '\n',
        'é',
        'EXAMPLE.com',
      ],
    );
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(12), { minLength: 1, maxLength: 60 }), (given, cuts) => {
        const bytes = Buffer.from(given);
        const chunks: Uint8Array[] = [];
        let from = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(from, from + cut));
          from += cut;
        }
        chunks.push(bytes.subarray(from));
        expect(Buffer.from(rewriteChunks(chunks)).toString()).toBe(rewriteText(given));
      }),
      { numRuns: 500 },
    );
  });

  it.each<[string, string, string, boolean]>([
    ['a page', 'text/html', 'inline', true],
    [
      'an export, as Tools → Export sends it',
      'text/xml; charset=UTF-8',
      'attachment; filename=site.xml',
      false,
    ],
    [
      'a download of JSON, such as personal data',
      'application/json',
      'Attachment; filename="data.json"',
      false,
    ],
    ['a file that only has a name', 'text/plain', 'inline; filename="attachment.txt"', true],
  ])('of %s is looked for: %s, %s: %s', (_, type, disposition, isRewritten) => {
    const headers = ['Content-Type', type, 'Content-Disposition', disposition];
    expect(isRewritableBody(200, headers)).toBe(isRewritten);
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

  it('buffers less than 400 bytes of 20 MB', () => {
    const rewriter = createBodyRewriter(bases, GATEWAY);
    const chunk = Buffer.alloc(64 * 1024, 'http://example.com/blo http://example.co //');
    let sent = 0;
    for (let i = 0; i < 320; i++) sent += rewriter.write(chunk).length;
    expect(320 * chunk.length - sent).toBeLessThan(400);
  });
});

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
    ['but not if it is UTF-16', 200, ['Content-Type', 'text/html; charset="UTF-16"'], false],
  ])('%s', (_, status, headers, want) => {
    expect(isRewritableBody(status, headers)).toBe(want);
  });
});
