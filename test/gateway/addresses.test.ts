import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGateway, type SiteOptions } from '../../src/gateway/index.ts';
import { nodeTransport } from '../../src/node/index.ts';
import { type RunningGateway, startNodeGateway, TRANSPORTS } from '../support/gateway.ts';
import { findFreePort, startServer, type TestServer, unreachableOrigin } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const TOKEN = 'the-token-of-the-tests';
const headers = { authorization: `Bearer ${TOKEN}` };

/** One server of a site. */
interface Backend {
  readonly origin: string;
  /** Method, path and host of each request but those of checks. */
  readonly requests: string[];
  close(): Promise<void>;
}

type Respond = (name: string, incoming: IncomingMessage, outgoing: ServerResponse) => void;

async function startBackend(name: string, respond: Respond, port?: number): Promise<Backend> {
  const requests: string[] = [];
  const server: TestServer = await startServer(
    (incoming, outgoing) => {
      incoming.resume();
      if (incoming.method !== 'HEAD')
        requests.push(`${incoming.method} ${incoming.url} ${incoming.headers.host}`);
      respond(name, incoming, outgoing);
    },
    port === undefined ? {} : { port },
  );
  onTestFinished(server.close);
  return { origin: server.origin, requests, close: server.close };
}

const respondWithName: Respond = (name, _incoming, outgoing) => void outgoing.end(name);

async function start(
  startGateway: (typeof TRANSPORTS)[string],
  addresses: readonly string[],
  options: Partial<SiteOptions> = {},
) {
  const running: RunningGateway = await startGateway({
    sites: [
      {
        url: 'http://site.example.com',
        discovery: 'off',
        passthrough: true,
        upstream: { addresses, check: { interval: 50 } },
        ...options,
      },
    ],
    transport: nodeTransport,
    admin: { token: TOKEN },
  });
  running.gateway.start();
  onTestFinished(running.stop);
  const get = async (path = '/', init?: RequestInit) => {
    const response = await running.request(path, init);
    return `${response.status} ${await response.text()}`;
  };
  const states = async (): Promise<readonly string[]> => {
    const site = await (await running.request('/-/sites/default', { headers })).json();
    return site.addresses.map(({ state }: { state: string }) => state);
  };
  return { get, running, states };
}

describe.each(Object.entries(TRANSPORTS))(
  'a site with several addresses, behind %s',
  (_name, startGateway) => {
    test('is served by all of them in turn, and each sees the host of the URL', async () => {
      const one = await startBackend('one', respondWithName);
      const other = await startBackend('other', respondWithName);
      const { get, running } = await start(startGateway, [one.origin, other.origin]);
      const served = [];
      for (let count = 0; count < 10; count += 1) served.push(await get());
      // The gateway's own probes take turns too.
      expect(served.filter((text) => text === '200 one').length).toBeGreaterThanOrEqual(3);
      expect(served.filter((text) => text === '200 other').length).toBeGreaterThanOrEqual(3);
      expect(new Set(served).size).toBe(2);
      expect(new Set([...one.requests, ...other.requests])).toEqual(new Set(['GET / site.example.com']));
      const metrics = await (await running.request('/-/metrics', { headers })).text();
      expect(metrics).toContain(`waygate_site_address_up{site="default",address="${one.origin}"} 1\n`);
      expect(metrics).toContain(
        `waygate_site_address_requests_active{site="default",address="${one.origin}"} 0\n`,
      );
    });

    test('is served while one is away, and uses that one again when it is back', async () => {
      const port = await findFreePort();
      const one = await startBackend('one', respondWithName);
      const { get, running, states } = await start(startGateway, [one.origin, `http://127.0.0.1:${port}`]);
      // No connection was opened, so a write is sent to the other one too.
      for (let count = 0; count < 5; count += 1) {
        expect(await get()).toBe('200 one');
        expect(await get('/write', { method: 'POST', body: 'x' })).toBe('200 one');
      }
      expect(await states()).toEqual(['up', 'down']);
      expect(await (await running.request('/-/ready')).json()).toEqual({
        status: 'ready',
        details: [
          { site: 'default', state: 'address-down', message: '1 of 2 addresses of the site is down.' },
        ],
      });
      await startBackend('other', respondWithName, port);
      await waitUntil(async () => (await states()).every((state) => state === 'up'));
      expect(new Set([await get(), await get()])).toEqual(new Set(['200 one', '200 other']));
      expect(await (await running.request('/-/ready')).json()).toEqual({ status: 'ready' });
    });

    test('gets a read again at another address where no byte was answered, a write and a partial response never', async () => {
      const breakOff: Respond = (_backend, incoming, outgoing) => {
        if (incoming.method === 'HEAD') outgoing.end();
        else if (incoming.url === '/partial') {
          outgoing.writeHead(200, { 'content-length': '100' });
          outgoing.write('a part', () => incoming.socket.destroy());
        } else incoming.socket.destroy();
      };
      const broken = await startBackend('broken', breakOff);
      const one = await startBackend('one', respondWithName);
      const { get } = await start(startGateway, [broken.origin, one.origin]);
      for (let count = 0; count < 2; count += 1) expect(await get('/read')).toBe('200 one');
      expect(broken.requests.length).toBeGreaterThan(0);
      const statuses = new Set<string>();
      let count = 0;
      // The broken address gets none while it is down.
      await waitUntil(async () => {
        statuses.add((await get(`/write${count++}`, { method: 'POST', body: 'x' })).slice(0, 3));
        return statuses.size === 2;
      });
      expect(statuses).toEqual(new Set(['200', '502']));
      // Each write reached one address, once.
      const writes = [...broken.requests, ...one.requests].filter((request) => request.startsWith('POST'));
      expect(new Set(writes).size).toBe(count);
      expect(writes).toHaveLength(count);
      const partial = await Promise.allSettled([get('/partial'), get('/partial')]);
      expect([...broken.requests, ...one.requests].filter((each) => each.includes('/partial'))).toHaveLength(
        2,
      );
      expect(partial.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1);
    });

    test('of which one answers checks with 500 is served by the other', async () => {
      let isFailing = true;
      const sick: Respond = (name, incoming, outgoing) => {
        if (incoming.method === 'HEAD' && isFailing) outgoing.statusCode = 503;
        outgoing.end(name);
      };
      const one = await startBackend('one', sick);
      const other = await startBackend('other', respondWithName);
      const { get, states } = await start(startGateway, [one.origin, other.origin]);
      await waitUntil(async () => (await states())[0] === 'down');
      isFailing = false;
      await waitUntil(async () => (await states())[0] === 'up');
      expect(new Set([await get(), await get()])).toEqual(new Set(['200 one', '200 other']));
    });

    test('is asked all the same while all are down', async () => {
      const port = await findFreePort();
      const other = await findFreePort();
      const { get, states } = await start(startGateway, [
        `http://127.0.0.1:${port}`,
        `http://127.0.0.1:${other}`,
      ]);
      expect(await get()).toContain('gateway_refused');
      expect(await states()).toEqual(['down', 'down']);
      await startBackend('back', respondWithName, port);
      // Without a check.
      expect(await get('/now')).toBe('200 back');
    });
  },
);

