import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Answer, PLAIN, runAnswering, runGateway, runServer, sendRaw } from '../support/run.ts';

type Fields = Readonly<Record<string, string>>;
const TEXT = JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id, title: `Post ${id}` })));

// When and how a stored response is compressed is in `test/gateway/cache/compress.test.ts`; here is what a client gets.
describe('a stored body, behind a gateway', () => {
  async function startGateway() {
    const site = await runServer((_, response) => {
      const fields = { 'Cache-Control': 'max-age=60', ETag: '"1"', 'Content-Type': 'application/json' };
      response.writeHead(200, fields).end(TEXT);
    });
    const options = { cache: 'memory' } as const;
    const { request } = await runGateway({ url: site.origin, ...PLAIN }, options);
    return async (headers: Fields) => {
      const response = await request('/list', { headers });
      const [coding, vary, etag] = ['content-encoding', 'vary', 'etag'].map((name) =>
        response.headers.get(name),
      );
      return { response, coding, vary, etag };
    };
  }

  test('is sent in a coding that the client accepts, unless it wants no transformation', async () => {
    const read = await startGateway();
    for (const accepted of ['br', 'gzip']) {
      const coded = await expect
        .poll(async () => {
          const answer = await read({ 'accept-encoding': accepted });
          return answer.coding === accepted ? answer : void (await answer.response.text());
        })
        .toMatchObject({ vary: 'Accept-Encoding', etag: 'W/"1"' })
        .then(() => read({ 'accept-encoding': accepted }));
      // `fetch` decodes the body; the in-process transport does not.
      const bytes = new Uint8Array(await coded.response.arrayBuffer());
      if (bytes.length !== TEXT.length) {
        expect(bytes.length).toBe(Number(coded.response.headers.get('content-length')));
      } else expect(new TextDecoder().decode(bytes)).toBe(TEXT);
    }
    const plain = { coding: null, etag: '"1"' };
    for (const [headers, text] of [
      [{ 'accept-encoding': 'identity' }, TEXT],
      [{ 'accept-encoding': 'gzip', 'cache-control': 'no-transform' }, TEXT],
    ] as const) {
      const answer = await read(headers);
      expect([answer, await answer.response.text()]).toMatchObject([plain, text]);
    }
    // The tag of either form validates it. `fetch` would add `no-cache`.
    for (const tag of ['"1"', 'W/"1"']) {
      const conditions = { 'if-none-match': tag, 'cache-control': 'max-age=60' };
      expect(await read({ 'accept-encoding': 'gzip', ...conditions })).toMatchObject({
        ...{ response: { status: 304 }, etag: 'W/"1"', vary: 'Accept-Encoding' },
      });
    }
  });
});

