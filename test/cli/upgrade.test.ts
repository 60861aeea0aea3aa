import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type EchoSite, startEchoSite } from '../support/echo-site.ts';
import { useFolder } from '../support/folder.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';
import { MAIN } from './serve-process.ts';

let site: EchoSite;
const folder = useFolder('file');
beforeAll(async () => {
  // Some requests are in flight whenever the old process stops.
  site = await startEchoSite((received, response) => {
    setTimeout(() => response.end(received.body || 'ok'), received.url.length % 5 === 0 ? 100 : 5);
    return true;
  });
});
afterAll(async () => {
  await site.close();
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Gateway {
  readonly child: ChildProcess;
  readonly log: () => string;
  readonly exitCode: Promise<number | null>;
  /** Starts the process. Before that, a shell only holds its sockets. */
  start(): void;
}

/** Prepares `waygate serve`. @param fd of a listening socket that it is given as a supervisor does, or that is missing */
async function prepare(port: number, settings: object, fd?: number | 'missing'): Promise<Gateway> {
  const config = join(folder(), `${port}-${closing.length}.json`);
  const sites = [{ url: site.origin, discovery: 'off', passthrough: true }];
  await writeFile(config, JSON.stringify({ port, sites, ...settings }));
  const variables = fd === undefined ? '' : 'LISTEN_PID=$$ LISTEN_FDS=1';
  const script = `read -r _; ${variables} exec "$0" "$@"`;
  const child = spawn('sh', ['-c', script, process.execPath, MAIN, 'serve', '--config', config], {
    stdio: ['pipe', 'pipe', 'pipe', ...(typeof fd === 'number' ? [fd] : [])],
  });
  closing.push(() => child.kill('SIGKILL'));
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log += chunk;
    });
  }
  return {
    child,
    log: () => log,
    exitCode: new Promise((resolve) => child.once('exit', resolve)),
    start: () => void child.stdin?.write('\n'),
  };
}

const isListening = (gateway: Gateway) => (): boolean => {
  if (gateway.child.exitCode !== null) throw new Error(gateway.log());
  return gateway.log().includes('"msg":"listening"');
};

interface Load {
  /** Requests by the process that responded: the first part of their request id. */
  readonly counts: Map<string, number>;
  readonly failures: string[];
  stop(): Promise<void>;
}

/** Sends requests one after another on each of eight connections: four kept alive, and four new for each request. */
function startLoad(port: number): Load {
  const counts = new Map<string, number>();
  const failures: string[] = [];
  let isStopped = false;
  const send = (agent: Agent | false, number: number): Promise<void> =>
    new Promise((resolve) => {
      const method = number % 3 === 0 ? 'POST' : 'GET';
      const path = `/x?${'n'.repeat(number % 20)}`;
      const sent = request({ port, host: '127.0.0.1', agent, method, path }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('error', (error) => failures.push(`${method} ${String(error)}`));
        response.on('close', () => {
          const expected = method === 'POST' ? `body ${number}` : 'ok';
          if (response.statusCode !== 200 || body !== expected) {
            failures.push(`${method} ${response.statusCode} ${body.slice(0, 200)}`);
          }
          const [process = ''] = String(response.headers['x-request-id']).split('-');
          counts.set(process, (counts.get(process) ?? 0) + 1);
          resolve();
        });
      });
      sent.on('error', (error) => {
        failures.push(`${method} ${String(error)}`);
        resolve();
      });
      sent.end(method === 'POST' ? `body ${number}` : undefined);
    });
  const run = async (createAgent: () => Agent | false): Promise<void> => {
    const agent = createAgent();
    for (let number = 0; !isStopped; number++) await send(agent, number);
    if (agent !== false) agent.destroy();
  };
  const clients = [
    ...Array.from({ length: 4 }, () => run(() => new Agent({ keepAlive: true, maxSockets: 1 }))),
    ...Array.from({ length: 4 }, () => run(() => false)),
  ];
  return {
    counts,
    failures,
    async stop() {
      isStopped = true;
      await Promise.all(clients);
    },
  };
}

/** Replaces a running process by another one under load. */
async function upgrade(old: Gateway, next: Gateway, port: number): Promise<void> {
  old.start();
  await waitUntil(isListening(old));
  const load = startLoad(port);
  const count = (): number => [...load.counts.values()].reduce((sum, each) => sum + each, 0);
  await waitUntil(() => [...load.counts.values()].some((count) => count > 50));
  next.start();
  await waitUntil(isListening(next));
  old.child.kill('SIGTERM');
  expect(await old.exitCode, old.log()).toBe(0);
  const ofOld = [...load.counts.keys()];
  const before = count();
  await waitUntil(() => count() > before + 100);
  await load.stop();
  expect(load.failures).toEqual([]);
  expect(load.counts.size).toBeGreaterThan(1);
  expect(ofOld.length).toBeGreaterThan(0);
}

/** The descriptor of a listening socket. Node has no other way to name it. */
function descriptorOf(server: object): number {
  const handle: unknown = Reflect.get(server, '_handle');
  const fd: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  if (typeof fd !== 'number' || fd < 0) throw new Error('the server has no descriptor');
  return fd;
}

describe('an upgrade in place fails no request', () => {
  test('with a listening socket that both are given (LISTEN_FDS)', async () => {
    const listener = createServer();
    const { close, port } = await startServer(listener);
    const fd = descriptorOf(listener);
    const [old, next] = [await prepare(port, {}, fd), await prepare(port, {}, fd)];
    // The test itself accepts no connection from here on. The shells hold the socket.
    await close();
    await upgrade(old, next, port);
  });

  test('a socket that was promised and not passed is an error', async () => {
    const gateway = await prepare(0, {}, 'missing');
    gateway.start();
    expect(await gateway.exitCode).toBe(2);
    expect(gateway.log()).toContain('cannot listen on the socket 3');
  });
});
