import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeAfterTest } from '../support/close-after-test.ts';
import { type EchoSite, startEchoSite } from '../support/echo-site.ts';
import { useFolder } from '../support/folder.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';
import { Load } from './load.ts';
import { MAIN } from './serve-process.ts';

let site: EchoSite;
const folder = useFolder('file');
beforeAll(async () => {
  // Some requests are in flight whenever the old process stops.
  site = await startEchoSite((received, response) => {
    setTimeout(() => response.end(received.body || 'ok'), received.url === PATHS[0] ? 100 : 5);
    return true;
  });
});
afterAll(async () => {
  await site.close();
});

const PATHS = ['/slow', '/a', '/b', '/c'];

interface Gateway {
  readonly child: ChildProcess;
  readonly log: () => string;
  readonly exitCode: Promise<number | null>;
  /** Starts the process. Before that, a shell only holds its sockets. */
  start(): void;
}

/** Prepares `waygate serve`. @param fd of a listening socket that it is given as a supervisor does, or that is missing */
async function prepare(port: number, fd: number | 'missing'): Promise<Gateway> {
  const config = join(folder(), `${port}.json`);
  const sites = [{ url: site.origin, discovery: 'off', passthrough: true }];
  await writeFile(config, JSON.stringify({ port, sites }));
  const script = 'read -r _; LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"';
  const child = spawn('sh', ['-c', script, process.execPath, MAIN, 'serve', '--config', config], {
    stdio: ['pipe', 'pipe', 'pipe', ...(typeof fd === 'number' ? [fd] : [])],
  });
  closeAfterTest(() => child.kill('SIGKILL'));
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
    const [old, next] = [await prepare(port, fd), await prepare(port, fd)];
    // The test itself accepts no connection from here on. The shells hold the socket.
    await close();
    old.start();
    await waitUntil(isListening(old));
    const url = `http://127.0.0.1:${port}`;
    const loads = [new Load(url, PATHS), new Load(url, PATHS, { method: 'POST', body: 'a body' }, false)];
    await Promise.all(loads.map((load) => load.further(30)));
    next.start();
    await waitUntil(isListening(next));
    old.child.kill('SIGTERM');
    expect(await old.exitCode, old.log()).toBe(0);
    await Promise.all(loads.map((load) => load.further(50)));
    await Promise.all(loads.map((load) => load.end()));
    expect(loads.flatMap(({ failures }) => failures)).toEqual([]);
    for (const { processes } of loads) expect(processes.size).toBe(2);
  });

  test('a socket that was promised and not passed is an error', async () => {
    const gateway = await prepare(0, 'missing');
    gateway.start();
    expect(await gateway.exitCode).toBe(2);
    expect(gateway.log()).toContain('cannot listen on the socket 3');
  });
});
