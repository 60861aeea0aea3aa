import { fork, spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Message, PrimaryExchanges, WorkerExchanges } from '../../src/cli/serve/workers/messages.ts';
import { readConfig } from '../../src/config/config.ts';
import { createGateway } from '../../src/gateway/index.ts';
import type { Json } from '../../src/json.ts';
import { signIn } from '../gateway/console/support/console-client.ts';
import { createCertificate, writeCertificate } from '../support/certificates.ts';
import { useFolder } from '../support/folder.ts';
import { createHttp2Client } from '../support/http2-client.ts';
import { startServer, type TestServer, unreachableOrigin } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';
import { MAIN, runToEnd, type ServeProcess, useReadyProcesses, useServeProcesses } from './serve-process.ts';

const TOKEN = 'workers-test-token';
const start = useServeProcesses({ WAYGATE_ADMIN_TOKEN: TOKEN });
const serve = useReadyProcesses({ WAYGATE_ADMIN_TOKEN: TOKEN });
const folder = useFolder();

/** A site with counters: `GET` returns the version of an item, and `POST` increments it. */
const site = {
  versions: new Map<string, number>(),
  routes: ['/t/v1/items/(?P<id>[\\d]+)'],
  /** Number of reads of items. */
  reads: 0,
  delay: 0,
  /** Responses wait for it. */
  held: Promise.resolve(),
  /** Requests that it works on, and the most at once. */
  active: 0,
  mostActive: 0,
  server: undefined as TestServer | undefined,
  get origin(): string {
    return this.server?.origin ?? '';
  },
};

beforeAll(async () => {
  site.server = await startServer(async (incoming, response) => {
    incoming.resume();
    const path = (incoming.url ?? '').split('?', 1)[0] ?? '';
    response.setHeader('content-type', 'application/json');
    response.setHeader('link', `<${site.origin}/wp-json/>; rel="https://api.w.org/"`);
    if (path === '/wp-json/' || path === '/wp-json') {
      response.end(JSON.stringify(createIndex()));
      return;
    }
    const version = (site.versions.get(path) ?? 0) + (incoming.method === 'POST' ? 1 : 0);
    site.versions.set(path, version);
    if (incoming.method === 'GET') site.reads += 1;
    // The version is read before the delay, so that a write during the delay makes the response outdated.
    site.active += 1;
    site.mostActive = Math.max(site.mostActive, site.active);
    await sleep(site.delay);
    await site.held;
    site.active -= 1;
    response.end(JSON.stringify({ version }));
  });
});
afterAll(() => site.server?.close());
beforeEach(() => {
  site.versions.clear();
  site.routes = ['/t/v1/items/(?P<id>[\\d]+)'];
  site.reads = 0;
  site.delay = 0;
  site.held = Promise.resolve();
  site.mostActive = 0;
});

/** Lets the site hold its responses. @returns the function that sends them */
function holdResponses(): () => void {
  let release = (): void => {};
  site.held = new Promise((resolve) => {
    release = resolve;
  });
  return () => release();
}

function createIndex(): object {
  const endpoints = ['GET', 'POST'].map((method) => ({
    methods: [method],
    args: { id: { type: 'integer', required: false } },
  }));
  const routes = site.routes.map((pattern) => [
    pattern,
    { namespace: 't/v1', methods: ['GET', 'POST'], endpoints },
  ]);
  return {
    name: 'counters',
    url: site.origin,
    home: site.origin,
    namespaces: ['t/v1'],
    authentication: [],
    routes: Object.fromEntries(routes),
  };
}

const serveReady = (...args: readonly string[]): Promise<ServeProcess> =>
  serve('--site', site.origin, '--workers', '2', ...args);

interface ItemResponse {
  readonly status: number;
  readonly version: number;
  /** Each worker begins its request ids with another text. */
  readonly worker: string;
  readonly cacheStatus: string;
}

