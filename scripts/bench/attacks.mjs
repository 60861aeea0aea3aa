// npm run bench:attacks -- [--dist dist] [--before <folder with another dist>] [--only <part of a name>] [--json]
//
// Sends hostile requests to a gateway in front of a site that sends hostile responses, and measures in the gateway's process
// how long its event loop is blocked (perf_hooks); the CPU time of the longest turn of the loop, which does not depend on
// other load of the machine, with and without its page faults; and how much memory it takes. Meanwhile a client requests a
// stored response, and its slowest response is measured. The first two rows are a gateway that gets nothing else, and one that gets bytes which it does not read. The last
// rows are tasks of the gateway itself: meanwhile, a request for the health, the readiness, the metrics or the console is sent every 10 ms, and the slowest response of
// each is measured; `idle` is a gateway that does nothing else. A row is printed as soon as it is measured, and takes 20 s at most. With `--before`, both builds are measured and compared.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../options.mjs';
import { asTable } from './table.mjs';

const { values: flags } = readOptions(import.meta.url, {
  options: {
    dist: { type: 'string', default: 'dist' },
    before: { type: 'string' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});

const LENGTH = 7_600_000;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const ITEMS = '/wp-json/t/v1/items';

/** @typedef {{ path: string, type?: string, body?: string }} Attack */
const json = (/** @type {string} */ body) => ({ path: ITEMS, type: JSON_TYPE, body });
const form = (/** @type {string} */ body) => ({ path: ITEMS, type: FORM_TYPE, body });

/** Attacks of one request, by name. @type {Record<string, Attack | null>} */
const ATTACKS = {
  'nothing but hits': null,
  'an upload of 7 MB (no attack)': {
    path: ITEMS,
    type: 'application/octet-stream',
    body: 'x'.repeat(LENGTH),
  },
  'meta of empty objects': json(`{"meta":[${'{},'.repeat(LENGTH / 3)}{}]}`),
  '600,000 members': json(`{${Array.from({ length: 600_000 }, (_, at) => `"k${at}":1`).join()}}`),
  'numbers as ids': json(`{"ids":[${'1,'.repeat(LENGTH / 2)}1]}`),
  'ids in a text': json(`{"ids":"${'1,'.repeat(LENGTH / 2)}"}`),
  '36,000 ids, the last invalid': json(`{"ids":[${'1,'.repeat(36_000)}"a"]}`),
  '39,000 invalid items in a response': { path: '/wp-json/t/v1/list' },
  'a 5 MB string in a date': json(`{"date":"${'2'.repeat(5_000_000)}"}`),
  'a pattern': json(`{"slug":"${'a'.repeat(LENGTH)}!"}`),
  'open brackets': json('['.repeat(LENGTH)),
  'unclosed JSON': json(`{"title":"${'a'.repeat(LENGTH)}"`),
  'escapes in a form': form(`title=${'%41'.repeat(LENGTH / 3)}`),
  'plus signs in a form': form(`title=${'+'.repeat(LENGTH)}`),
  'variables in a form': form('a=1&'.repeat(LENGTH / 4)),
  "800,000 names in a part's header": {
    path: ITEMS,
    type: 'multipart/form-data; boundary=b',
    body: `--b\r\nContent-Disposition: form-data; ${'name=a; '.repeat(800_000)}\r\n\r\nx\r\n--b--\r\n`,
  },
  '7 MB of JSON that says nonce often': { path: '/wp-json/t/v1/nonces' },
  '7 MB of JSON with ids': { path: '/wp-json/t/v1/ids' },
  '7 MB of script that says nonce often': { path: '/script' },
  'a post of 7 MB (no attack)': json(
    JSON.stringify({ title: '<!-- wp:paragraph -->\n<p class="a">Hello, world</p>\n'.repeat(130_000) }),
  ),
};

/** Ends when the task has. @typedef {(gateway: Gateway) => Promise<unknown>} Task */
const JSON_CONTENT = { 'content-type': JSON_TYPE };
/** @param {object} purged @returns {Task} */
const purge = (purged) => async (gateway) => {
  await gateway.tell('fill');
  await gateway.beginMeasurement();
  await call(gateway.port, 'POST', '/-/purge', { ...JSON_CONTENT, ...OPERATOR }, JSON.stringify(purged));
};
/** Tasks of the gateway itself, by name. @type {Record<string, Task>} */
const TASKS = {
  idle: () => sleep(3000),
  'an index of 40 MB is read': async (gateway) => {
    await send(gateway.port, { path: '/grow' });
    await gateway.tell('rediscover');
  },
  'an unchanged index of 40 MB is read': async (gateway) => {
    await send(gateway.port, { path: '/grow' });
    await gateway.tell('rediscover');
    await gateway.beginMeasurement();
    await gateway.tell('rediscover');
  },
  'all of 100,000 responses are purged': purge({ all: true }),
  'a tag of 100,000 responses is purged': purge({ tags: ['/t/v1/items'] }),
  'a tag of 100,000 responses is purged softly': purge({ tags: ['/t/v1/items'], mode: 'soft' }),
};

const OPERATOR = { authorization: 'Bearer operator-of-the-bench' };
const PROBES = ['/-/health', '/-/ready', '/-/metrics', '/-/console/'];
/** Milliseconds between two probes. */
const PROBE_INTERVAL = 10;

const STALLED_CLIENTS = 120;
const WARM_UP_REQUESTS = 1000;
const STALLED_BYTES = 7.9 * 1024 * 1024;
/** Milliseconds of one measurement. */
const LIMIT = 20_000;
const TASK_LIMIT = 120_000;
const PROBING = new http.Agent({ keepAlive: true });
/** Milliseconds after the response, in which the gateway compresses it. */
const AFTERMATH = 500;

/** @typedef {{ delay: number, turn: number, withoutFaults: number, slowestHit: number, status: string, memory: number }} Measurement */

const builds = { ...(flags.before === undefined ? {} : { before: flags.before }), after: flags.dist };
const STALLED = `${STALLED_CLIENTS} stalled clients`;
/** What stops the measurement that runs. @type {() => unknown} */
let stopRunning = () => {};
const results = [];
const names = [...Object.keys(ATTACKS), STALLED, ...Object.keys(TASKS)].filter((each) =>
  each.includes(flags.only),
);
const nameWidth = Math.max(...names.map((name) => name.length));
for (const name of names) {
  for (const [build, dist] of Object.entries(builds)) {
    const [attack, task] = [ATTACKS[name], TASKS[name]];
    const measuring =
      task !== undefined
        ? measureTask(dist, task)
        : attack === undefined
          ? measureStalled(dist)
          : measureAttack(dist, attack);
    const measured = await Promise.race([
      measuring,
      sleep(task === undefined ? LIMIT : TASK_LIMIT, null, { ref: false }),
    ]);
    if (measured === null) await stopRunning();
    const row = {
      attack: name.padEnd(nameWidth),
      build,
      status: measured?.status ?? `not within ${LIMIT / 1000} s`,
      'event loop blocked (ms)': round(measured?.delay),
      'CPU time (ms)': round(measured?.turn),
      'without page faults (ms)': round(measured?.withoutFaults),
      'slowest hit (ms)': round(measured?.slowestHit),
      'memory (MB)': round(measured?.memory),
    };
    results.push({ ...row, attack: name });
    if (flags.json) continue;
    const [, header, line] = asTable({ case: '', contenders: [row] }).split('\n');
    console.log(results.length === 1 ? `attacks\n${header}\n${line}` : line);
  }
}
if (flags.json) console.log(JSON.stringify(results, null, 2));
process.exit();

/** @param {number | undefined} value */
function round(value) {
  return value === undefined ? null : Math.round(value);
}

/** @param {string} dist @param {Attack | null} attack @returns {Promise<Measurement>} */
async function measureAttack(dist, attack) {
  const gateway = await startGateway(dist);
  // Once for the compiler, and once for the measurement.
  await send(gateway.port, json('{"title":"a"}'));
  await send(gateway.port, form('title=a'));
  for (let at = 0; at < 100; at += 1) await send(gateway.port, { path: ITEMS });
  await gateway.report();
  const hits = requestHits(gateway.port);
  const status = attack === null ? 'none' : await send(gateway.port, attack);
  await sleep(AFTERMATH);
  const slowestHit = await hits.stop();
  const { rss, ...measured } = await gateway.report();
  await gateway.stop();
  return { status, ...measured, slowestHit, memory: rss - gateway.rss };
}

/** @param {string} dist @param {Task} task @returns {Promise<Measurement>} */
async function measureTask(dist, task) {
  const gateway = await startGateway(dist);
  const session = await call(
    gateway.port,
    'POST',
    '/-/console/sign-in',
    { 'content-type': FORM_TYPE },
    `token=${OPERATOR.authorization.slice(7)}`,
  );
  const fields = { ...OPERATOR, cookie: (session.headers['set-cookie'] ?? []).join().split(';')[0] };
  // The compiler and the modules that load on use.
  for (let at = 0; at < 100; at += 1)
    for (const path of PROBES) await call(gateway.port, 'GET', path, fields);
  /** @type {Map<string, number>} */
  const slowest = new Map();
  const probes = new Set();
  let [at, begun, due] = [0, 0, performance.now()];
  const timer = setInterval(() => {
    for (; due < performance.now(); due += PROBE_INTERVAL) {
      const [path, sent] = [PROBES[at++ % PROBES.length] ?? '', performance.now()];
      const probe = call(gateway.port, 'GET', path, fields).then(({ status }) => {
        if (status !== 200) throw new Error(`${path}: ${status}`);
        if (sent >= begun) slowest.set(path, Math.max(slowest.get(path) ?? 0, performance.now() - sent));
        probes.delete(probe);
      });
      probes.add(probe);
    }
  }, 1);
  await sleep(500);
  gateway.beginMeasurement = async () => {
    await gateway.report();
    slowest.clear();
    begun = performance.now();
  };
  await gateway.beginMeasurement();
  await task(gateway);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  await sleep(AFTERMATH);
  clearInterval(timer);
  await Promise.all(probes);
  const { rss, ...measured } = await gateway.report();
  await gateway.stop();
  const status = PROBES.map((path) => `${path} ${round(slowest.get(path))}`).join(', ');
  const slowestHit = Math.max(...slowest.values());
  return { status: `${seconds} s; ${status}`, ...measured, slowestHit, memory: rss - gateway.rss };
}

/** @param {number} port @param {string} method @param {string} path @param {http.OutgoingHttpHeaders} headers @param {string} [body]
 * @returns {Promise<{ status: number | undefined, headers: http.IncomingHttpHeaders }>} */
function call(port, method, path, headers, body) {
  return new Promise((done, fail) => {
    const options = { port, host: '127.0.0.1', path, method, headers, agent: PROBING };
    const request = http.request(options, (response) => {
      response.resume().on('end', () => done({ status: response.statusCode, headers: response.headers }));
    });
    request.on('error', fail).end(body);
  });
}

/** @param {string} dist @returns {Promise<Measurement>} */
async function measureStalled(dist) {
  const gateway = await startGateway(dist);
  // Without compiled code the heads of so many requests take longer than their bodies.
  for (let at = 0; at < WARM_UP_REQUESTS; at += 1) await send(gateway.port, json('{"title":"a"}'));
  await gateway.report();
  const hits = requestHits(gateway.port);
  const head = `POST /wp-json/t/v1/items HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${8 * 1024 * 1024}\r\n\r\n`;
  const part = Buffer.alloc(STALLED_BYTES, 'x');
  const statuses = new Map();
  const sockets = Array.from({ length: STALLED_CLIENTS }, () => {
    const socket = net.connect(gateway.port, '127.0.0.1');
    socket.on('error', () => undefined).write(head);
    socket.write(part);
    socket.once('data', (chunk) => {
      const status = chunk.toString('latin1').slice(9, 12);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    return socket;
  });
  await sleep(5000);
  const slowestHit = await hits.stop();
  const { rss, ...measured } = await gateway.report();
  for (const socket of sockets) socket.destroy();
  await gateway.stop();
  const status = [...statuses].map(([code, count]) => `${count} × ${code}`).join(', ') || 'none';
  return { status, ...measured, slowestHit, memory: rss - gateway.rss };
}

/** Starts the gateway in a process of its own. @param {string} dist */
async function startGateway(dist) {
  const server = fileURLToPath(new URL('servers/attacked.mjs', import.meta.url));
  const child = spawn(process.execPath, [server, resolve(dist)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  stopRunning = stop;
  const [{ port, rss }] = await once(child, 'message');
  return {
    port,
    rss,
    /** Measures since the last call. @returns {Promise<{ delay: number, turn: number, withoutFaults: number, rss: number }>} */
    async report() {
      const reported = once(child, 'message');
      child.send('report');
      return (await reported)[0];
    },
    /** Sends a command, and resolves when it is done. @param {string} command */
    async tell(command) {
      const done = once(child, 'message');
      child.send(command);
      await done;
    },
    /** Forgets what was measured until now. @type {() => Promise<unknown>} */
    beginMeasurement: async () => {},
    stop,
  };
  async function stop() {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}

/** @param {number} port @param {Attack} attack @returns {Promise<string>} */
function send(port, { path, type = '', body }) {
  const bytes = Buffer.from(body ?? '');
  return new Promise((done) => {
    const options = { port, host: '127.0.0.1', path, method: body === undefined ? 'GET' : 'POST' };
    const headers = body === undefined ? {} : { 'content-type': type, 'content-length': bytes.length };
    const request = http.request({ ...options, headers }, (response) => {
      response.resume().on('end', () => done(String(response.statusCode)));
    });
    request.on('error', (error) => done(error.message)).end(bytes);
  });
}

/** Requests a stored response every 5 ms, on a connection of its own. @param {number} port */
function requestHits(port) {
  let isRunning = true;
  let slowest = 0;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const running = (async () => {
    while (isRunning) {
      const start = performance.now();
      await new Promise((done) => {
        const options = { port, host: '127.0.0.1', path: ITEMS, agent };
        http.get(options, (response) => response.resume().on('end', done)).on('error', done);
      });
      slowest = Math.max(slowest, performance.now() - start);
      await sleep(5);
    }
    agent.destroy();
  })();
  return {
    async stop() {
      isRunning = false;
      await running;
      return slowest;
    },
  };
}
