import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BodyRewriter,
  createBodyRewriter,
  RequestRewriter,
} from '../../../src/gateway/upstream/rewrite-body.ts';
import { createSiteUrls } from '../../../src/gateway/upstream/rewrite-urls.ts';

const GATEWAY = 'https://gw.example.com/shop';
const STORED = 'https://www.example.com/blog';
const siteUrls = createSiteUrls([{ url: 'http://127.0.0.1/blog/' }, { url: `${STORED}/` }], `${STORED}/`);
const requests = new RequestRewriter(GATEWAY, siteUrls);

type Encoding = 'json' | 'form';
const HEADERS: Readonly<Record<Encoding, readonly string[]>> = {
  json: ['Content-Type', 'application/json; charset=utf-8'],
  form: ['Content-Type', 'application/x-www-form-urlencoded'],
};

/** Rewrites a request body in chunks of the given size. */
function rewriteRequest(text: string, encoding: Encoding, size = text.length + 1): string {
  const rewriter = requests.createBodyRewriter(HEADERS[encoding]);
  if (rewriter === undefined) throw new Error('the body can be rewritten');
  return rewriteInChunks(rewriter, Buffer.from(text), size).toString();
}

function rewriteInChunks(rewriter: BodyRewriter, bytes: Buffer, size: number): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(rewriter.write(bytes.subarray(at, at + size)));
  return Buffer.concat([...parts, rewriter.end()]);
}

function rewriteResponse(text: string): string {
  const rewriter = createBodyRewriter(siteUrls, GATEWAY);
  return Buffer.concat([rewriter.write(Buffer.from(text)), rewriter.end()]).toString();
}

describe("the gateway's URL in a request becomes the one that the site stores", () => {
  it.each<[string, Encoding, (url: string) => string]>([
    ['in JSON', 'json', (url) => `{"a":"<a href='${url}/p'>"}`],
    ['with escaped slashes', 'json', (url) => JSON.stringify(`${url}/p`).replaceAll('/', '\\/')],
    ['without scheme', 'json', (url) => `"${url.slice('https:'.length)}/a.png"`],
    ['in a form', 'form', (url) => `a=1&content=x+${encodeURIComponent(`"${url}/p?b=1"`)}&c=%zz`],
    [
      'in a form, in a parameter of a URL',
      'form',
      (url) => `to=${encodeURIComponent(`/login?redirect_to=${encodeURIComponent(`${url}/p`)}`)}&v=1`,
    ],
    [
      'in JSON, as a block writes quotation marks',
      'json',
      (url) => String.raw`{"content":"{\"a\":\"\\u0022${url}/p\\u0022\"}"}`,
    ],
    [
      'in JSON in a form',
      'form',
      (url) => `json=${encodeURIComponent(JSON.stringify({ u: url }).replaceAll('/', '\\/'))}`,
    ],
  ])('%s', (_, encoding, spell) => {
    for (const size of [1, 2, 3, 7, 10_000])
      expect(rewriteRequest(spell(GATEWAY), encoding, size)).toBe(spell(STORED));
  });

  it('with the other scheme, and with lower-case escapes', () => {
    expect(rewriteRequest('"http://gw.example.com/shop/"', 'json')).toBe(`"${STORED}/"`);
    const escaped = encodeURIComponent(GATEWAY).toLowerCase();
    expect(rewriteRequest(`u=${escaped}`, 'form', 2)).toBe(`u=${encodeURIComponent(STORED)}`);
  });

  it.each<[string, Encoding, string]>([
    ['a longer host', 'json', '"https://gw.example.com.evil.test/shop/"'],
    ['another mount', 'json', '"https://gw.example.com/shopping"'],
    ['a host in a user name', 'form', `u=${encodeURIComponent('https://gw.example.com@evil.test/shop')}`],
    [
      'a URL that is encoded four times',
      'form',
      `u=${encodeURIComponent('https%25253A%25252F%25252Fgw.example.com')}`,
    ],
    ['an incomplete escape at the end', 'form', 'u=https%3A%2F%2Fgw.example.com%2Fshopx%2'],
  ])('but not %s', (_, encoding, given) => {
    for (const size of [1, 2, 5, 1000]) expect(rewriteRequest(given, encoding, size)).toBe(given);
  });

  it.each([
    ['multipart bodies without a boundary', ['Content-Type', 'multipart/form-data']],
    ['compressed forms', ['Content-Type', 'multipart/form-data; boundary=x', 'Content-Encoding', 'gzip']],
    [
      'uploads by the REST API',
      ['Content-Type', 'text/plain', 'Content-Disposition', 'attachment; filename=a.txt'],
    ],
    ['files', ['Content-Type', 'image/svg']],
    ['UTF-16', ['Content-Type', 'application/json; charset=utf-16']],
  ])('%s are forwarded unchanged', (_, headers) => {
    expect(requests.createBodyRewriter(headers)).toBeUndefined();
  });

  it('in Origin, if it is that of the gateway', () => {
    const { origin } = new URL(GATEWAY);
    const headers = ['Origin', origin, 'origin', 'https://other.example.com', 'Origin', 'null'];
    requests.rewriteHeaders(headers, false);
    const { origin: own } = new URL(STORED);
    expect(headers).toEqual(['Origin', own, 'origin', 'https://other.example.com', 'Origin', 'null']);
  });
});

describe('content that is read and saved through the gateway', () => {
  /** Text with URLs of the site as the site writes them, and no URL of the gateway. */
  const content = fc
    .array(
      fc.oneof(
        fc.constantFrom(STORED, `${STORED}/p?a=1&b`, `//www.example.com/blog/x`, 'http://other.example/'),
        fc.constantFrom('"', ' ', '\n', '<', 'é', '%2F', '+', '&', '=', '\\', '%', '/', ':'),
        fc.string({ maxLength: 8 }),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(' '));

  it('is the same at the site, in JSON and in forms, at any chunk boundaries', () => {
    fc.assert(
      fc.property(content, fc.integer({ min: 1, max: 40 }), fc.boolean(), (text, size, escapes) => {
        const json = JSON.stringify({ text });
        const stored = escapes ? json.replaceAll('/', '\\/') : json;
        const read = rewriteResponse(stored);
        expect(rewriteRequest(read, 'json', size)).toBe(stored);
        const shown = (JSON.parse(read) as { text: string }).text;
        const saved = rewriteRequest(
          new URLSearchParams({ a: '1', text: shown, z: '' }).toString(),
          'form',
          size,
        );
        expect(Object.fromEntries(new URLSearchParams(saved))).toEqual({ a: '1', text, z: '' });
      }),
      { numRuns: 100 },
    );
  });

  it('takes linear time: 4 MB of a form full of URLs are rewritten', () => {
    const rewriter = requests.createBodyRewriter(HEADERS.form);
    const chunk = Buffer.from(`u=${encodeURIComponent(`${GATEWAY}/p`)}&`.repeat(2000));
    let [received, sent] = [0, 0];
    for (let total = 0; total < 4e6; total += chunk.length) {
      received += chunk.length;
      sent += rewriter?.write(chunk).length ?? 0;
    }
    sent += rewriter?.end().length ?? 0;
    const change = encodeURIComponent(STORED).length - encodeURIComponent(GATEWAY).length;
    expect(sent - received).toBe(change * (received / (chunk.length / 2000)));
  });
});