/** Errors of a connection that is open: the network behind it is gone, or the server does not acknowledge for long. */
test.each(['EHOSTUNREACH', 'ETIMEDOUT'])(
  'a write is not sent again where its connection ends with %s',
  async (code) => {
    let socket: Socket | undefined;
    const note = (message: unknown): void => {
      ({ socket } = message as { readonly socket: Socket });
    };
    subscribe('undici:client:connected', note);
    onTestFinished(() => void unsubscribe('undici:client:connected', note));
    const breakConnection: Respond = () =>
      void socket?.destroy(Object.assign(new Error(`read ${code}`), { code, syscall: 'read' }));
    const one = await startBackend('one', breakConnection);
    const other = await startBackend('other', breakConnection);
    const { get } = await start(startNodeGateway, [one.origin, other.origin], {
      upstream: { addresses: [one.origin, other.origin], check: { interval: 60_000 } },
    });
    expect(await get('/write', { method: 'POST', body: 'x' })).toMatch(/^502 .*gateway_broken/);
    expect([...one.requests, ...other.requests]).toHaveLength(1);
  },
);

test('discovery asks another address where one is away', async () => {
  const one = await startBackend('one', (_name, incoming, outgoing) => {
    outgoing.setHeader('Content-Type', 'application/json');
    const index = { name: 'A site', namespaces: [], routes: { '/': { methods: ['GET'], endpoints: [] } } };
    if (incoming.url?.startsWith('/wp-json') === true) outgoing.end(JSON.stringify(index));
    else outgoing.setHeader('Link', '<http://site.example.com/wp-json/>; rel="https://api.w.org/"').end();
  });
  const gateway = createGateway({
    sites: [
      {
        url: 'http://site.example.com',
        upstream: { addresses: [await unreachableOrigin(), one.origin] },
      },
    ],
    transport: nodeTransport,
  });
  onTestFinished(() => gateway.stop());
  await gateway.rediscover();
  expect(gateway.isReady()).toBe(true);
});

describe('an invalid list of addresses is an error with its place', () => {
  const create = (addresses: readonly string[]) =>
    createGateway({
      sites: [{ url: 'http://127.0.0.1:9', upstream: { addresses } }],
      transport: nodeTransport,
    });
  test.each([
    [
      ['http://127.0.0.1:9', 'http://user:secret@127.0.0.1:9'],
      /^sites\[0\]\.upstream\.addresses\[1\]: must be scheme, host and port/,
    ],
    [['http://127.0.0.1:9/path'], /upstream\.addresses\[0\]/],
    [['127.0.0.1:9'], /upstream\.addresses\[0\]/],
    [['http://127.0.0.1:9', 'http://127.0.0.1:9'], /different/],
    [[], /different/],
  ])('%j', (addresses, message) => {
    expect(() => create(addresses)).toThrow(message);
    expect(() => create(addresses)).not.toThrow(/secret/);
  });
});
