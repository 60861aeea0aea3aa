import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll } from 'vitest';
import { closeAfterTest } from './close-after-test.ts';
import { findFreePort } from './server.ts';
import { waitUntil } from './wait.ts';

/** A real Redis server for one test file, on a free port of the loopback interface. It does not persist by default. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Kills the process (SIGKILL). */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Suspends the process (SIGSTOP): connections stay open, and nothing replies. */
  pause(): void;
  resume(): void;
  /** Sends one command. @returns what `redis-cli` prints */
  command(...words: readonly string[]): Promise<string>;
  /** Kills the process and removes its folder. */
  stop(): Promise<void>;
}

/** Sends a command with `redis-cli`. @returns what it prints */
export async function redisCli(port: number, ...words: readonly string[]): Promise<string> {
  return (await promisify(execFile)('redis-cli', ['-p', String(port), ...words])).stdout.trim();
}

/** Starts a server that stops after the test at the latest. @param options of the command line */
export async function startRedisServer(...options: readonly string[]): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'waygate-redis-'));
  const port = await findFreePort();
  let process: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...options];
    process = spawn('redis-server', words, { stdio: 'ignore' });
    const failed = once(process, 'exit').then(() => {
      throw new Error('redis-server exited at once');
    });
    await Promise.race([waitUntilReachable(port), failed]);
    failed.catch(() => {});
  };
  const kill = async (): Promise<void> => {
    const ended = process;
    process = undefined;
    if (ended === undefined || ended.exitCode !== null) return;
    ended.kill('SIGKILL');
    await once(ended, 'exit');
  };

  const stop = async (): Promise<void> => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  };
  closeAfterTest(stop);
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill,
    start,
    pause: () => void process?.kill('SIGSTOP'),
    resume: () => void process?.kill('SIGCONT'),
    command: (...words) => redisCli(port, ...words),
    stop,
  };
}

/** Provides a server to the tests of a file. */
export function useRedisServer(): () => RedisServer {
  let server: RedisServer | undefined;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  return () => {
    if (server === undefined) throw new Error('the server is available within tests and hooks only');
    return server;
  };
}

/** Waits until a server replies to commands. */
function waitUntilReachable(port: number): Promise<void> {
  return waitUntil(async () => (await redisCli(port, 'PING').catch(() => '')) === 'PONG');
}
