import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether a program is on the `PATH`. @param {string} program */
export function isInstalled(program) {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const canPin = isInstalled('taskset') && os.availableParallelism() > 1;

/**
 * Binds a command line to one core if `taskset` is available: servers to core 0, the stub site and the load to core 1.
 *
 * @param {'server' | 'load'} side
 * @param {readonly string[]} command
 * @returns {[program: string, args: string[]]}
 */
export function pinned(side, command) {
  const [program = '', ...args] = command;
  return canPin ? ['taskset', ['-c', side === 'server' ? '0' : '1', program, ...args]] : [program, args];
}

/**
 * Starts a server and waits until it accepts requests.
 *
 * @param {'server' | 'load'} side
 * @param {readonly string[]} args of node
 * @param {{ ready?: string | undefined, port?: number | undefined }} options `ready` is a path that responds with 200 once
 * the server is ready; without it, the process announces its URL
 */
export async function start(side, args, { ready, port } = {}) {
  const [program, all] = pinned(side, [process.execPath, ...args]);
  const child = spawn(program, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url =
    ready === undefined
      ? await readAnnouncedUrl(child)
      : await waitUntilReady(`http://127.0.0.1:${port}`, ready, child);
  return {
    url,
    cpuTime: () => cpuTime(child.pid),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
      await gone;
      clearTimeout(timer);
    },
  };
}

/**
 * Reads the URL that a server prints as its first line.
 *
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} child
 */
async function readAnnouncedUrl(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    child.stdout.resume();
    return String(JSON.parse(line).url);
  }
  throw new Error(`${child.spawnargs.join(' ')} ended before it listened`);
}

/**
 * @param {string} url
 * @param {string} path
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} child
 */
async function waitUntilReady(url, path, child) {
  child.stdout.resume();
  for (let attempt = 0; attempt < 600; attempt++) {
    const response = await fetch(url + path).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.status === 200) return url;
    if (child.exitCode !== null) break;
    await sleep(100);
  }
  child.kill('SIGKILL');
  throw new Error(`${child.spawnargs.join(' ')} was not ready within a minute`);
}

/**
 * Returns the CPU time of a process so far in microseconds, or NaN on a system without /proc. Unlike the request rate, it
 * hardly depends on other load of the machine.
 *
 * @param {number | undefined} pid
 */
async function cpuTime(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // proc(5): utime and stime are the 14th and 15th field, in ticks of 10 ms; the 2nd is a name in parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Finds a free port of the loopback interface. */
export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}