/** A client with one connection, and so with one worker. */
class Connection {
  /** Whether the last request was not the first of its connection. */
  isReused = false;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async send(path: string, method = 'GET'): Promise<ItemResponse> {
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(this.#url + path, { method, agent: this.#agent }, resolve);
      sent.once('socket', () => {
        this.isReused = sent.reusedSocket;
      });
      sent.once('error', reject).end();
    });
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { version = -1 }: { version?: number } = JSON.parse(Buffer.concat(chunks).toString());
    const worker = String(incoming.headers['x-request-id']).split('-')[0] ?? '';
    const cacheStatus = String(incoming.headers['cache-status']);
    return { status: incoming.statusCode ?? 0, version, worker, cacheStatus };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Opens connections until each of the workers has at least one. */
async function connectToAll(
  url: string,
  workers = 2,
  path = '/t/v1/items/1',
): Promise<ReadonlyMap<string, Connection>> {
  const connections = new Map<string, Connection>();
  while (connections.size < workers) {
    const connection = new Connection(url);
    const { worker } = await connection.send(path);
    if (connections.has(worker)) connection.close();
    else connections.set(worker, connection);
  }
  return connections;
}

/** Writes a configuration, and starts a gateway with two workers from it. */
async function serveConfigured(config: object): Promise<ServeProcess> {
  const file = join(folder(), 'waygate.json');
  await writeFile(file, JSON.stringify({ port: 0, ...config }));
  const args = ['--config', file, '--workers', '2'];
  // `fetch` refuses the certificate.
  return 'tls' in config ? start(args) : serve(...args);
}

const fetchAdmin = (url: string, path: string): Promise<Response> =>
  fetch(`${url}/-/${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });

/** Reads what a gateway tells an operator. */
async function readAdmin(url: string, path: string): Promise<Json> {
  return (await fetchAdmin(url, path)).json();
}

const openConsole = ({ url }: ServeProcess): ReturnType<typeof signIn> =>
  signIn((path, init) => fetch(url + path, { redirect: 'manual', ...init }), TOKEN);

async function readMetric(url: string, pattern: RegExp): Promise<number> {
  const response = await fetchAdmin(url, 'metrics');
  const lines = (await response.text()).split('\n').filter((line) => pattern.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Waits until each worker has reported, which it does once a second. */
async function nextReports(): Promise<void> {
  await sleep(1_500);
}

/** Creates a condition: the log has a line. */
const hasLogged =
  ({ logLines }: ServeProcess, text: string): (() => boolean) =>
  () =>
    logLines.some(({ msg }) => msg === text);

/** Process ids of the workers of a gateway. */
async function listWorkers({ child: { pid } }: Pick<ServeProcess, 'child'>): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children
    .trim()
    .split(' ')
    .filter((text) => text !== '')
    .map(Number);
}

/** Expects a gateway to exit with 0 on a signal, after the active requests of all workers. */
async function expectEnd(
  gateway: ServeProcess,
  connections: readonly Connection[],
  signal: NodeJS.Signals,
): Promise<void> {
  site.delay = 300;
  const { reads } = site;
  const responses = connections.map((connection, at) => connection.send(`/t/v1/items/9${at}`));
  await waitUntil(() => site.reads === reads + 2);
  const workers = await listWorkers(gateway);
  // Clients that go on while the gateway stops, until it accepts no more connections.
  const failures: string[] = [];
  const busy = Array.from({ length: 6 }, async (_, at) => {
    const connection = new Connection(gateway.url);
    for (let index = 0; ; index += 1) {
      const method = index % 3 === 0 ? 'POST' : 'GET';
      const sent = connection.send(`/t/v1/items/${at}`, method).then(({ status }) => status, String);
      const result = await sent;
      // A new connection that no process has accepted is refused or reset.
      if (typeof result === 'string' && !connection.isReused) return;
      if (result !== 200) failures.push(`${method} ${result}`);
    }
  });
  // A terminal sends the signal to all processes.
  for (const pid of [...workers, gateway.child.pid ?? 0]) process.kill(pid, signal);
  for (const { status } of await Promise.all(responses)) expect(status).toBe(200);
  await Promise.all(busy);
  expect(failures).toEqual([]);
  expect(await gateway.exitCode).toBe(0);
  await waitUntil(() => workers.every(isGone));
}

describe('waygate serve --workers', () => {
  test('each worker stores what it has fetched, a purge reaches all, the figures add up, and SIGINT ends it', async () => {
    const gateway = await serveReady();
    const connections = [...(await connectToAll(gateway.url)).values()];
    const countRequests = (): Promise<number> =>
      readMetric(gateway.url, /^http_server_request_duration_seconds_count.*cache="(hit|miss)"/);
    await nextReports();
    const before = await countRequests();
    site.reads = 0;
    for (let index = 0; index < 20; index += 1) {
      for (const connection of connections) {
        expect(await connection.send('/t/v1/items/7')).toMatchObject({ status: 200, version: 0 });
      }
    }
    expect(site.reads).toBe(2);
    await waitUntil(async () => (await countRequests()) === before + 40);
    const verdicts = /^waygate_validation_verdicts_total.*outcome="accepted"/;
    expect(await readMetric(gateway.url, verdicts)).toBeGreaterThan(0);
    expect(await readMetric(gateway.url, /^waygate_cache_entries/)).toBe(4);
    const numbers = new Set<unknown>();
    await waitUntil(() => {
      for (const { worker } of gateway.logLines) numbers.add(worker);
      return numbers.has(1) && numbers.has(2);
    });

    const { get } = await openConsole(gateway);
    const readStore = async (query: string): Promise<string> =>
      (await get(`/-/console/sites/default/cache${query}`)).text();
    const explained = await readStore('?address=/t/v1/items/7');
    expect(explained).toContain('Hit: a request gets the stored response.');
    expect(explained).toContain('4 of all sites');
    const purged = await fetch(`${gateway.url}/-/purge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ route: '/t/v1/items/7' }),
    });
    expect(await purged.json()).toMatchObject({ purged: 2 });
    for (const connection of connections) await connection.send('/t/v1/items/7');
    expect(site.reads).toBe(4);
    await expectEnd(gateway, connections, 'SIGINT');
  });

  test('limits the requests of a client over all workers', async () => {
    const gateway = await serveConfigured({
      sites: [
        { name: 'limited', url: site.origin, limits: { client: '30/m' } },
        { name: 'open', url: site.origin },
      ],
    });
    const [first, second] = [...(await connectToAll(gateway.url, 2, '/open/t/v1/items/1')).values()];
    const limited = '/limited/t/v1/items/1';
    for (let index = 0; index < 30; index += 1) {
      expect((await (first as Connection).send(limited)).status).toBe(200);
    }
    expect((await (first as Connection).send(limited)).status).toBe(429);
    // The second worker learns the sum after its first request. It alone would admit 30.
    let admitted = 0;
    while ((await (second as Connection).send(limited)).status === 200) {
      admitted += 1;
      expect(admitted).toBeLessThan(25);
      await sleep(150);
    }

    const guesses: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      const headers = { authorization: `Bearer guess-${index}`, connection: 'close' };
      guesses.push((await fetch(`${gateway.url}/-/sites`, { headers })).status);
    }
    expect(guesses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });

  test('the places of a site are divided among the workers', async () => {
    const gateway = await serveConfigured({
      sites: [
        {
          ...{ url: site.origin, discovery: 'off', passthrough: true, cache: { enabled: false } },
          concurrency: { max: 3, queue: 2, wait: '60s' },
        },
      ],
    });
    const byWorker = new Map<string, Connection[]>();
    while ([...byWorker.values()].filter((connections) => connections.length >= 4).length < 2) {
      const connection = new Connection(gateway.url);
      const { worker } = await connection.send('/first');
      byWorker.set(worker, [...(byWorker.get(worker) ?? []), connection]);
    }
    const release = holdResponses();
    const sent = [...byWorker.values()].map((connections) =>
      connections.slice(0, 4).map((connection, at) => connection.send(`/held-${at}`)),
    );
    // Both have a queue of one. One of them has two places, and the other has one.
    const concurrency = async (): Promise<string> => JSON.stringify(await readAdmin(gateway.url, 'sites'));
    const expected = '"concurrency":{"active":3,"queued":2,"max":3,"refused":3}';
    await waitUntil(async () => (await concurrency()).includes(expected));
    release();
    const statuses = await Promise.all(sent.flat().map(async (response) => (await response).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 503)).toHaveLength(3);
    expect(site.mostActive).toBe(3);
  });

  test('serve TLS, HTTP/2, sites by host and WebSockets, with certificates that are replaced', async () => {
    const certificate = await writeCertificate('one.example.com');
    const other = await writeCertificate('two.example.com');
    onTestFinished(() => Promise.all([certificate.remove(), other.remove()]).then(() => undefined));
    const echo = createServer((_incoming, outgoing) => outgoing.end('{"version":7}'));
    echo.on('upgrade', (incoming, socket) => {
      const key = String(incoming.headers['sec-websocket-key']);
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      const fields = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}`;
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${fields}\r\n\r\n`);
      socket.on('error', () => {}).pipe(socket);
    });
    const echoing = await startServer(echo);
    onTestFinished(echoing.close);
    const plain = { discovery: 'off', passthrough: true };
    const gateway = await serveConfigured({
      tls: [
        { cert: certificate.cert, key: certificate.key, redirectFrom: 0 },
        { cert: other.cert, key: other.key },
      ],
      sites: [
        { url: site.origin, hosts: ['one.example.com'], ...plain },
        { url: echoing.origin, hosts: ['two.example.com'], webSockets: { connections: 40 }, ...plain },
      ],
    });
    const { port } = new URL(gateway.url);
    expect(gateway.url).toMatch(/^https:/);

    /** Sends requests on new connections until both workers have responded. */
    const fromAll = async <Result>(
      send: () => Promise<{ readonly worker: string; readonly result: Result }>,
    ): Promise<ReadonlyMap<string, Result>> => {
      const results = new Map<string, Result>();
      await waitUntil(async () => {
        const { result, worker } = await send();
        results.set(worker, result);
        return results.size === 2;
      });
      return results;
    };
    const open = (): Promise<TLSSocket> =>
      new Promise((resolve, reject) => {
        const options = { port: Number(port), servername: 'two.example.com', rejectUnauthorized: false };
        const socket = connectTls(options, () => resolve(socket)).once('error', reject);
      });
    const workerOf = (requestId: unknown): string => String(requestId).split('-')[0] ?? '';

    const overHttp2 = await fromAll(async () => {
      const { close, session } = createHttp2Client(gateway.url, { servername: 'two.example.com' });
      const stream = session.request({ ':path': '/page', ':authority': `two.example.com:${port}` });
      const [head] = await once(stream, 'response');
      const result = [head[':status'], await text(stream)];
      close();
      return { worker: workerOf(head['x-request-id']), result };
    });
    for (const result of overHttp2.values()) expect(result).toEqual([200, '{"version":7}']);

    /** Sends a request, and returns the name in the certificate and the status. */
    const overHttp1 = async (
      host: string,
    ): Promise<{ readonly worker: string; readonly result: unknown }> => {
      const tls = { port, servername: host, rejectUnauthorized: false };
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        requestTls({ ...tls, headers: { host }, agent: false }, resolve)
          .once('error', reject)
          .end();
      });
      const { subjectaltname } = (response.socket as TLSSocket).getPeerCertificate();
      const result = [subjectaltname, response.resume().statusCode];
      return { worker: workerOf(response.headers['x-request-id']), result };
    };
    for (const [host, result] of [
      ['one.example.com', ['DNS:one.example.com', 200]],
      ['two.example.com', ['DNS:two.example.com', 200]],
      ['three.example.com', ['DNS:one.example.com', 421]],
    ] as const) {
      for (const each of (await fromAll(() => overHttp1(host))).values()) expect(each).toEqual(result);
    }

    const { redirect } = gateway.logLines.find(({ msg }) => msg === 'listening') ?? {};
    const redirected = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${String(redirect)}/page?a=1`, { headers: { host: 'one.example.com' } }, resolve)
        .once('error', reject)
        .end();
    });
    expect([redirected.resume().statusCode, redirected.headers.location]).toEqual([
      308,
      `https://one.example.com:${port}/page?a=1`,
    ]);

    // Several connections are with both workers.
    const sockets = await Promise.all(Array.from({ length: 6 }, open));
    for (const socket of sockets) {
      const fields = `Host: two.example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13`;
      socket.write(
        `GET /socket HTTP/1.1\r\n${fields}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      );
      let received = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        received += chunk;
      });
      await waitUntil(() => received.includes('\r\n\r\n'));
      expect(received).toMatch(/^HTTP\/1.1 101 /);
      socket.write('echoed');
      await waitUntil(() => received.endsWith('echoed'));
    }
    for (const socket of sockets) socket.destroy();

    await certificate.write(createCertificate({ name: 'new.example.com' }));
    await waitUntil(() => {
      const reloaded = gateway.logLines.filter(({ msg }) => msg === 'the certificates were read again');
      return new Set(reloaded.map(({ worker }) => worker)).size === 2;
    });
    for (const each of (await fromAll(() => overHttp1('one.example.com'))).values()) {
      expect(each).toEqual(['DNS:new.example.com', 200]);
    }

    // Each worker reports the end of each certificate.
    const headers = { host: 'one.example.com', authorization: `Bearer ${TOKEN}` };
    const metrics = await new Promise<string>((resolve) => {
      requestTls({ port, path: '/-/metrics', headers, rejectUnauthorized: false }, (response) =>
        resolve(text(response)),
      ).end();
    });
    const end = Date.parse(new X509Certificate(await readFile(other.cert)).validTo) / 1000;
    const series = `waygate_certificate_end_timestamp_seconds{file="${other.cert}"}`;
    expect(metrics).toContain(`${series} ${end}\n`);
  });

  test('readiness, /-/sites and the console speak for all workers', async () => {
    const closed = await unreachableOrigin();
    const plain = { discovery: 'off', passthrough: true, cache: { enabled: true } };
    const gateway = await serveConfigured({
      sites: [
        { name: 'busy', url: site.origin, ...plain, concurrency: { max: 8 }, limits: { client: '5/h' } },
        { name: 'gone', url: closed, ...plain },
        { name: 'half', url: site.origin, ...plain, upstream: { addresses: [site.origin, closed] } },
        // Some connections more are opened than workers are, which must not open the circuit before.
        { name: 'other', url: site.origin, ...plain },
      ],
    });
    const connections = [...(await connectToAll(gateway.url, 2, '/other/1')).values()];
    const [first] = connections as [Connection];
    // A kept connection may be one with a worker that was killed.
    const ready = (): Promise<string> => readAdmin(gateway.url, 'ready').then(JSON.stringify, String);
    expect(await ready()).toBe('{"status":"ready"}');

    // One worker alone meets what follows.
    for (let index = 0; index < 40; index += 1) await first.send(`/gone/${index}`);
    const { worker } = await first.send('/half/0');
    // The second of these requests is sent to the address that is closed, and then to the other one.
    for (let index = 1; index < 6; index += 1) {
      expect(await first.send(`/half/${index}`)).toMatchObject({ status: 200, worker });
    }
    for (let index = 0; index < 7; index += 1) await first.send('/busy/1');
    const release = holdResponses();
    const { reads } = site;
    const pending = connections.map((connection, at) => connection.send(`/half/held-${at}`));
    await waitUntil(() => site.reads === reads + 2);

    // The workers report once a second.
    const readSites = async (): Promise<Json> => readAdmin(gateway.url, 'sites');
    await waitUntil(async () => JSON.stringify(await readSites()).includes('"active":2,"queued":0'));
    const { sites } = (await readSites()) as { readonly sites: readonly Json[] };
    expect(sites).toMatchObject([
      { site: 'busy', concurrency: { active: 0, max: 8 }, circuit: { state: 'closed' } },
      { site: 'gone', circuit: { state: 'open', reason: 'connections fail' } },
      {
        site: 'half',
        concurrency: { active: 2 },
        addresses: [
          { address: site.origin, state: 'up', active: 2 },
          { address: closed, state: 'down' },
        ],
      },
      { site: 'other' },
    ]);
    const { get } = await openConsole(gateway);
    const overview = await (await get('/-/console/')).text();
    expect(overview).toContain('The circuit breaker stops requests to the site: connections fail.');
    expect(overview).toContain(`1 of 2 addresses down: ${closed}.`);
    expect(overview).toContain('2 of 256');
    expect(await (await get('/-/console/sites/busy/traffic')).text()).toContain('<code>127.0.0.1</code>');
    release();
    await Promise.all(pending);
    // The probe is answered from the last reports.
    await waitUntil(async () => (await ready()).includes('1 of 2 addresses of the site is down.'));

    const [pid = 0] = await listWorkers(gateway);
    process.kill(pid, 'SIGKILL');
    await waitUntil(async () => (await ready()).includes('1 of 2 workers serves the sites.'));
    await waitUntil(async () => /^(?!.*workers).*"ready"/.test(await ready()));
  });

  test('has the metrics of workers that have ended, and replaces those that end again and again after a longer time', async () => {
    const gateway = await serveReady();
    const connections = await connectToAll(gateway.url);
    const release = holdResponses();
    const responses = [...connections.values()].map((connection, at) =>
      connection.send(`/t/v1/items/8${at}`),
    );
    await waitUntil(async () => (await readMetric(gateway.url, /^waygate_site_requests_active/)) === 2);
    release();
    await Promise.all(responses);
    const total = (): Promise<number> =>
      readMetric(gateway.url, /^http_server_request_duration_seconds_count.*cache="miss"/);
    await nextReports();
    const before = await total();
    const accepted = /^waygate_connections_accepted_total/;
    const acceptedBefore = await readMetric(gateway.url, accepted);
    expect(acceptedBefore).toBeGreaterThan(1);
    const [pid = 0] = await listWorkers(gateway);
    process.kill(pid, 'SIGKILL');
    await waitUntil(hasLogged(gateway, 'worker started'));
    expect(await total()).toBe(before);
    expect(await readMetric(gateway.url, accepted)).toBeGreaterThanOrEqual(acceptedBefore);

    const delays = (): readonly unknown[] =>
      gateway.logLines.flatMap(({ replacedIn }) => (replacedIn === undefined ? [] : [replacedIn]));
    for (let round = 2; round <= 3; round += 1) {
      // Without a worker that listens, connections are refused.
      await waitUntil(
        () => gateway.logLines.filter(({ msg }) => msg === 'worker started').length === round - 1,
      );
      const [next = 0] = await listWorkers(gateway);
      process.kill(next, 'SIGKILL');
      await waitUntil(() => delays().length === round);
      expect((await fetch(`${gateway.url}/t/v1/items/1`)).status).toBe(200);
    }
    expect(delays()).toEqual([0, 500, 1000]);
  });

  test('no connection waits for ever when all workers are killed at once', async () => {
    const gateway = await serveReady();
    const workers = await listWorkers(gateway);
    for (const pid of workers) process.kill(pid, 'SIGSTOP');
    const sockets = Array.from({ length: 4 }, () => connect(Number(new URL(gateway.url).port), '127.0.0.1'));
    const isClosed = Array.from(sockets, () => false);
    for (const [at, socket] of sockets.entries()) {
      socket
        .on('error', () => {})
        .on('close', () => {
          isClosed[at] = true;
        });
      socket.resume().write('GET /t/v1/items/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    }
    // Each worker is handed one of them, which it does not take, and two wait.
    await sleep(500);
    for (const pid of workers) process.kill(pid, 'SIGKILL');
    await waitUntil(() => isClosed.every(Boolean));
  });

  test.each([
    ['begins', 0, 8_000],
    ['waits for its turn', 8_000, 7_000],
  ])('a stop does not wait for the successor of a worker, which %s', async (_, delay, limit) => {
    const gateway = await serveReady();
    const killed = new Set<number>();
    await waitUntil(async () => {
      const successors = (await listWorkers(gateway)).filter((pid) => !killed.has(pid));
      const isOver =
        delay === 0
          ? killed.size > 0 && successors.length > 0
          : gateway.logLines.some(({ replacedIn }) => Number(replacedIn) >= delay);
      if (isOver) return true;
      for (const pid of successors) {
        killed.add(pid);
        process.kill(pid, 'SIGKILL');
      }
      return false;
    });
    gateway.child.kill('SIGTERM');
    // A worker that does not stop would be killed after 12 s.
    expect(await Promise.race([gateway.exitCode, sleep(limit, 'late', { ref: false })])).toBe(0);
  });

  test('adds up what the workers have observed about a rule, and each uses it', async () => {
    const gateway = await serveReady('--mode', 'strict');
    const connections = [...(await connectToAll(gateway.url)).values()];
    // The site accepts any `id`. Every fiftieth refusal is forwarded, and shows that.
    const send = (connection: Connection): Promise<ItemResponse> => connection.send('/t/v1/items/1?id[]=x');
    const [first, second] = connections as [Connection, Connection];
    expect((await send(second)).status).toBe(400);
    await waitUntil(async () => (await send(first)).status === 200);
    await waitUntil(async () => (await send(second)).status === 200);
    await waitUntil(async () => (await readMetric(gateway.url, /^waygate_validation_rules_suspended/)) === 1);
  });

  test('no response is outdated after a write; a worker that is killed in a purge is replaced, and no request of the others fails', async () => {
    const gateway = await serveReady();
    site.delay = 2;
    const written = new Map<string, number>();
    const stale: string[] = [];
    const failed: string[] = [];
    const served = new Map<string, number>();
    /** Workers with a connection that broke. */
    const broken = new Set<string>();
    let isOver = false;
    // Clients of a test that has failed would send to a closed port for ever.
    onTestFinished(() => {
      isOver = true;
    });
    const path = '/t/v1/items/1';
    const [victim = 0] = await listWorkers(gateway);
    const isReplaced = hasLogged(gateway, 'worker started');
    const use = async (method: 'GET' | 'POST'): Promise<void> => {
      let connection = new Connection(gateway.url);
      let worker = '';
      const reconnect = (): void => {
        connection.close();
        connection = new Connection(gateway.url);
        worker = '';
      };
      for (let index = 1; !isOver; index += 1) {
        if (index % 20 === 0) reconnect();
        const expected = written.get(path) ?? 0;
        const canBreak = !isReplaced();
        try {
          const response = await connection.send(path, method);
          worker = response.worker;
          served.set(worker, (served.get(worker) ?? 0) + 1);
          if (response.status !== 200) failed.push(`${response.status} of ${worker}`);
          if (response.version < expected) stale.push(`${response.version} after ${expected}`);
          if (method === 'POST') written.set(path, Math.max(response.version, written.get(path) ?? 0));
        } catch (error) {
          if (!canBreak) failed.push(`${String(error)} of ${worker}`);
          // A connection that has got no response yet may be one with the worker that was killed.
          if (worker !== '') broken.add(worker);
          reconnect();
        }
      }
      connection.close();
    };
    const clients = [...Array.from({ length: 6 }, () => use('GET')), use('POST'), use('POST'), use('POST')];
    await waitUntil(() => served.size === 2 && (written.get(path) ?? 0) > 80);
    expect(stale).toEqual([]);
    process.kill(victim, 'SIGKILL');
    await waitUntil(isReplaced);
    await waitUntil(() => served.size === 3);
    const version = written.get(path) ?? 0;
    await waitUntil(() => (written.get(path) ?? 0) > version + 20);
    isOver = true;
    await Promise.all(clients);
    expect(stale).toEqual([]);
    expect(failed).toEqual([]);
    // All of them are connections with the worker that was killed.
    expect(broken.size).toBeLessThanOrEqual(1);
    expect(await listWorkers(gateway)).toHaveLength(2);
  });

  test('what is stored stays usable while the site fails, although a worker is killed', async () => {
    const own = await startServer((_, response) => {
      response.setHeader('Cache-Control', 'max-age=600');
      response.end('{}');
    });
    const gateway = await serve(
      '--site',
      own.origin,
      ...['--discovery', 'off', '--passthrough', '--workers', '2'],
    );
    const ask = async (): Promise<string> => {
      const response = await fetch(`${gateway.url}/page`);
      await response.text();
      return `${response.status} ${response.headers.get('cache-status')}`;
    };
    await waitUntil(async () =>
      (await Promise.all(Array.from({ length: 20 }, ask))).every((each) => /hit/.test(each)),
    );
    await own.close();
    const [victim = 0] = await listWorkers(gateway);
    process.kill(victim, 'SIGKILL');
    await waitUntil(async () => /^200 .*unconfirmed/.test(await ask().catch(String)));
  });

  test('exits with 2 when the workers cannot listen', async () => {
    const { port = 0 } = site.server ?? {};
    const args = ['serve', '--site', site.origin, '--workers', '2', '--port', String(port)];
    const message = `cannot listen on 127.0.0.1:${port}: another process uses the port`;
    expect(await runToEnd(args)).toEqual({ code: 2, text: expect.stringContaining(message) });
  });

  test('a worker that is killed before it listens is replaced, and several end the start with a reason', async () => {
    for (const kills of [1, 4]) {
      const args = ['serve', '--site', site.origin, '--workers', '2', '--port', '0'];
      const child = spawn(process.execPath, [MAIN, ...args]);
      const chunks: Buffer[] = [];
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      const read = (): string => Buffer.concat(chunks).toString();
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      const killed = new Set<number>();
      await waitUntil(async () => {
        const pids = child.exitCode === null ? await listWorkers({ child }).catch(() => []) : [];
        for (const pid of pids) {
          if (killed.size >= kills || killed.has(pid)) continue;
          killed.add(pid);
          process.kill(pid, 'SIGKILL');
        }
        return kills === 1 ? read().includes('"listening"') : child.exitCode !== null;
      });
      if (kills === 1) child.kill('SIGTERM');
      expect(await ended).toBe(kills === 1 ? 0 : 2);
      expect(read()).toContain('a worker has ended: it is replaced');
      if (kills > 1)
        expect(read()).toMatch(/^waygate: --workers: worker \d ended with SIGKILL before it listened/m);
      expect(read()).not.toContain('    at ');
    }
  });

  test('ends all processes at once on a second signal, and when the primary process is killed', async () => {
    for (const signals of [['SIGTERM', 'SIGTERM'], ['SIGKILL']] as const) {
      const gateway = await serveReady();
      const workers = await listWorkers(gateway);
      site.delay = 60_000;
      const reads = site.reads + 2;
      const paths = ['5', '6'].map((id) => `${gateway.url}/t/v1/items/${id}`);
      const responses = Promise.allSettled(paths.map((url) => fetch(url)));
      await waitUntil(() => site.reads === reads);
      for (const signal of signals) {
        gateway.child.kill(signal);
        if (signal === 'SIGTERM') {
          await waitUntil(hasLogged(gateway, 'stopping'));
        }
      }
      await gateway.exitCode;
      await waitUntil(() => workers.every(isGone));
      site.delay = 0;
      if (signals.length === 1) continue;
      expect((await responses).map((each) => each.status === 'fulfilled' && each.value.status)).toEqual([
        503, 503,
      ]);
      expect(gateway.logLines.filter(({ failure }) => failure === 'shutdown')).toHaveLength(2);
      expect(gateway.logLines.at(-1)).toMatchObject({ requests: 2 });
    }
  });

  test('serve everything for `shutdownDelay`, while the gateway is not ready', async () => {
    const gateway = await serveConfigured({ sites: [{ url: site.origin }], shutdownDelay: '2s' });
    gateway.child.kill('SIGTERM');
    await waitUntil(hasLogged(gateway, 'stopping'));
    expect((await fetch(`${gateway.url}/-/ready`)).status).toBe(503);
    const { status, headers } = await fetch(`${gateway.url}/t/v1/items/1`);
    expect([status, headers.get('connection')]).toEqual([200, 'keep-alive']);
    expect(await gateway.exitCode).toBe(0);
    expect(gateway.logLines.filter(({ failure }) => failure !== undefined)).toEqual([]);
  });

  test('SIGHUP replaces the document in all workers, SIGTERM ends them, and no request fails', async () => {
    const gateway = await serveReady();
    const connections = [...(await connectToAll(gateway.url)).values()];
    const hasRoute = async (connection: Connection): Promise<boolean> => {
      const { status } = await connection.send('/openapi.json');
      expect(status).toBe(200);
      return (await fetch(`${gateway.url}/openapi.json`)).text().then((text) => text.includes('/t/v1/added'));
    };
    expect(await hasRoute(connections[0] as Connection)).toBe(false);
    site.routes = [...site.routes, '/t/v1/added'];
    gateway.child.kill('SIGHUP');
    let isOver = false;
    const reading = connections.map(async (connection) => {
      while (!isOver) expect(await connection.send('/t/v1/items/1')).toMatchObject({ status: 200 });
    });
    const replaced = (): boolean =>
      gateway.logLines.filter(({ msg }) => msg === 'document replaced').length === 2;
    await waitUntil(replaced);
    isOver = true;
    await Promise.all(reading);
    for (let index = 0; index < 4; index += 1) {
      const text = await (await fetch(`${gateway.url}/openapi.json`)).text();
      expect(text).toContain('/t/v1/added');
    }
    await expectEnd(gateway, connections, 'SIGTERM');
  });

  test('a worker that hangs delays writes for seconds only, serves nothing outdated when it wakes up, and is replaced', async () => {
    const gateway = await serveReady();
    const byWorker = await connectToAll(gateway.url);
    const pids = await listWorkers(gateway);
    // Each worker has the response of the first read, and its process id is found by stopping it.
    const [pid = 0] = pids;
    process.kill(pid, 'SIGSTOP');
    const hits = new Map<string, Promise<ItemResponse>>();
    for (const [worker, connection] of byWorker) hits.set(worker, connection.send('/t/v1/items/1'));
    const awake = await Promise.race([...hits.values()].map(async (hit) => (await hit).worker));
    const written = await (byWorker.get(awake) as Connection).send('/t/v1/items/1', 'POST');
    expect(written).toMatchObject({ status: 200, version: 1 });
    process.kill(pid, 'SIGCONT');
    for (const [worker, connection] of byWorker) {
      // The first read of the worker that was stopped began before the write.
      const early = await hits.get(worker);
      expect(early?.version).toBeLessThanOrEqual(1);
      expect(await connection.send('/t/v1/items/1')).toMatchObject({ worker, version: 1 });
    }

    process.kill(pid, 'SIGSTOP');
    const connections = Array.from({ length: 8 }, () => new Connection(gateway.url));
    let ended = 0;
    const writes = connections.map((connection) =>
      connection.send('/t/v1/items/1', 'POST').finally(() => {
        ended += 1;
      }),
    );
    // The worker that is stopped gets one of them, which goes to another worker when it is ended.
    await waitUntil(() => ended === connections.length - 1);
    await waitUntil(hasLogged(gateway, 'a worker hangs: it is ended'));
    const versions = (await Promise.all(writes)).map(({ status, version }) => [status, version]);
    expect(versions.sort()).toEqual(connections.map((_, at) => [200, at + 2]));
    await waitUntil(hasLogged(gateway, 'worker started'));
  });

  test('one process loads nothing of this', async () => {
    const args = ['serve', '--site', site.origin, '--port', '0', '--workers', '1'];
    const { code } = await runToEnd(args, { NODE_V8_COVERAGE: folder() }, (child) => {
      child.stdout?.once('data', () => child.kill('SIGTERM'));
    });
    expect(code).toBe(0);
    const files = await readdir(folder());
    const loaded = await Promise.all(files.map((file) => readFile(join(folder(), file), 'utf8')));
    expect(loaded.join('\n')).toContain('run-gateway');
    expect(loaded.join('\n')).not.toContain('serve/workers/');
  });
});

test('a worker uses a document that arrives while it starts', async () => {
  const gateway = createGateway({ sites: [{ url: site.origin }] });
  await gateway.rediscover();
  const document = await (await gateway.request('/openapi.json')).json();
  await gateway.stop();
  // Nobody answers the lookups of its store.
  const read = readConfig({ port: 0, cache: { store: 'off' }, sites: [{ url: site.origin }] });
  if (!read.ok) throw new Error('the configuration is invalid');
  const env = { ...process.env, WAYGATE_WORKER: '1' };
  const worker = fork(MAIN, ['serve'], { env, serialization: 'advanced', stdio: 'ignore' });
  try {
    const received: Message<WorkerExchanges>[] = [];
    worker.on('message', (messages: Message<WorkerExchanges>[]) => received.push(...messages));
    await waitUntil(() => received.some(({ kind }) => kind === 'begun'));
    const sites = [{ url: site.origin, mount: '' }];
    const start = {
      ...{ number: 1, config: read.config, sites, snapshots: [], observed: [], gatewayId: 'worker-1' },
    };
    const snapshot = { mount: '', source: { siteUrl: site.origin, document } };
    const messages: readonly Message<PrimaryExchanges>[] = [
      { kind: 'start', id: 1, content: start },
      { kind: 'snapshot', id: 2, content: snapshot },
    ];
    worker.send([...messages]);
    const findReply = (id: number): unknown =>
      received.find((message) => message.kind === 'reply' && message.id === id);
    await waitUntil(() => findReply(1) !== undefined && findReply(2) !== undefined);
    const { value } = findReply(1) as { readonly value: { readonly url: string } };
    const connection = new Connection(value.url);
    expect(await connection.send('/t/v1/items/1')).toMatchObject({ status: 200, version: 0 });
    connection.close();
  } finally {
    worker.kill('SIGKILL');
  }
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

test('`waygate why` knows a request of any worker as soon as its response is complete', async () => {
  const { url } = await serveReady();
  for (let id = 1; id <= 6; id += 1) {
    const response = await fetch(`${url}/t/v1/items/${id}`);
    await response.text();
    const of = response.headers.get('x-request-id') ?? '';
    const why = await fetch(`${url}/-/why?of=${of}`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect([why.status, JSON.stringify(await why.json())]).toEqual([
      200,
      expect.stringContaining(`items/${id}`),
    ]);
  }
});
