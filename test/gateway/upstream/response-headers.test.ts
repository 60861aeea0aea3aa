import { describe, expect, it } from 'vitest';
import { createSiteUrls, toClientHeaders } from '../../../src/gateway/upstream/response-headers.ts';

const BASES = createSiteUrls([{ url: 'https://site.example.com/blog/' }, { url: 'http://old.example.net/' }]);
const GATEWAY = 'http://gw.example.org:8080/shop';

function rewriteHeaders(
  headers: string[],
  { status = 200, publicBase = GATEWAY }: { status?: number; publicBase?: string } = {},
) {
  return toClientHeaders({ status, reason: '', headers }, { siteUrls: BASES, publicBase });
}

describe('a response field', () => {
  it.each([
    ...['Connection', 'Keep-Alive', 'KEEP-ALIVE', 'Proxy-Connection', 'Proxy-Authenticate', 'TE'],
    ...['Transfer-Encoding', 'Upgrade', 'Trailer', 'Alt-Svc'],
  ])('named %s is removed', (name) => {
    expect(rewriteHeaders([name, 'x', 'X-WP-Total', '5'])).toEqual(['X-WP-Total', '5']);
  });

  it('named by Connection is removed', () => {
    expect(rewriteHeaders(['X-Hop', '1', 'Connection', 'close, x-hop'])).toEqual([]);
  });

  it.each([204, 205])('that states a length with %d is removed', (status) => {
    expect(rewriteHeaders(['Content-Length', '5', 'ETag', '"a"'], { status })).toEqual(['ETag', '"a"']);
  });

  it('of any other name is relayed unchanged, repetitions included', () => {
    const headers = ['Vary', 'Origin', 'vary', 'Cookie', 'ETag', '"a"', 'Content-Length', '5', 'Date', 'x'];
    expect(rewriteHeaders(headers)).toEqual(headers);
  });
});

describe('a URL in Location', () => {
  it.each([
    ['below the base', 'https://site.example.com/blog/x?y#z', `${GATEWAY}/x?y#z`],
    ['of the base itself', 'https://site.example.com/blog', GATEWAY],
    ['with another scheme', 'http://site.example.com/blog/x', `${GATEWAY}/x`],
    ['with its port written out', 'https://site.example.com:443/blog/x', `${GATEWAY}/x`],
    ['in capitals', 'HTTPS://SITE.example.com/blog/x', `${GATEWAY}/x`],
    ['without a scheme', '//site.example.com/blog/x', '//gw.example.org:8080/shop/x'],
    ['with a path below the base', '/blog/x', '/shop/x'],
    ['with the path of the base', '/blog?x', '/shop?x'],
    ['with a path outside the base', '/blogger', 'https://site.example.com/blogger'],
    ['on the other host', 'http://old.example.net/x', `${GATEWAY}/x`],
  ])('%s becomes a URL of the gateway', (_, given, want) => {
    expect(rewriteHeaders(['Location', given])).toEqual(['Location', want]);
  });

  it.each([
    ...['https://site.example.com.evil.test/blog/', 'https://site.example.com@evil.test/blog/'],
    ...['https://evil.test/?u=https://site.example.com/blog/', 'https://site.example.com:8443/blog/'],
    ...['https://site.example.com:4430/blog/', 'https://site.example.com/blog@evil.test/'],
    ...['https://site.example.com/blogger', 'ftp://site.example.com/blog/'],
    ...['https://site.example.com/', '//evil.test/blog/', 'x/y', '?page=2', '#top', ''],
  ])('%s stays unchanged', (given) => {
    expect(rewriteHeaders(['Location', given])).toEqual(['Location', given]);
  });
});

describe('URLs in other fields are rewritten', () => {
  it.each([
    [
      'Link',
      '<https://site.example.com/blog/wp-json/>; rel="https://api.w.org/", <https://evil.test/a>; rel="next"',
      `<${GATEWAY}/wp-json/>; rel="https://api.w.org/", <https://evil.test/a>; rel="next"`,
    ],
    ['Link', '</blog/p?page=2>; rel=next; title="a, <b>"', '</shop/p?page=2>; rel=next; title="a, <b>"'],
    ['Content-Location', 'https://site.example.com/blog/p/1', `${GATEWAY}/p/1`],
    ['X-Pingback', 'https://site.example.com/blog/xmlrpc.php', `${GATEWAY}/xmlrpc.php`],
    ['Refresh', '5; url=https://site.example.com/blog/x', `5; url=${GATEWAY}/x`],
    ['Refresh', '0;URL="https://site.example.com/blog/x"', `0;URL="${GATEWAY}/x"`],
    ['Refresh', '5', '5'],
  ])('%s: %s', (name, given, want) => {
    expect(rewriteHeaders([name, given])).toEqual([name, want]);
  });
});

it('a redirect to https keeps its Location, and no other URL', () => {
  const url = 'https://site.example.com/blog/x';
  const headers = ['Location', url, 'Content-Location', url];
  const rewriting = { siteUrls: BASES, publicBase: GATEWAY, location: url };
  expect(toClientHeaders({ status: 301, reason: '', headers }, rewriting)).toEqual([
    ...['Location', url],
    ...['Content-Location', `${GATEWAY}/x`],
  ]);
});

describe('a cookie of the site', () => {
  it.each([
    ['without a path stays', 'a=1; HttpOnly', 'a=1; HttpOnly'],
    ['moves with the base', 'a=1; path=/blog/; secure', 'a=1; Path=/shop/; secure'],
    ['moves below the base', 'a=1; Path=/blog/wp-admin; HttpOnly', 'a=1; Path=/shop/wp-admin; HttpOnly'],
    ['of the whole host is narrowed to the mount', 'a=1; path=/', 'a=1; Path=/shop'],
    ['of another path stays there', 'a=1; path=/shop2', 'a=1; Path=/shop2'],
    ['loses the domain of the site', 'a=1; Domain=site.example.com', 'a=1'],
    ['loses the domain above the site', 'a=1; domain=.example.com; Secure', 'a=1; Secure'],
    ['keeps a domain that is not the site’s', 'a=1; Domain=other.test', 'a=1; Domain=other.test'],
    ['keeps its value', 'a=path=/blog/; Path=/blog', 'a=path=/blog/; Path=/shop'],
    ['bound to its host keeps its path', '__Host-a=1; Path=/; Secure', '__Host-a=1; Path=/; Secure'],
  ])('%s', (_, given, want) => {
    expect(rewriteHeaders(['Set-Cookie', given])).toEqual(['Set-Cookie', want]);
  });

  it('keeps a domain that includes the gateway, and moves to the root path', () => {
    const publicBase = 'https://gw.example.com';
    const cookie = 'a=1; Domain=example.com; Path=/blog';
    expect(rewriteHeaders(['Set-Cookie', cookie], { publicBase })).toEqual([
      'Set-Cookie',
      'a=1; Domain=example.com; Path=/',
    ]);
  });
});
