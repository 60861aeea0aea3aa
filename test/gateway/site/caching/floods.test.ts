import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/ports.ts';
import { HttpCache } from '../../../../src/gateway/cache/http-cache.ts';
import { MemoryStore } from '../../../../src/gateway/cache/stores/memory-store.ts';
import { SiteWrites } from '../../../../src/gateway/site/caching/site-purges.ts';
import { type Responder, startGateway } from '../../../support/gateway.ts';
import { PLAIN } from '../../../support/run.ts';
import { waitUntil } from '../../../support/wait.ts';

/** Whether a stranger can take the place of pages in use, in a store of 4 MiB in front of a plain origin. */

const KIB = 1024;
const MIB = 1024 * KIB;
const PAGES = Array.from({ length: 20 }, (_, at) => `/page/${at}/`);

async function start(respond: Responder) {
  const cache = new MemoryStore({ maxBytes: 4 * MIB, clock: systemClock });
  const { origin, read } = await startGateway({ ...PLAIN, gateway: { cache } }, (request, ...more) => {
    if (!request.url.startsWith('/page/')) return respond(request, ...more);
    const headers = { 'content-type': 'text/html', 'cache-control': 'max-age=600', vary: 'accept-language' };
    return { headers, body: `${request.url} ${'x'.repeat(100 * KIB)}` };
  });
  const countHits = async (paths: readonly string[]): Promise<number> => {
    const answers = await Promise.all(paths.map((path) => read(path)));
    return answers.filter(([, status]) => status.startsWith('hit')).length;
  };
  return { countHits, origin };
}

const addresses = (count: number, prefix: string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

const MISSING = { status: 404, headers: { 'cache-control': 'max-age=600' }, body: 'x'.repeat(120 * KIB) };

test.each([
  ['missing pages, each twice (s9y/Serendipity#637)', addresses(50, '/no/')],
  ['long addresses, each twice', addresses(40, `/no/${'a'.repeat(7_900)}`)],
])('pages in use outlive a flood of %s', async (_, flood) => {
  const { countHits } = await start(() => MISSING);
  for (let round = 0; round < 4; round += 1) await countHits(PAGES);
  for (let at = 0; at < flood.length; at += 10)
    for (const _time of [1, 2]) await countHits(flood.slice(at, at + 10));
  expect(await countHits(PAGES)).toBe(PAGES.length);
});

/** Reads the first bytes of a response, and leaves. */
async function breakOff(url: string): Promise<void> {
  const request = sendRequest(url, { agent: false }).end();
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (response !== undefined) await once(response, 'data');
  request.destroy();
}

test.each([
  ['whose length is stated', true],
  ['whose length is not stated', false],
])('a file of 8 MB %s is not read to its end for a client that has left', async (_, hasLength) => {
  const ends: boolean[] = [];
  let isFlood = false;
  const size = 7 * MIB;
  const { countHits, origin } = await start((_request, _count, response) => {
    const headers = { 'cache-control': 'max-age=600', ...(hasLength ? { 'content-length': `${size}` } : {}) };
    response.writeHead(200, headers).write(new Uint8Array(4 * MIB));
    // More than the store takes; the rest would fit into the buffers of four sockets, so it waits for the end of the gateway's connection.
    const rest = setTimeout(() => response.end(new Uint8Array(size - 4 * MIB)), isFlood ? 4_000 : 0);
    response.once('close', () => {
      clearTimeout(rest);
      ends.push(response.writableFinished);
    });
    return undefined;
  });
  for (let round = 0; round < 4; round += 1) await countHits(PAGES);
  const flood = addresses(4, '/wp-content/uploads/big.zip?ver=');
  isFlood = true;
  for (const path of flood) await breakOff(origin + path);
  await waitUntil(() => ends.length === flood.length);
  isFlood = false;
  expect(ends).not.toContain(true);
  expect(await countHits([...PAGES, ...flood])).toBe(PAGES.length);
  // darkweak/souin#337, cherokee/webserver#1124: nothing of it is stored.
  const { byteLength } = await (await fetch(`${origin}${flood[0]}`)).arrayBuffer();
  expect(byteLength).toBe(size);
});

test('remembered purges take a bounded memory, whatever their writes say', () => {
  const clock = systemClock;
  const cache = new HttpCache({ store: new MemoryStore({ clock }), clock });
  const writes = new SiteWrites(cache, {}, () => ({ kind: 'all' }));
  const long = 'a'.repeat(8_000);
  const tags = addresses(300, '/a-tag-of-twenty-letters/');
  const selection = { kind: 'tags', tags: [...tags, long] } as const;
  for (let at = 0; at < 1_100; at += 1)
    writes.rememberPurge(`POST /${long}`, selection, 'id', `user ${long}`);
  const remembered = writes.recent.list();
  expect(remembered).toHaveLength(1_000);
  expect(JSON.stringify(remembered).length).toBeLessThan(8 * MIB);
  expect(remembered[0]?.selection).toMatchObject({ tags: expect.arrayContaining(tags.slice(0, 100)) });
});
