// npm run bench:attacks -- [--dist dist] [--before <folder with another dist>] [--only <part of a name>] [--json]
//
// Sends hostile request bodies to a gateway in front of a site with one operation, and measures in the gateway's process
// how long its event loop is blocked (perf_hooks), the CPU time of the longest turn of the loop, which does not depend on
// other load of the machine, and how much memory it takes. Meanwhile a client requests a stored response, and its slowest
// response is measured. With `--before`, both builds are measured and compared.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { asTable } from './table.mjs';

const { values: flags } = parseArgs({
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

/** Attacks of one request, by name: content type and body. @type {Record<string, string[]>} */
const BODIES = {
  'meta of empty objects': [JSON_TYPE, `{"meta":[${'{},'.repeat(LENGTH / 3)}{}]}`],
  '600,000 members': [JSON_TYPE, `{${Array.from({ length: 600_000 }, (_, at) => `"k${at}":1`).join()}}`],
  'numbers as ids': [JSON_TYPE, `{"ids":[${'1,'.repeat(LENGTH / 2)}1]}`],
  'ids in a text': [JSON_TYPE, `{"ids":"${'1,'.repeat(LENGTH / 2)}"}`],
  'a pattern': [JSON_TYPE, `{"slug":"${'a'.repeat(LENGTH)}!"}`],
  'open brackets': [JSON_TYPE, '['.repeat(LENGTH)],
  'unclosed JSON': [JSON_TYPE, `{"title":"${'a'.repeat(LENGTH)}"`],
  'escapes in a form': [FORM_TYPE, `title=${'%41'.repeat(LENGTH / 3)}`],
  'plus signs in a form': [FORM_TYPE, `title=${'+'.repeat(LENGTH)}`],
  'variables in a form': [FORM_TYPE, 'a=1&'.repeat(LENGTH / 4)],
  'a post of 7 MB (no attack)': [
    JSON_TYPE,
    JSON.stringify({ title: '<!-- wp:paragraph -->\n<p class="a">Hello, world</p>\n'.repeat(130_000) }),
  ],
};

const STALLED_CLIENTS = 120;
const WARM_UP_REQUESTS = 1000;
const STALLED_BYTES = 7.9 * 1024 * 1024;

/** @typedef {{ delay: number, turn: number, slowestHit: number, status: string, memory: number }} Measurement */

const builds = { ...(flags.before === undefined ? {} : { before: flags.before }), after: flags.dist };
const STALLED = `${STALLED_CLIENTS} stalled clients`;
const results = [];
for (const name of [...Object.keys(BODIES), STALLED].filter((each) => each.includes(flags.only))) {
  for (const [build, dist] of Object.entries(builds)) {
    const body = BODIES[name];
    const measured = body === undefined ? await measureStalled(dist) : await measureBody(dist, body);
    results.push({
      attack: name,
      build,
      status: measured.status,
      'event loop blocked (ms)': Math.round(measured.delay),
      'CPU time (ms)': Math.round(measured.turn),
      'slowest hit (ms)': Math.round(measured.slowestHit),
      'memory (MB)': Math.round(measured.memory),
    });
  }
}
console.log(
  flags.json ? JSON.stringify(results, null, 2) : asTable({ case: 'attacks', contenders: results }),
);

/** @param {string} dist @param {string[]} body @returns {Promise<Measurement>} */
async function measureBody(dist, [contentType = '', body = '']) {
  const gateway = await startGateway(dist);
  const bytes = Buffer.from(body);
  // Once for the compiler, and once for the measurement.
  await post(gateway.port, contentType, Buffer.from(contentType === JSON_TYPE ? '{"title":"a"}' : 'title=a'));
  await gateway.report();
  const hits = requestHits(gateway.port);
  const status = await post(gateway.port, contentType, bytes);
  const slowestHit = await hits.stop();
  const { delay, rss, turn } = await gateway.report();
  await gateway.stop();
  return { status, delay, turn, slowestHit, memory: rss - gateway.rss };
}

/** @param {string} dist @returns {Promise<Measurement>} */
async function measureStalled(dist) {
  const gateway = await startGateway(dist);
  // Without compiled code the heads of so many requests take longer than their bodies.
  for (let at = 0; at < WARM_UP_REQUESTS; at += 1)
    await post(gateway.port, JSON_TYPE, Buffer.from('{"title":"a"}'));
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
  const { delay, rss, turn } = await gateway.report();
  for (const socket of sockets) socket.destroy();
  await gateway.stop();
  const status = [...statuses].map(([code, count]) => `${count} × ${code}`).join(', ') || 'none';
  return { status, delay, turn, slowestHit, memory: rss - gateway.rss };
}

/** Starts the gateway in a process of its own. @param {string} dist */
async function startGateway(dist) {
  const server = fileURLToPath(new URL('servers/attacked.mjs', import.meta.url));
  const child = spawn(process.execPath, [server, resolve(dist)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port, rss }] = await once(child, 'message');
  return {
    port,
    rss,
    /** Measures since the last call. @returns {Promise<{ delay: number, turn: number, rss: number }>} */
    async report() {
      const reported = once(child, 'message');
      child.send('report');
      return (await reported)[0];
    },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** @param {number} port @param {string} contentType @param {Buffer} body @returns {Promise<string>} */
function post(port, contentType, body) {
  return new Promise((done) => {
    const options = { port, host: '127.0.0.1', path: '/wp-json/t/v1/items', method: 'POST' };
    const headers = { 'content-type': contentType, 'content-length': body.length };
    const request = http.request({ ...options, headers }, (response) => {
      response.resume().on('end', () => done(String(response.statusCode)));
    });
    request.on('error', (error) => done(error.message)).end(body);
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
        const options = { port, host: '127.0.0.1', path: '/wp-json/t/v1/items', agent };
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
