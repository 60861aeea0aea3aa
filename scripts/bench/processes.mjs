// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
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
 * A running server of the benchmark.
 *
 * @typedef {object} Server
 * @property {string} url
 * @property {number} pid
 * @property {number} startTime milliseconds until it was ready
 * @property {number} startCost milliseconds of CPU time until it was ready
 * @property {() => number} cpuTime CPU time so far in microseconds
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a server and waits until it responds.
 *
 * @param {'server' | 'load'} side
 * @param {readonly string[]} args of the program; `{port}` is replaced by a free port
 * @param {string} [ready] path that responds with 200 once the server is ready
 * @param {string} [program] this Node by default
 * @param {string} [output] file that gets the log
 * @returns {Promise<Server>}
 */
export async function start(side, args, ready = '/', program = process.execPath, output = '/dev/null') {
  const port = await freePort();
  const [command, all] = pinned(side, [program, ...args.map((each) => each.replace('{port}', `${port}`))]);
  const began = performance.now();
  const log = openSync(output, 'a');
  const child = spawn(command, all, { stdio: ['ignore', log, 'inherit'] });
  closeSync(log);
  const pid = child.pid ?? 0;
  while ((await statusOf(port, ready)) !== 200) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended before it was ready`);
    if (performance.now() - began > 120_000) {
      child.kill('SIGKILL');
      throw new Error(`${args.join(' ')} was not ready within two minutes`);
    }
    await sleep(2);
  }
  const startTime = performance.now() - began;
  return {
    url: `http://127.0.0.1:${port}`,
    pid,
    startTime,
    startCost: cpuTime(pid) / 1000,
    cpuTime: () => cpuTime(pid),
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
 * Starts Redis, without a file, on the core of the load.
 *
 * @returns {Promise<Pick<Server, 'url' | 'cpuTime' | 'stop'>>}
 */
export async function startRedis() {
  const port = await freePort();
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const [program, all] = pinned('load', ['redis-server', ...args]);
  const child = spawn(program, all, { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  const exited = once(child, 'exit');
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error('redis-server ended before it was ready');
    await sleep(10);
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    cpuTime: () => cpuTime(pid),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Whether a server listens at a port. @param {number} port @returns {Promise<boolean>} */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => resolve(false));
    socket.on('connect', () => resolve(socket.destroy() !== null));
  });
}

/**
 * Runs a program of node that prints one value as JSON.
 *
 * @param {string} node
 * @param {readonly string[]} args
 * @returns {Promise<any>}
 */
export async function runForJson(node, args) {
  const [program, all] = pinned('server', [node, ...args]);
  const child = spawn(program, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let last = '';
  for await (const line of createInterface({ input: child.stdout })) last = line;
  const [code] = await exited;
  if (code !== 0) throw new Error(`${args.join(' ')} failed`);
  return JSON.parse(last);
}

/** @param {number} port @param {string} path @returns {Promise<number | undefined>} */
function statusOf(port, path) {
  return new Promise((resolve) => {
    const request = http.get({ port, path, host: '127.0.0.1', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', () => resolve(undefined));
  });
}

/**
 * Returns the CPU time of a process so far in microseconds, all threads together. Unlike the request rate, it hardly depends on
 * other load of the machine.
 *
 * @param {number} pid
 */
function cpuTime(pid) {
  const folder = `/proc/${pid}/task`;
  // The first field of `schedstat` is the time on a core in nanoseconds. Threads that have ended do not count.
  const nanoseconds = readdirSync(folder).map((id) =>
    Number(readFileSync(`${folder}/${id}/schedstat`, 'latin1').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1000;
}

/** Returns the resident memory of a process in megabytes. @param {number} pid */
export function residentMegabytes(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;
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