/** What the site does with codings, by public reports; none of the responses has `Vary`. */
describe('a coded response without Vary is for clients of any coding', () => {
  const ENCODE: Readonly<Record<string, (text: string) => Uint8Array>> = {
    ...{ gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync },
  };
  const CLIENTS = [
    { 'accept-encoding': 'gzip, deflate, br' },
    { 'accept-encoding': 'identity' },
    { 'accept-encoding': 'br;q=0, gzip' },
    { 'accept-encoding': '*;q=0' },
    { 'accept-encoding': 'br' },
    {},
  ];

  interface Coded {
    readonly discovery?: true;
    readonly path?: string;
    readonly type?: string;
    readonly fields?: Fields;
    readonly text?: string;
  }

  async function startCoding(
    choose: (accepted: string) => string | undefined,
    { discovery, path = '/wp-content/a.css', type = 'text/css', fields = {}, text = TEXT }: Coded = {},
  ) {
    const { count, origin } = await runAnswering(
      ({ headers }): Answer => {
        const coding = choose(String(headers['accept-encoding'] ?? ''));
        const all = { 'cache-control': 'max-age=60', 'content-type': type, etag: '"1"', ...fields };
        return coding === undefined
          ? { headers: all, body: text }
          : { headers: { ...all, 'content-encoding': coding }, body: ENCODE[coding]?.(text) ?? text };
      },
      { ...(discovery ? {} : PLAIN), cache: {} },
    );
    return {
      read: (headers: Fields, folder = '') => requestRaw(origin, folder + path, headers),
      requests: count,
    };
  }

  /** Requests without `fetch`, which adds `Accept-Encoding` and decodes. */
  async function requestRaw(origin: string, path: string, sent: Fields) {
    const { bytes, headers } = await sendRaw(origin, path, { headers: sent });
    const coding = headers['content-encoding'] ?? 'identity';
    const decode = { br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync }[coding];
    return { coding, fields: headers, text: String(decode?.(bytes) ?? bytes) };
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
      { discovery: true, path: '/hello/', type: 'text/html' },
    ],
  ])('%s (%s)', async (_, __, choose, options) => {
    const { read, requests } = await startCoding(choose, options);
    for (const [at, first] of CLIENTS.entries()) {
      const folder = `/${at}`;
      const missed = await read(first, folder);
      expect(missed.text).toBe(TEXT);
      if (missed.coding !== 'identity') expect(missed.fields.vary).toMatch(/Accept-Encoding/);
      for (const client of CLIENTS) {
        const { coding, fields, text } = await read(client, folder);
        expect([text, fields['cache-status']]).toEqual([TEXT, expect.stringMatching(/^waygate; hit/)]);
        const accepted = client['accept-encoding'] ?? '';
        if (coding !== 'identity') expect(accepts(accepted, coding)).toBe(true);
        if (fields.etag !== undefined && missed.coding !== 'identity') expect(fields.etag).toBe('W/"1"');
      }
      expect(requests()).toBe(at + 1);
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
    const { read, requests } = await startCoding(() => coding, options);
    for (const times of [1, 2]) {
      const { fields } = await read({ 'accept-encoding': 'gzip' });
      expect(fields['cache-status']).toMatch(/detail="?(?:hit-for-pass, )?(?:content coding|storable)/);
      expect(requests()).toBe(times);
    }
  });

  test.each(Object.keys(ENCODE))(
    'and its body is read first: a nonce in %s is not for others',
    async (coding) => {
      for (const options of [
        { path: '/wp-json/wp/v2/types', type: 'application/json', text: '{"ajax_nonce":"0a1b2c3d4e"}' },
        {
          ...{ path: '/a/', type: 'text/html' },
          text: '<form><input type="hidden" name="csrf_token" value="a1b2"></form>',
        },
      ]) {
        const { read, requests } = await startCoding(() => coding, { discovery: true, ...options });
        for (const times of [1, 2]) {
          expect((await read({})).fields['cache-status']).toMatch(/nonce in body|hit-for-pass|form/);
          expect(requests()).toBe(times);
        }
      }
    },
  );

  test('a 304 does not give the stored text the coding or the strong tag of another response', async () => {
    let isConfirmed = false;
    const site = await runServer((request, response) => {
      isConfirmed = request.headers['if-none-match'] !== undefined;
      const fields = { 'Cache-Control': 'max-age=60', 'Content-Encoding': 'gzip', ETag: '"1"' };
      response.writeHead(isConfirmed ? 304 : 200, { ...fields, 'Content-Type': 'text/css' });
      response.end(isConfirmed ? undefined : gzipSync(TEXT));
    });
    const { origin } = await runGateway({ url: site.origin, ...PLAIN });
    await requestRaw(origin, '/a', {});
    await requestRaw(origin, '/a', { 'cache-control': 'max-age=0' });
    expect(isConfirmed).toBe(true);
    const read = await requestRaw(origin, '/a', { 'accept-encoding': 'gzip' });
    expect([read.coding, read.text, read.fields.etag]).toEqual(['identity', TEXT, 'W/"1"']);
  });
});
