import { describe, expect, test } from 'vitest';
import { DiscoveryError } from '../../../src/base/errors.ts';
import { silentLog, systemClock } from '../../../src/base/ports.ts';
import REASONS from '../../../src/generator/discovery/failure-reasons.json' with { type: 'json' };
import { summarizeFailure } from '../../../src/generator/discovery/failures.ts';
import { BEARER, startGateway, type TestGateway, type TestOptions } from '../../support/gateway.ts';
import { runServer, runStubSite } from '../../support/run.ts';
import { findFreePort, unreachableOrigin } from '../../support/server.ts';
import { readSmallIndex } from '../../support/stub-site.ts';
import { waitUntil } from '../../support/wait.ts';

interface Readiness {
  readonly message: string;
  readonly readyMessage: string;
  readonly site: { readonly discovery: { readonly fault: string; readonly reason: string } };
  readonly log: string;
}

/** Starts a gateway that has read its site, or has tried to. */
const open = (site: TestOptions): Promise<TestGateway> => startGateway({ ...site, inMemory: true });

/** Discovers a site once, and reads what the gateway says about it. */
async function readReadiness(url: string): Promise<Readiness> {
  const site = { url, document: undefined, passthrough: false };
  const { administer, request, warnings } = await open(site);
  const readMessage = async (path: string): Promise<string> => {
    const response = await request(path);
    expect(response.status).toBe(503);
    return (await response.json()).message;
  };
  const [message, readyMessage] = [await readMessage('/wp/v2/posts'), await readMessage('/-/ready')];
  const { sites }: { sites: [Readiness['site']] } = await (await administer('/-/sites')).json();
  return { message, readyMessage, site: sites[0], log: warnings.join('\n') };
}

async function startLockedSite(): Promise<string> {
  const { origin } = await runServer((_, response) => {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic' }).end('secret text of the site');
  });
  return `${origin}/`;
}

describe('while a site cannot be read, clients, probes, operators and the log get the reason', () => {
  test.each([
    ['refused', unreachableOrigin, 'The site refused the connection.', /Check the port/],
    ['unauthorized', startLockedSite, 'The index of the site needs credentials (401).', /`upstream\.auth`/],
  ])('%s', async (reason, start, summary, advice) => {
    const url = await start();
    const { log, message, readyMessage, site } = await readReadiness(url);
    expect(message).toContain(summary);
    expect(readyMessage).toContain(summary);
    expect(site.discovery).toMatchObject({ reason, fault: expect.stringMatching(advice) });
    expect(log).toMatch(advice);
    for (const shown of [message, readyMessage]) {
      expect(shown).not.toContain(new URL(url).host);
      expect(shown).not.toContain('secret');
    }
  });
});

test('credentials in the URL of a site are in none of them', async () => {
  const url = new URL(await unreachableOrigin());
  url.username = 'user';
  url.password = 'secret-password';
  expect(JSON.stringify(await readReadiness(url.href))).not.toContain('secret-password');
});

test('each reason of a failed discovery has a sentence', () => {
  const failures = Object.keys(REASONS).map((reason) => new DiscoveryError('', { reason }));
  const sentences = failures.map(summarizeFailure);
  expect(sentences).not.toContain('The site could not be read.');
  expect(summarizeFailure(new Error('an internal path'))).toBe('The site could not be read.');
});

test('a fleet is ready while one of its sites is, and names none of them to strangers', async () => {
  const [{ url }, away] = [await runStubSite(), await unreachableOrigin()];
  const start = async (urls: Readonly<Record<string, string>>) => {
    const sites = Object.entries(urls).map(([name, each]) => ({ name, url: each }));
    const { request } = await open({ gateway: { sites } });
    return async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await request(path, { headers });
      const named = /customer-\w+/.exec(await response.text())?.[0] ?? null;
      return [response.status, named];
    };
  };
  const ask = await start({ 'customer-here': url, 'customer-gone': away });
  expect(await ask('/-/ready')).toEqual([200, null]);
  expect(await ask('/-/ready?site=customer-gone')).toEqual([200, null]);
  expect(await ask('/-/ready?site=customer-gone', { authorization: 'Basic YTpi' })).toEqual([200, null]);
  expect(await ask('/-/ready?site=customer-gone', { authorization: 'Bearer wrong' })).toEqual([401, null]);
  expect(await ask('/-/ready', BEARER)).toEqual([200, 'customer-gone']);
  expect(await ask('/-/ready?site=customer-gone', BEARER)).toEqual([503, 'customer-gone']);
  expect(await ask('/-/ready?site=customer-here', BEARER)).toEqual([200, null]);
  expect((await ask('/-/ready?site=none', BEARER))[0]).toBe(404);
  const askAway = await start({ 'customer-a': away, 'customer-b': away });
  expect(await askAway('/-/ready')).toEqual([503, null]);
  expect(await askAway('/-/ready', BEARER)).toEqual([503, 'customer-a']);
});

