import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Answer, startGateway } from '../support/gateway.ts';
import { PLAIN, sendRaw } from '../support/run.ts';

type Fields = Readonly<Record<string, string>>;
const TEXT = JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id, title: `Post ${id}` })));
const ENCODE: Readonly<Record<string, (text: string) => Uint8Array>> = {
  ...{ gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync },
};

/** Sends a request without `fetch`, which adds `Accept-Encoding` and decodes. */
async function requestRaw(origin: string, path: string, sent: Fields) {
  const { bytes, headers, status } = await sendRaw(origin, path, { headers: sent });
  const coding = headers['content-encoding'] ?? 'identity';
  const decode = { br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync }[coding];
  return { coding, headers, status, text: String(decode?.(bytes) ?? bytes) };
}

// When and how a stored response is compressed is in `test/gateway/cache/compress.test.ts`; here is what a client gets.
test('a stored body is sent in a coding that the client accepts, unless it wants no transformation', async () => {
  const fields = { 'cache-control': 'max-age=60', etag: '"1"', 'content-type': 'application/json' };
  const { origin } = await startGateway(PLAIN, () => ({ headers: fields, body: TEXT }));
  const read = (sent: Fields) => requestRaw(origin, '/list', sent);
  const coded = { etag: 'W/"1"', vary: 'Accept-Encoding' };
  for (const coding of ['br', 'gzip'])
    await expect
      .poll(() => read({ 'accept-encoding': coding }))
      .toMatchObject({ coding, text: TEXT, headers: coded });
  const plain = { coding: 'identity', text: TEXT, headers: { etag: '"1"' } };
  expect(await read({ 'accept-encoding': 'identity' })).toMatchObject(plain);
  const unchanged = { 'accept-encoding': 'gzip', 'cache-control': 'no-transform' };
  expect(await read(unchanged)).toMatchObject(plain);
  // The tag of either form validates it.
  for (const tag of ['"1"', 'W/"1"'])
    expect(await read({ 'accept-encoding': 'gzip', 'if-none-match': tag })).toMatchObject({
      ...{ status: 304, headers: coded },
    });
});

