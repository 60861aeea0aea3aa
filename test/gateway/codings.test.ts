import { get, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { nodeDecode, nodeEncoders } from '../../src/node/index.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { ADAPTERS, startNodeGateway } from '../support/gateway.ts';
import { startServer } from '../support/server.ts';
import { readSmallIndex, startStubSite } from '../support/stub-site.ts';

const TEXT = JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id, title: `Post ${id}` })));

describe.each(Object.entries(ADAPTERS))('a stored body is sent compressed, behind %s', (_, start) => {
  async function startGateway(headers: Readonly<Record<string, string>> = {}) {
    let requests = 0;
    const site = await startServer((_, response) => {
      requests += 1;
      response.writeHead(200, {
        'Cache-Control': 'max-age=60',
        'Content-Type': 'application/json',
        ETag: '"1"',
        ...headers,
      });
      response.end(TEXT);
    });
    const gateway = await start({
      sites: [{ url: site.origin, discovery: 'off', passthrough: true }],
      cache: 'memory',
      encoders: nodeEncoders(),
    });
    closeAfterTest(site.close, gateway.stop);
    const requestList = (headers: Readonly<Record<string, string>>) => gateway.request('/list', { headers });
    /** Repeats the request until the response has the coding. */
    const requestUntilCoded = async (coding: string): Promise<Response> => {
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const response = await requestList({ 'accept-encoding': coding });
        if (response.headers.get('content-encoding') === coding) return response;
        expect(await response.text()).toBe(TEXT);
        await sleep(10);
      }
      throw new Error(`no response has the coding ${coding}`);
    };
    return { requestList, requestUntilCoded, requests: () => requests };
  }

  test('in a coding that the client accepts, with a weak tag and its length', async () => {
    const { requestUntilCoded, requests } = await startGateway();
    for (const coding of ['br', 'gzip']) {
      const response = await requestUntilCoded(coding);
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(response.headers.get('etag')).toBe('W/"1"');
      expect(response.headers.get('cache-status')).toMatch(/^waygate; hit/);
      // `fetch` decodes the body; the in-process transport does not.
      const bytes = new Uint8Array(await response.arrayBuffer());
      const isDecoded = bytes.byteLength === TEXT.length;
      expect(isDecoded ? new TextDecoder().decode(bytes) : bytes.byteLength).toEqual(
        isDecoded ? TEXT : Number(response.headers.get('content-length')),
      );
    }
    expect(requests()).toBe(1);
  });

  test('but not if the client accepts no coding, requests a range, or sends no-transform', async () => {
    const { requestList, requestUntilCoded } = await startGateway();
    await (await requestUntilCoded('gzip')).arrayBuffer();
    const plain = await requestList({ 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect([plain.headers.get('etag'), plain.headers.get('vary')]).toEqual(['"1"', 'Accept-Encoding']);
    expect(await plain.text()).toBe(TEXT);
    const part = await requestList({ 'accept-encoding': 'gzip', range: 'bytes=1-4' });
    expect([part.status, await part.text()]).toEqual([206, TEXT.slice(1, 5)]);
    const uncoded = await requestList({ 'accept-encoding': 'gzip', 'cache-control': 'no-transform' });
    expect(uncoded.headers.get('content-encoding')).toBeNull();
    expect(await uncoded.text()).toBe(TEXT);
  });

  test('the tag of either form validates it', async () => {
    const { requestList, requestUntilCoded } = await startGateway();
    await (await requestUntilCoded('gzip')).arrayBuffer();
    for (const tag of ['"1"', 'W/"1"']) {
      const response = await requestList({
        'accept-encoding': 'gzip',
        'if-none-match': tag,
        // `fetch` would add `no-cache`.
        'cache-control': 'max-age=60',
      });
      expect([response.status, response.headers.get('etag')]).toEqual([304, 'W/"1"']);
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
    }
  });

  test('but not if the site sends no-transform', async () => {
    const { requestList } = await startGateway({ 'Cache-Control': 'max-age=60, no-transform' });
    for (let time = 0; time < 5; time += 1) {
      const response = await requestList({ 'accept-encoding': 'br, gzip' });
      expect(response.headers.get('content-encoding')).toBeNull();
      expect(response.headers.get('vary')).toBeNull();
      expect(await response.text()).toBe(TEXT);
      await sleep(20);
    }
  });
});

/** What the site does with codings, by public reports; none of the responses has `Vary`. */
describe('a coded response without Vary is for clients of any coding', () => {
  type Encode = (text: string) => Uint8Array;
  const ENCODE: Readonly<Record<string, Encode>> = {
    gzip: gzipSync,
    br: brotliCompressSync,
    deflate: deflateSync,
  };
  const CLIENTS = [
    { 'accept-encoding': 'gzip, deflate, br' },
    { 'accept-encoding': 'identity' },
    { 'accept-encoding': 'br;q=0, gzip' },
    { 'accept-encoding': '*;q=0' },
    { 'accept-encoding': 'br' },
    {},
  ];

  async function startCoding(
    choose: (accepted: string) => string | undefined,
    { discovery = false, path = '/wp-content/a.css', type = 'text/css', fields = {}, text = TEXT } = {},
  ) {
    let requests = 0;
    const site = await startStubSite({
      index: readSmallIndex(),
      intercept({ headers, url }, response) {
        if (url !== path) return false;
        requests += 1;
        const coding = choose(String(headers['accept-encoding'] ?? ''));
        response.writeHead(200, {
          ...{ 'Cache-Control': 'max-age=60', 'Content-Type': type, ETag: '"1"', ...fields },
          ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
        });
        response.end(coding === undefined ? text : (ENCODE[coding]?.(text) ?? text));
        return true;
      },
    });
    const gateway = await startNodeGateway({
      sites: [{ url: site.url, passthrough: true, ...(discovery ? {} : { discovery: 'off' }) }],
      cache: 'memory',
      decode: nodeDecode,
      encoders: nodeEncoders(),
    });
    closeAfterTest(site.close, gateway.stop);
    const read = (headers: Readonly<Record<string, string>>) => requestRaw(gateway.origin + path, headers);
    return { read, requests: () => requests };
  }

  /** Requests without `fetch`, which adds `Accept-Encoding` and decodes. */
  const requestRaw = (url: string, headers: Readonly<Record<string, string>>) =>
    new Promise<{ coding: string; fields: IncomingHttpHeaders; text: string }>((resolve, reject) => {
      get(url, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const coding = response.headers['content-encoding'] ?? 'identity';
          const body = Buffer.concat(chunks);
          const decode = { br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync }[coding];
          resolve({ coding, fields: response.headers, text: String(decode?.(body) ?? body) });
        });
      }).on('error', reject);
    });

  const accepts = (accepted: string, coding: string): boolean =>
    accepted.split(',').some((each) => each.trim() === coding);
  const firstOf =
    (...codings: readonly string[]) =>
    (accepted: string) =>
      codings.find((coding) => accepts(accepted, coding));

  test.each<[string, string, (accepted: string) => string | undefined, Parameters<typeof startCoding>[1]?]>([
    ['nginx: gzip on, gzip_vary off (its default)', 'G5', firstOf('gzip')],
    ['nginx: gzip and brotli, gzip_vary off', 'aleksandr-alhoff/seo-landing#28', firstOf('br', 'gzip')],
    ['PHP: zlib.output_compression without Vary', 'joomla/joomla-cms#19525', firstOf('gzip', 'deflate')],
    ['CherryPy, Play, Caddy before 0.8: gzip without Vary', 'cherrypy/cherrypy#378', firstOf('gzip')],
    [
      'a proxy that takes gzip;q=0 for gzip',
      'chriguschneider/hass-meteoswiss-radar#137',
      (accepted) => (accepted.includes('gzip') ? 'gzip' : undefined),
    ],
    ['a page cache that codes for all alike', 'npm/registry-issue-archive#80', () => 'gzip'],
    ['the same with Brotli', 'G6', () => 'br'],
    ['the same with deflate', 'mikegore1000/SqueezeMe#1', () => 'deflate'],
    ['nginx in front of WordPress', 'G5', firstOf('gzip'), { discovery: true }],
    [
      'a page cache of WordPress that codes for all alike',
      'Automattic/wp-super-cache#737',
      () => 'gzip',
      { discovery: true, path: '/hello/', type: 'text/html' },
    ],
  ])('%s (%s)', async (_, __, choose, options) => {
    for (const first of CLIENTS) {
      const { read, requests } = await startCoding(choose, options);
      const missed = await read(first);
      expect(missed.text).toBe(TEXT);
      if (missed.coding !== 'identity') expect(missed.fields.vary).toMatch(/Accept-Encoding/);
      for (const client of CLIENTS) {
        const { coding, fields, text } = await read(client);
        expect([text, fields['cache-status']]).toEqual([TEXT, expect.stringMatching(/^waygate; hit/)]);
        const accepted = client['accept-encoding'] ?? '';
        if (coding !== 'identity') expect(accepts(accepted, coding)).toBe(true);
        if (fields.etag !== undefined && missed.coding !== 'identity') expect(fields.etag).toBe('W/"1"');
      }
      expect(requests()).toBe(1);
    }
  });

  test.each<[string, Parameters<typeof startCoding>[1] & { readonly coding?: string }]>([
    ['its coding is unknown', { coding: 'x-one' }],
    ['it has two codings', { coding: 'gzip, br' }],
    ['it decodes to more than may be stored (a bomb of 60 kB)', { text: ' '.repeat(60_000_000) }],
    ['it must not be transformed', { fields: { 'Cache-Control': 'max-age=60, no-transform' } }],
    ['it has a digest of the coded bytes', { fields: { 'Repr-Digest': 'sha-256=:AAAA:' } }],
    ['it is an archive whose coding is its format', { type: 'application/x-gzip' }],
    ['its bytes are not in its coding', { coding: 'zstd' }],
  ])('it is not stored if %s', async (_, { coding = 'gzip', ...options }) => {
    const { read, requests } = await startCoding(() => coding, options);
    for (const times of [1, 2]) {
      const { fields } = await read({ 'accept-encoding': 'gzip' });
      expect(fields['cache-status']).toMatch(/detail="?(?:hit-for-pass, )?(?:content coding|storable)/);
      expect(requests()).toBe(times);
    }
  });

  test.each(Object.keys(ENCODE))(
    'and its body is read first: a nonce in %s is not given to others',
    async (coding) => {
      const text = JSON.stringify({ ajax_nonce: '0a1b2c3d4e' });
      const path = '/wp-json/wp/v2/types';
      const { read, requests } = await startCoding(() => coding, {
        discovery: true,
        path,
        type: 'application/json',
        text,
      });
      const page = '<form><input type="hidden" name="csrf_token" value="a1b2"></form>';
      const onPage = await startCoding(() => coding, {
        discovery: true,
        path: '/a/',
        type: 'text/html',
        text: page,
      });
      for (const times of [1, 2]) {
        const { fields } = await read({});
        expect(fields['cache-status']).toContain('nonce in body');
        expect((await onPage.read({})).fields['cache-status']).not.toContain('hit;');
        expect([requests(), onPage.requests()]).toEqual([times, times]);
      }
    },
  );

  test('a 304 does not give the stored text the coding or the strong tag of another response', async () => {
    const isConfirmed = { value: false };
    const site = await startServer((request, response) => {
      isConfirmed.value = request.headers['if-none-match'] !== undefined;
      const fields = { 'Cache-Control': 'max-age=60', 'Content-Encoding': 'gzip', ETag: '"1"' };
      response.writeHead(isConfirmed.value ? 304 : 200, { ...fields, 'Content-Type': 'text/css' });
      response.end(isConfirmed.value ? undefined : gzipSync(TEXT));
    });
    const gateway = await startNodeGateway({
      sites: [{ url: site.origin, discovery: 'off', passthrough: true }],
      cache: 'memory',
    });
    closeAfterTest(site.close, gateway.stop);
    await requestRaw(`${gateway.origin}/a`, {});
    await requestRaw(`${gateway.origin}/a`, { 'cache-control': 'max-age=0' });
    expect(isConfirmed.value).toBe(true);
    // Who has the beginning of the coded body must not get the rest of the decoded one (RFC 9110 §13.1.5).
    for (const headers of [{}, { 'if-range': '"1"', range: 'bytes=5-9' }]) {
      const read = await requestRaw(`${gateway.origin}/a`, { 'accept-encoding': 'gzip', ...headers });
      expect([read.coding, read.text, read.fields.etag]).toEqual(['identity', TEXT, 'W/"1"']);
    }
  });
});