test('a site that cannot be reached any more is ready, with details that say so until it can', async () => {
  const site = await runStubSite();
  const { gateway, request } = await open({ url: site.url, document: undefined });
  const ready = async () => (await request('/-/ready')).json();
  const listStates = async (): Promise<readonly string[]> =>
    ((await ready()).details ?? []).map(({ state }: { state: string }) => state);
  expect(await ready()).toEqual({ status: 'ready' });
  await site.close();
  await gateway.rediscover();
  const fail = async (): Promise<void> => expect((await request('/page')).status).toBe(502);
  // The first may be sent on a connection that was open.
  await waitUntil(async () => {
    await fail();
    return (await listStates()).includes('unreachable');
  });
  const notRead = 'The last discovery failed: The site refused the connection.';
  const unreachable = expect.stringMatching(
    /^No connection to the site could be opened since \d{4}-[\d-]+T.*Z\.$/,
  );
  expect(await ready()).toEqual({
    status: 'ready',
    details: [
      { state: 'not-read', message: notRead },
      { state: 'unreachable', message: unreachable },
    ],
  });
  const port = Number(new URL(site.url).port);
  const back = await runServer((_, response) => void response.end('back'), { port });
  expect((await request('/page')).status).toBe(200);
  expect(await listStates()).not.toContain('unreachable');
  await back.close();
  for (let sent = 0; sent < 30; sent += 1) await (await request('/page')).text();
  expect(await listStates()).toContain('circuit-open');
  expect((await request('/-/ready')).status).toBe(200);
});

// The disk fills while the folder is there and takes what it took before (sonichi/sutando#2261).
test('a folder of --state that takes nothing is a detail and a metric until it does', async () => {
  const fault = 'ENOSPC: no space left on device';
  let name = 'Before';
  let isFull = false;
  let written = 0;
  const errors: unknown[] = [];
  const { administer, gateway } = await open({
    index: () => ({ ...readSmallIndex(), name }),
    passthrough: false,
    gateway: {
      log: { ...silentLog, error: (fields) => errors.push(String(Reflect.get(fields, 'err'))) },
      state: {
        read: async () => null,
        async write() {
          if (isFull) throw new Error(fault);
          written += 1;
        },
      },
      // A write is repeated after half a minute.
      clock: { now: systemClock.now, after: (delay, task) => systemClock.after(Math.min(delay, 20), task) },
    },
  });
  const read = async (path: string): Promise<string> => (await administer(path)).text();
  await waitUntil(() => written > 0);
  [isFull, name] = [true, 'After'];
  await gateway.rediscover();
  await waitUntil(async () => (await read('/-/ready')).includes('"state":"state-unwritten"'));
  expect((await administer('/-/ready')).status).toBe(200);
  expect(await read('/-/metrics')).toMatch(/^waygate_site_state_unwritten\{.*\} 1$/m);
  // The log says which fault it is (zuston/riffle#589), and clients get whole responses all the same (ironsmile/nedomi#36).
  expect(errors).toContain(`Error: ${fault}`);
  expect(await read('/openapi.json')).toContain(name);
  // The fault is not remembered once there is room (ipfs/kubo#5300).
  const before = written;
  isFull = false;
  await waitUntil(() => written > before);
  await waitUntil(async () => !(await read('/-/ready')).includes('state-unwritten'));
  expect(await read('/-/metrics')).toMatch(/^waygate_site_state_unwritten\{.*\} 0$/m);
});

test('a passthrough gateway is ready once its site has answered, whatever it answered', async () => {
  const port = await findFreePort();
  const { gateway, request } = await open({ url: `http://127.0.0.1:${port}/`, document: undefined });
  expect((await request('/-/ready')).status).toBe(503);
  await runServer((_, response) => void response.writeHead(403).end(), { port });
  await gateway.rediscover();
  expect((await request('/-/ready')).status).toBe(200);
});

test('a site that answers without response types is asked again until it is read whole, and all say so', async () => {
  let isSlow = true;
  const { url } = await runStubSite({
    intercept: ({ query }, response) => {
      if (!isSlow || query.get('context') !== 'help') return false;
      response.writeHead(503).end('busy');
      return true;
    },
  });
  const { administer, gateway, request, warnings } = await open({ url, document: undefined, mcp: true });
  const admin = async (path: string): Promise<string> => (await administer(`/-/${path}`)).text();
  gateway.start();
  await waitUntil(async () => (await admin('sites')).includes('"reason":"incomplete"'));
  expect((await request('/openapi.json')).status).toBe(200);
  expect(await admin('ready')).toMatch(/"state":"not-read".*without response types/);
  expect(await admin('metrics')).toMatch(
    /waygate_site_discoveries_total\{[^}]*outcome="failed"[^}]*\} [1-9]/,
  );
  expect(warnings.join('\n')).toMatch(/context=help.* returned 503/);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const search = { name: 'search_operations', arguments: { query: 'posts' } };
  const askAgent = async (): Promise<string> =>
    (
      await request('http://127.0.0.1/-/mcp', {
        ...{ method: 'POST', headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: search }),
      })
    ).text();
  expect(await askAgent()).toContain('without response types');
  isSlow = false;
  await waitUntil(async () => (await admin('ready')) === '{"status":"ready"}\n');
  expect(await admin('sites')).toContain('"reason":null');
  expect(await askAgent()).not.toContain('without response types');
});