/** What the site does with codings, by public reports; none of the responses has `Vary`. */
describe('a coded response without Vary is for clients of any coding', () => {
  const CLIENTS = [
    { 'accept-encoding': 'gzip, deflate, br' },
    { 'accept-encoding': 'identity' },
    { 'accept-encoding': 'br;q=0, gzip' },
    { 'accept-encoding': '*;q=0' },
    { 'accept-encoding': 'br' },
    {},
  ];

  interface Coded {
    readonly isWordPress?: true;
    readonly path?: string;
    readonly type?: string;
    readonly fields?: Fields;
    readonly text?: string;
  }

  async function startCoding(
    choose: (accepted: string) => string | undefined,
    { isWordPress, path = '/wp-content/a.css', type = 'text/css', fields = {}, text = TEXT }: Coded = {},
  ) {
    const { origin, received } = await startGateway(
      { ...(isWordPress ? {} : PLAIN), cache: {} },
      ({ headers }): Answer => {
        const coding = choose(String(headers['accept-encoding'] ?? ''));
        const all = { 'cache-control': 'max-age=60', 'content-type': type, etag: '"1"', ...fields };
        return coding === undefined
          ? { headers: all, body: text }
          : { headers: { ...all, 'content-encoding': coding }, body: ENCODE[coding]?.(text) ?? text };
      },
    );
    return { read: (sent: Fields, folder = '') => requestRaw(origin, folder + path, sent), received };
  }

  const accepts = (accepted: string, coding: string): boolean =>
    accepted.split(',').some((each) => each.trim() === coding);
  const firstOf =
    (...codings: readonly string[]) =>
    (accepted: string) =>
      codings.find((coding) => accepts(accepted, coding));

  test.each<[string, string, (accepted: string) => string | undefined, Coded?]>([
    ['nginx: gzip on, gzip_vary off (its default)', 'nginx/nginx', firstOf('gzip')],
    ['nginx: gzip and brotli, gzip_vary off', 'aleksandr-alhoff/seo-landing#28', firstOf('br', 'gzip')],
    ['a page cache that codes for all alike', 'npm/registry-issue-archive#80', () => 'gzip'],
    [
      'a page cache of WordPress that codes for all alike',
      'Automattic/wp-super-cache#737',
      () => 'gzip',
      { isWordPress: true, path: '/hello/', type: 'text/html' },
    ],
  ])('%s (%s)', async (_, __, choose, options) => {
    const { read, received } = await startCoding(choose, options);
    for (const [at, first] of CLIENTS.entries()) {
      const folder = `/${at}`;
      const missed = await read(first, folder);
      expect(missed.text).toBe(TEXT);
      if (missed.coding !== 'identity') expect(missed.headers.vary).toMatch(/Accept-Encoding/);
      for (const client of CLIENTS) {
        const { coding, headers, text } = await read(client, folder);
        expect([text, headers['cache-status']]).toEqual([TEXT, expect.stringMatching(/^waygate; hit/)]);
        const accepted = client['accept-encoding'] ?? '';
        if (coding !== 'identity') expect(accepts(accepted, coding)).toBe(true);
        if (headers.etag !== undefined && missed.coding !== 'identity') expect(headers.etag).toBe('W/"1"');
      }
      expect(received).toHaveLength(at + 1);
    }
  });

  test.each<[string, Coded & { readonly coding?: string }]>([
    ['its coding is unknown', { coding: 'x-one' }],
    ['it has two codings', { coding: 'gzip, br' }],
    ['it decodes to more than may be stored (a bomb of 10 kB)', { text: ' '.repeat(10_000_000) }],
    ['its bytes are not in its coding', { coding: 'x-gzip' }],
    ['it must not be transformed', { fields: { 'Cache-Control': 'max-age=60, no-transform' } }],
    ['it has a digest of the coded bytes', { fields: { 'Repr-Digest': 'sha-256=:AAAA:' } }],
    ['it is an archive whose coding is its format', { type: 'application/x-gzip' }],
  ])('it is not stored if %s', async (_, { coding = 'gzip', ...options }) => {
    const { read, received } = await startCoding(() => coding, options);
    for (const times of [1, 2]) {
      const { headers } = await read({ 'accept-encoding': 'gzip' });
      expect(headers['cache-status']).toMatch(/detail="?(?:hit-for-pass, )?(?:content coding|storable)/);
      expect(received).toHaveLength(times);
    }
  });

  test.each(Object.keys(ENCODE))(
    'and its body is read first: a nonce in %s is not for others',
    async (coding) => {
      for (const options of [
        { path: '/wp-json/wp/v2/types', type: 'application/json', text: '{"ajax_nonce":"0a1b2c3d4e"}' },
        {
          ...{ path: '/a/', type: 'text/html' },
          text: '<form><input type="hidden" name="csrf_token" value="a1b2c3d4e5f6"></form>',
        },
      ]) {
        const { read, received } = await startCoding(() => coding, { isWordPress: true, ...options });
        for (const times of [1, 2]) {
          expect((await read({})).headers['cache-status']).toMatch(/nonce in body|hit-for-pass|form/);
          expect(received).toHaveLength(times);
        }
      }
    },
  );

  test('a 304 does not give the stored text the coding or the strong tag of another response', async () => {
    const fields = { 'cache-control': 'max-age=60', 'content-encoding': 'gzip', etag: '"1"' };
    const { origin, received } = await startGateway(PLAIN, ({ headers }) =>
      headers['if-none-match'] === undefined
        ? { headers: { ...fields, 'content-type': 'text/css' }, body: gzipSync(TEXT) }
        : { status: 304, headers: fields },
    );
    await requestRaw(origin, '/a', {});
    await requestRaw(origin, '/a', { 'cache-control': 'max-age=0' });
    expect(received[1]?.headers).toHaveProperty('if-none-match');
    const read = await requestRaw(origin, '/a', { 'accept-encoding': 'gzip' });
    expect([read.coding, read.text, read.headers.etag]).toEqual(['identity', TEXT, 'W/"1"']);
  });
});
