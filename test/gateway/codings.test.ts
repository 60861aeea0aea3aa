import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { nodeEncoders } from '../../src/node/index.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { ADAPTERS } from '../support/gateway.ts';
import { startServer } from '../support/server.ts';

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
