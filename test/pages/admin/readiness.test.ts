import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { DiscoveryError } from '../../../src/base/errors.ts';
import { systemClock } from '../../../src/base/ports.ts';
import type { Gateway } from '../../../src/gateway/index.ts';
import REASONS from '../../../src/generator/discovery/failure-reasons.json' with { type: 'json' };
import { summarizeFailure } from '../../../src/generator/discovery/failures.ts';
import { openGateway } from '../../../src/open-gateway.ts';
import { findFreePort, startServer, unreachableOrigin } from '../../support/server.ts';
import { readSmallIndex, startStubSite } from '../../support/stub-site.ts';
import { waitUntil } from '../../support/wait.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Readiness {
  readonly message: string;
  readonly readyMessage: string;
  readonly site: { readonly discovery: { readonly fault: string; readonly reason: string } };
  readonly log: string;
}

/** Discovers a site once, and reads what the gateway says about it. */
async function readReadiness(url: string): Promise<Readiness> {
  const lines: string[] = [];
  const gateway: Gateway = openGateway({
    sites: [{ url }],
    admin: { token: 'admin' },
    log: { info: () => {}, error: () => {}, warn: (_, text) => lines.push(text) },
  });
  closing.push(() => gateway.stop());
  await gateway.rediscover();
  const response = await gateway.app.request('/wp/v2/posts');
  expect(response.status).toBe(503);
  const { message } = (await response.json()) as { message: string };
  const ready = await gateway.app.request('/-/ready');
  expect(ready.status).toBe(503);
  const { message: readyMessage } = (await ready.json()) as { message: string };
  const sites = await gateway.app.request('/-/sites', { headers: { authorization: 'Bearer admin' } });
  const { sites: listed } = (await sites.json()) as { sites: [Readiness['site']] };
  return { message, readyMessage, site: listed[0], log: lines.join('\n') };
}

const UNKNOWN_HOST = 'http://no-such-host.invalid/';

async function startSiteWith(status: number, headers: Record<string, string>): Promise<string> {
  const site = await startStubSite({
    intercept: (_, response) => {
      response.writeHead(status, headers).end('secret text of the site');
      return true;
    },
  });
  closing.push(site.close);
  return site.url;
}

const startLockedSite = () => startSiteWith(401, { 'WWW-Authenticate': 'Basic' });
const startBrokenSite = () => startSiteWith(500, {});

/** A server that closes each connection at once. */
async function startClosingServer(): Promise<string> {
  const { close, origin } = await startServer(createServer((socket) => socket.destroy()));
  closing.push(close);
  return `${origin}/`;
}

