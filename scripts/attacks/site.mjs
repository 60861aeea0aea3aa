// @ts-check
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const INDEX = readFileSync(new URL('../../test/fixtures/wordpress-7.1-index.json', import.meta.url), 'utf8');
const BIG = { 'content-length': 8_000_000, 'last-modified': 'Wed, 01 Jan 2025 00:00:00 GMT' };
const HTML = { 'content-type': 'text/html; charset=UTF-8' };
const REST = { 'content-type': 'application/json; charset=UTF-8' };
const ADDRESSES = ['x-real-ip', 'cf-connecting-ip', 'true-client-ip'];

/** @type {readonly [path: RegExp, status: number, fields: http.OutgoingHttpHeaders, body?: string][]} */
const ANSWERS = [
  [/^\/wp-json\/wp\/v2\/(?:settings|comments|types)/, 401, REST, '{"code":"rest_forbidden","message":"No."}'],
  [/^\/wp-json\/.*refused/, 403, REST, '{"code":"rest_cookie_invalid_nonce","message":"No."}'],
  [/^\/wp-json\//, 200, REST, '{"id":1}'],
  [/^\/admin/, 302, { location: '/wp-admin/' }],
  [/^\/wp-admin\/(?:$|post)/, 302, { location: '/wp-login.php?reauth=1' }],
  [/^\/(?:readme|wp-includes)/, 405, HTML],
  [/^\/go\//, 307, { location: '/', 'cache-control': 'no-store' }],
  // Everybody with a login gets a nonce, and nobody may edit.
  [/action=rest-nonce/, 200, HTML, '0123456789'],
  [/\.zip/, 200, BIG, 'a'.repeat(8_000_000)],
  [/\.(?:php|css)/, 200, HTML],
];

/** Starts a site that answers as WordPress does, 20 ms after each request. */
export async function startSite() {
  /** @type {string[]} */
  const received = [];
  const used = new Set();
  const server = http.createServer(async (request, response) => {
    const { headers, url = '' } = request;
    received.push(url);
    request.resume();
    response.setHeader('Link', `<http://${headers.host}/wp-json/>; rel="https://api.w.org/"`);
    if (/^\/wp-json\/(?:\?|$)/.test(url)) return void response.writeHead(200, REST).end(INDEX);
    await sleep(20);
    const known = ANSWERS.find(([path]) => path.test(url));
    if (known !== undefined) return void response.writeHead(known[1], known[2]).end(known[3]);
    const wasUsed = url.startsWith('/confirm/') && used.has(url);
    if (url.startsWith('/confirm/')) response.setHeader('Set-Cookie', 'login=1');
    used.add(url);
    const seen = ADDRESSES.filter((name) => /^[678]\./.test(String(headers[name]))).join(' ');
    const text = { '/language/': headers['accept-language'], '/addresses/': `believed: ${seen}` }[url];
    response
      .writeHead(wasUsed ? 410 : 200, HTML)
      .end(text ?? `<title>${url}</title>${'<p>a</p>'.repeat(400)}`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : address;
  return { url: `http://127.0.0.1:${port}/`, received, close: () => server.close() };
}
