import type { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { AccessLogEntry } from '../../src/gateway/node/index.ts';
import { startGateway, type TestOptions } from '../support/gateway.ts';
import { GatewayClock } from '../support/gateway-clock.ts';
import { runStubSite } from '../support/run.ts';
import { unreachableOrigin } from '../support/server.ts';
import { expectSumsOfLog } from '../support/sums.ts';
import { giveTurns, waitUntil, waitUntilStable } from '../support/wait.ts';

/** Starts a gateway in front of a site that sends its index after `release`. */
async function start(changed: TestOptions = {}, fleet: readonly string[] = []) {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = 0;
  const { requests, url } = await runStubSite({
    respond: ({ route }) => (route === '/wp/v2/posts' ? { body: [] } : undefined),
    intercept({ headers, method }, response) {
      if (headers['user-agent']?.includes('waygate') !== true || method === 'OPTIONS') return undefined;
      asked += 1;
      const end = response.end.bind(response);
      response.end = (...sent: unknown[]) => {
        void released.then(() => Reflect.apply(end, response, sent));
        return response;
      };
      return undefined;
    },
  });
  const unread = { document: undefined, passthrough: false, isUnread: true, cache: {}, url };
  const sites = fleet.map((name) => ({ name, url }));
  const gateway = { ...changed.gateway, ...(sites.length === 0 ? {} : { sites }) };
  const running = await startGateway({ ...unread, ...changed, gateway });
  return { ...running, release, requests, countAsked: () => asked };
}

describe('a read that comes before the site was read', () => {
  test.each(['/openapi.json', '/wp/v2/posts', '/docs/'])('waits for it: %s', async (path) => {
    const { countAsked, release, request } = await start();
    const read = request(path);
    await waitUntil(() => countAsked() > 0);
    release();
    expect((await read).status).toBe(200);
  });

  test('is refused in the numbers of its site, as in the log', async () => {
    const running = await start({ discovery: 'auto', url: await unreachableOrigin() });
    const { gateway, request } = running;
    await gateway.rediscover().catch(() => null);
    expect((await request('/wp/v2/posts')).status).toBe(503);
    await expectSumsOfLog(running);
    const [site] = gateway.context.sites.values();
    expect(site?.recorder.traffic.readMinutes(5)).toMatchObject({ requests: 1, serverErrors: 1 });
  });

  test('waits at a server too, and a write does not', async () => {
    const entries: AccessLogEntry[] = [];
    const access = (entry: AccessLogEntry) => void entries.push(entry);
    const { release, request, stop } = await start({ server: { access } });
    const reads = [{}, { method: 'HEAD' }].map((init) => request('/wp/v2/posts', init));
    const write = await request('/wp/v2/posts', { method: 'POST', body: '{}' });
    expect([write.status, await write.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'gateway_not_ready' }),
    ]);
    release();
    const [read, head] = await Promise.all(reads);
    expect([read?.status, head?.status]).toEqual([200, 200]);
    expect(await read?.json()).toEqual([]);
    await stop();
    // As for a read that need not wait.
    expect(entries.find(({ status, method }) => status === 200 && method === 'GET')).toMatchObject({
      ...{ route: '/wp/v2/posts', operation: expect.any(String), cache: 'miss', bytes: 2 },
      requestId: read?.headers.get('x-request-id'),
    });
  });

  test.each(['with', 'without'])('waits over a reload, %s a middleware', async (middleware) => {
    const addTo = middleware === 'with' ? (app: Hono) => void app.use((_, next) => next()) : undefined;
    const { countAsked, gateway, release, replace, request } = await start(addTo && { addTo });
    const read = request('/wp/v2/posts');
    await waitUntil(() => countAsked() > 0 && gateway.context.sites.get('default')?.runtime.running != null);
    await replace();
    await giveTurns(20);
    release();
    expect((await read).status).toBe(200);
  });

  test('is not sent to the site if its client has left', async () => {
    const { countAsked, lines, release, request, requests } = await start();
    const leaving = new AbortController();
    const read = request('/wp/v2/posts', { signal: leaving.signal });
    await waitUntil(() => countAsked() > 0);
    leaving.abort();
    await expect(read).rejects.toThrow();
    await waitUntil(() => lines.some(({ msg }) => msg === 'request'));
    release();
    expect((await request('/wp/v2/posts?page=2')).status).toBe(200);
    expect(lines).toContainEqual(expect.objectContaining({ status: 499, end: 'client' }));
    const pages = requests
      .filter(({ route }) => route === '/wp/v2/posts')
      .map(({ query }) => query.get('page'));
    expect(pages).toEqual(['2']);
  });

  test('waits for ten seconds, all reads together', async () => {
    const clock = new GatewayClock();
    const { countAsked, gateway } = await start({ gateway: { clock } });
    const request = async (): Promise<number> => (await gateway.app.request('/openapi.json')).status;
    let isAnswered = false;
    const first = request().finally(() => {
      isAnswered = true;
    });
    await waitUntil(() => countAsked() > 0 && clock.waiting > 0);
    clock.pass(9_900);
    await giveTurns(20);
    expect(isAnswered).toBe(false);
    clock.pass(200);
    expect([await first, await request()]).toEqual([503, 503]);
  });
});

test('four sites of a fleet are read at once, slow ones let others begin, and equal documents are one', async () => {
  const clock = new GatewayClock();
  const { countAsked, gateway, release } = await start({ gateway: { clock } }, [...'abcdef']);
  gateway.start();
  await waitUntil(() => countAsked() > 0);
  const ofFour = await waitUntilStable(countAsked);
  clock.pass(3_000);
  await waitUntil(() => countAsked() > ofFour);
  expect((await waitUntilStable(countAsked)) / ofFour).toBe(6 / 4);
  release();
  const snapshots = Array.from(
    gateway.context.sites.values(),
    ({ runtime }) =>
      () =>
        runtime.snapshot,
  );
  await waitUntil(() => snapshots.every((read) => read() !== null));
  expect(new Set(snapshots.map((read) => read()?.documented?.document['paths'])).size).toBe(1);
});