describe('while a site cannot be read, clients, probes, operators and the log get the reason', () => {
  test.each([
    ['refused', unreachableOrigin, 'The site refused the connection.', /Check the port/],
    ['unauthorized', startLockedSite, 'The index of the site needs credentials (401).', /`upstream\.auth`/],
    ['server-error', startBrokenSite, 'The site fails with a server error.', /error log/],
    ['connection-lost', startClosingServer, 'The site closed the connection.', /firewall/],
    ['dns', async () => UNKNOWN_HOST, 'The host name of the site could not be resolved.', /typing/],
  ])('%s', async (reason, start, summary, advice) => {
    const url = await start();
    const { log, message, readyMessage, site } = await readReadiness(url);
    expect(message).toContain(summary);
    expect(readyMessage).toContain(`default: ${summary}`);
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

test('a site that cannot be reached any more is ready, with details that say so until it can', async () => {
  const site = await startStubSite({});
  const gateway = openGateway({ sites: [{ url: site.url, passthrough: true }], cache: 'memory' });
  closing.push(() => gateway.stop());
  await gateway.rediscover();
  const ready = async () => (await gateway.app.request('/-/ready')).json();
  const listStates = async (): Promise<readonly string[]> =>
    ((await ready()).details ?? []).map(({ state }: { state: string }) => state);
  expect(await ready()).toEqual({ status: 'ready' });
  await site.close();
  await gateway.rediscover();
  const fail = async (): Promise<void> => expect((await gateway.app.request('/page')).status).toBe(502);
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
      { site: 'default', state: 'not-read', message: notRead },
      { site: 'default', state: 'unreachable', message: unreachable },
    ],
  });
  const back = await startServer((_, response) => void response.end('back'), {
    port: Number(new URL(site.url).port),
  });
  expect((await gateway.app.request('/page')).status).toBe(200);
  expect(await listStates()).not.toContain('unreachable');
  await back.close();
  for (let sent = 0; sent < 30; sent += 1) await (await gateway.app.request('/page')).text();
  expect(await listStates()).toContain('circuit-open');
  expect((await gateway.app.request('/-/ready')).status).toBe(200);
});

test.each([
  // The disk fills while the folder is there and takes what it took before (sonichi/sutando#2261).
  ['ENOSPC: no space left on device', 'later'],
  // That the folder exists does not mean that it is well (getnora-io/nora#629).
  ['EROFS: read-only file system', 'from the start'],
])(
  'a folder of --state that takes nothing (%s, %s) is a detail and a metric until it does',
  async (fault, when) => {
    let name = 'Before';
    const site = await startStubSite({ index: () => ({ ...readSmallIndex(), name }) });
    closing.push(site.close);
    let isFull = when === 'from the start';
    let written = 0;
    const errors: unknown[] = [];
    const gateway = openGateway({
      sites: [{ url: site.url }],
      admin: { token: 'admin' },
      log: { info() {}, warn() {}, error: (fields) => errors.push(String(Reflect.get(fields, 'err'))) },
      state: {
        read: async () => null,
        async write() {
          if (isFull) throw new Error(fault);
          written += 1;
        },
      },
      // A write is repeated after half a minute.
      clock: { now: systemClock.now, after: (delay, task) => systemClock.after(Math.min(delay, 20), task) },
    });
    closing.push(() => gateway.stop());
    const read = async (path: string): Promise<string> =>
      (await gateway.app.request(path, { headers: { authorization: 'Bearer admin' } })).text();
    await gateway.rediscover();
    if (!isFull) {
      await waitUntil(() => written > 0);
      [isFull, name] = [true, 'After'];
      await gateway.rediscover();
    }
    await waitUntil(async () => (await read('/-/ready')).includes('"state":"state-unwritten"'));
    expect((await gateway.app.request('/-/ready')).status).toBe(200);
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
  },
);

test('a passthrough gateway is ready once its site has answered, whatever it answered', async () => {
  const port = await findFreePort();
  const gateway = openGateway({ sites: [{ url: `http://127.0.0.1:${port}/`, passthrough: true }] });
  closing.push(() => gateway.stop());
  await gateway.rediscover();
  expect((await gateway.app.request('/-/ready')).status).toBe(503);
  const site = await startServer((_, response) => void response.writeHead(403).end(), { port });
  closing.push(site.close);
  await gateway.rediscover();
  expect((await gateway.app.request('/-/ready')).status).toBe(200);
});

test('a site that answers without response types is asked again until it is read whole, and all say so', async () => {
  let isSlow = true;
  const site = await startStubSite({
    intercept: ({ query }, response) => {
      if (!isSlow || query.get('context') !== 'help') return false;
      response.writeHead(503).end('busy');
      return true;
    },
  });
  closing.push(site.close);
  const lines: string[] = [];
  const gateway = openGateway({
    sites: [{ url: site.url, passthrough: true, mcp: true }],
    admin: { token: 'admin' },
    log: { info: () => {}, error: () => {}, warn: (_, text) => lines.push(text) },
  });
  closing.push(() => gateway.stop());
  const admin = async (path: string): Promise<string> =>
    (await gateway.app.request(`/-/${path}`, { headers: { authorization: 'Bearer admin' } })).text();
  gateway.start();
  await waitUntil(async () => (await admin('sites')).includes('"reason":"incomplete"'));
  expect((await gateway.app.request('/openapi.json')).status).toBe(200);
  expect(await admin('ready')).toMatch(/"state":"not-read".*without response types/);
  expect(await admin('metrics')).toMatch(
    /waygate_site_discoveries_total\{[^}]*outcome="failed"[^}]*\} [1-9]/,
  );
  expect(lines.join('\n')).toMatch(/context=help.* returned 503/);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const search = { name: 'search_operations', arguments: { query: 'posts' } };
  const askAgent = async (): Promise<string> =>
    (
      await gateway.app.request('http://127.0.0.1/-/mcp', {
        ...{ method: 'POST', headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: search }),
      })
    ).text();
  expect(await askAgent()).toContain('without response types');
  isSlow = false;
  await waitUntil(async () => (await admin('sites')).includes('"reason":null'));
  expect(await admin('ready')).toBe('{"status":"ready"}\n');
  expect(await askAgent()).not.toContain('without response types');
});
