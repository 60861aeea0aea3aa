// @ts-check
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ORACLE_AGENT, Oracle, readContent } from '../mix/oracle.mjs';
import { startWordPress } from '../wordpress/start.mjs';
import { drawPicture } from './picture.mjs';
import { SITE_FAULTS } from './site-faults.mjs';
import { findPort, get, onEnd, sendBytes, startGateway, startRedis, TOKEN } from './support.mjs';

/** Requests of a second, and seconds between two writes. */
const RATE = 10;
const WRITE_INTERVAL = 7;
/** Seconds of a minute at which its fault begins and ends. */
const [BEGIN, END] = [10, 25];
/** Milliseconds for which circuit breakers may refuse requests to a site that is back, with some to spare. */
const CIRCUIT_TIME = 6_000;
/** The next read waits while so many are in progress. */
const MAX_CONCURRENT = 8;

/** @typedef {(typeof SITE_FAULTS)[number]} SiteFault */
/** @typedef {{ name: string, reads: number, hits: number, failed: string[], failedAtSite: number, refusedAfter: number, stale: string[], unconfirmed: number, times: number[] }} Minute */

/** Without those whose answer is a response that is as good as any other. */
const FAULTS = SITE_FAULTS.filter(({ other }) => /^5|broken/.test(other));

/** What is between the gateway and the site: it hands bytes on, or answers as a fault says. */
class Wire {
  port = 0;
  /** @type {SiteFault | null} */
  #fault = null;
  /** @type {Set<import('node:net').Socket>} */
  #sockets = new Set();
  #server = createServer((socket) => this.#serve(socket));
  #site;

  /** @param {number} site port */
  constructor(site) {
    this.#site = site;
  }

  async open() {
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** @param {SiteFault | null} fault */
  async use(fault) {
    this.#fault = fault;
    for (const socket of this.#sockets) socket.destroy();
    if (fault?.isClosed) this.#server.close();
    else if (!this.#server.listening) await this.open();
  }

  close() {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** @param {import('node:net').Socket} socket */
  #serve(socket) {
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    const fault = this.#fault;
    if (fault === null) {
      const site = connect(this.#site, '127.0.0.1').on('error', () => socket.destroy());
      socket.pipe(site).pipe(socket);
      socket.on('close', () => site.destroy());
    } else {
      socket.on('data', (chunk) => {
        const head = chunk.toString('latin1');
        const [method = '', path = ''] = head.split(' ');
        fault.respond?.({ method, path, head, socket }, /** @type {never} */ (null));
      });
    }
  }
}

/** @param {number} pid @returns {number[]} the process and its workers */
function listProcesses(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.map(Number)];
}

/** Open descriptors, and MiB in memory, of a process with its workers. @param {number} pid */
function measureProcesses(pid) {
  const sum = { descriptors: 0, memory: 0 };
  for (const each of listProcesses(pid)) {
    sum.descriptors += readdirSync(`/proc/${each}/fd`).length;
    sum.memory += Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${each}/status`, 'utf8'))?.[1]) / 1024;
  }
  return { descriptors: sum.descriptors, memory: Math.round(sum.memory) };
}

/**
 * Sends reads and writes to a real WordPress behind a gateway of two workers and Redis, with a fault in each minute.
 *
 * @param {{ readonly minutes: number, readonly seed: number, readonly out: string }} options
 * @returns the sums, also written to `<out>.json`, with a picture in `<out>.svg`
 */
export async function runHour({ minutes, out, seed }) {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const wordpress = await startWordPress();
  onEnd(() => wordpress.stop());
  const { host, origin, port } = new URL(wordpress.url);
  const wire = new Wire(Number(port));
  await wire.open();
  onEnd(() => wire.close());
  const redisPort = await findPort();
  let redis = await startRedis(redisPort);
  const redisCli = (/** @type {string[]} */ ...words) =>
    execFileSync('redis-cli', ['-p', `${redisPort}`, ...words], { stdio: 'pipe' });
  const config = {
    ...{ redis: `redis://127.0.0.1:${redisPort}`, workers: 2, admin: { token: TOKEN } },
    sites: [
      {
        ...{ url: `http://127.0.0.1:${wire.port}`, upstream: { host }, passthrough: true },
        cache: { pages: '60s' },
        timeouts: { connect: '1s', headers: '10s', body: '10s' },
      },
    ],
  };
  const gateway = await startGateway(config);
  const pid = gateway.child.pid ?? 0;
  const { password, user } = wordpress.users.administrator;
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const json = { authorization, 'content-type': 'application/json' };
  /** @type {{ id: number, link: string }[]} */
  const posts = await (
    await fetch(`${origin}/wp-json/wp/v2/posts?per_page=30&_fields=id,link`, {
      headers: { 'user-agent': ORACLE_AGENT },
    })
  ).json();
  const addresses = [
    '/',
    '/feed/',
    '/wp-json/wp/v2/posts',
    '/wp-json/wp/v2/comments',
    '/?s=post',
    '/wp-sitemap.xml',
  ].concat(posts.flatMap(({ id, link }) => [new URL(link).pathname, `/wp-json/wp/v2/posts/${id}`]));
  const oracle = new Oracle(origin);

  /** @type {readonly [name: string, begin: () => unknown, end?: () => unknown][]} */
  const others = [
    ['Redis ends', () => redis.kill('SIGKILL'), async () => (redis = await startRedis(redisPort))],
    ['Redis is paused', () => redis.kill('SIGSTOP'), () => redis.kill('SIGCONT')],
    ['Redis is emptied', () => redisCli('FLUSHALL')],
    [
      'Redis is full',
      () => redisCli('CONFIG', 'SET', 'maxmemory', '1'),
      () => redisCli('CONFIG', 'SET', 'maxmemory', '0'),
    ],
    ['Redis disconnects', () => redisCli('CLIENT', 'KILL', 'TYPE', 'normal')],
    ['a worker is killed', () => process.kill(listProcesses(pid)[1] ?? 0, 'SIGKILL')],
    ...['40s', '50s', '60s'].map(
      (pages) => /** @type {const} */ ([`a reload: cache.pages ${pages}`, () => reload(200, { pages })]),
    ),
    [
      'ten reloads',
      async () => {
        for (let at = 0; at < 10; at += 1) await reload(200, { pages: `${30 + at}s` });
      },
    ],
    ['a reload that is refused', () => reload(409, { page: 1 }), () => reload(200, { pages: '60s' })],
    [
      'everything is purged',
      () =>
        get(`${gateway.url}/-/purge`, {
          ...{ method: 'POST', body: '{"all":true}' },
          headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        }),
    ],
    ['the site is read again', () => gateway.admin('rediscover', 'POST')],
    [
      '200 clients go at once',
      () =>
        Promise.all(Array.from({ length: 200 }, (_, at) => get(`${gateway.url}/?s=${at}`, { limit: 30 }))),
    ],
    [
      '50 heads that trickle',
      () => {
        for (let at = 0; at < 50; at += 1)
          void sendBytes(gateway.url, 'GET / HTTP/1.1\r\nHost: a\r\nX: ', 14_000);
      },
    ],
    [
      '500 garbled requests',
      () =>
        Promise.all(
          Array.from({ length: 500 }, () => sendBytes(gateway.url, 'GET /\0 HTTP/9.1\r\n\r\n', 5_000)),
        ),
    ],
  ];

  /** @param {number} expected status @param {object} cache */
  async function reload(expected, cache) {
    const [site] = config.sites;
    writeFileSync(gateway.file, JSON.stringify({ port: 0, ...config, sites: [{ ...site, cache }] }));
    const init = { method: 'POST', headers: { authorization: `Bearer ${TOKEN}` }, limit: 60_000 };
    const { body, status } = await get(`${gateway.url}/-/reload`, init);
    if (status !== expected) throw new Error(`the reload got ${status}: ${body}`);
  }

  /** @param {string} name @returns {Minute} */
  const startMinute = (name) => ({
    name,
    reads: 0,
    hits: 0,
    failed: [],
    failedAtSite: 0,
    refusedAfter: 0,
    stale: [],
    unconfirmed: 0,
    times: [],
  });
  let current = startMinute('');
  /** Whether the site answers, and how often that has changed. */
  let isBroken = false;
  let changes = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  /** @param {string} address */
  const read = async (address) => {
    const minute = current;
    const before = { epoch: oracle.epoch, changes, isBroken };
    const started = performance.now();
    const sent = await readContent(gateway.url + address).catch((error) => String(error.cause ?? error));
    minute.times.push(performance.now() - started);
    minute.reads += 1;
    const status = typeof sent === 'string' ? sent : (sent.headers.get('cache-status') ?? '');
    if (typeof sent === 'string' || sent.status >= 500) {
      const what = `${address}: ${typeof sent === 'string' ? '' : sent.status} ${status}`;
      // The site had no chance to answer.
      if (before.isBroken || before.changes !== changes) minute.failedAtSite += 1;
      else if (what.includes('circuit-open') && performance.now() - endedAt < CIRCUIT_TIME)
        minute.refusedAfter += 1;
      else minute.failed.push(what);
      return;
    }
    if (/^waygate; hit/.test(status)) minute.hits += 1;
    const content = oracle.epoch === before.epoch ? oracle.read(address) : undefined;
    if (content === undefined || (await content).hash === sent.hash) return;
    // A write without an outcome leaves what is stored in use while the site cannot be asked.
    if (status.includes('unconfirmed') && (before.isBroken || isBroken)) minute.unconfirmed += 1;
    else minute.stale.push(`${address}: ${status}; ${oracle.listWritesSince(address, sent.hash).join(', ')}`);
  };
  let writes = 0;
  let failedWrites = 0;
  const write = () => {
    const { id } = posts[Math.floor(random() * posts.length)] ?? { id: 0 };
    const body = JSON.stringify({ excerpt: `Excerpt ${writes}`, title: `Title ${writes}` });
    writes += 1;
    return oracle.write(`write ${writes} of ${id}${isBroken ? ', during an outage' : ''}`, async () => {
      const { status } = await get(`${gateway.url}/wp-json/wp/v2/posts/${id}`, {
        method: 'POST',
        headers: json,
        body,
        limit: 30_000,
      });
      if (status !== 200) failedWrites += 1;
    });
  };

  const started = Date.now();
  /** @type {Set<Promise<unknown>>} */
  const reads = new Set();
  let isOver = false;
  const traffic = (async () => {
    let lastWrite = Promise.resolve();
    for (let count = 0; !isOver; count += 1) {
      await sleep(Math.max(0, started + (count * 1_000) / RATE - Date.now()));
      while (reads.size >= MAX_CONCURRENT) await Promise.race(reads);
      // By Zipf's law, nearly.
      const pending = read(addresses[Math.floor(addresses.length ** random()) - 1] ?? '/').finally(() =>
        reads.delete(pending),
      );
      reads.add(pending);
      if (count % (RATE * WRITE_INTERVAL) === 0) lastWrite = lastWrite.then(write);
    }
    await Promise.all([...reads, lastWrite]);
  })();

  const rows = [];
  for (let number = 1; number <= minutes; number += 1) {
    const second = (/** @type {number} */ at) =>
      sleep(Math.max(0, started + ((number - 1) * 60 + at) * 1_000 - Date.now()));
    const fault = random() < 0.5 ? FAULTS[Math.floor(random() * FAULTS.length)] : undefined;
    const [name, begin, end] = others[Math.floor(random() * others.length)] ?? [''];
    current = startMinute(fault === undefined ? name : `the site ${fault.name}`);
    const setBroken = (/** @type {boolean} */ value) => {
      isBroken = value;
      changes += 1;
      if (!value) endedAt = performance.now();
      return wire.use(value ? (fault ?? null) : null);
    };
    await second(BEGIN);
    await (fault === undefined ? begin?.() : setBroken(true));
    await second(END);
    await (fault === undefined ? end?.() : setBroken(false));
    await second(59);
    const times = current.times.toSorted((a, b) => a - b);
    const at = (/** @type {number} */ share) => Math.round(times[Math.floor(times.length * share)] ?? 0);
    const { times: _, ...counts } = current;
    const row = { minute: number, ...counts, p50: at(0.5), p99: at(0.99), ...measureProcesses(pid) };
    rows.push(row);
    process.stderr.write(`${JSON.stringify(row)}\n`);
    if (!gateway.isAlive) throw new Error(`the gateway has ended: ${gateway.errors}`);
  }
  isOver = true;
  await traffic;
  const sum = (/** @type {(row: (typeof rows)[number]) => number} */ count) =>
    rows.reduce((all, row) => all + count(row), 0);
  const result = {
    ...{
      minutes,
      seed,
      writes,
      failedWrites,
      reads: sum(({ reads: each }) => each),
      hits: sum(({ hits }) => hits),
    },
    failed: sum(({ failed }) => failed.length),
    failedAtSite: sum(({ failedAtSite }) => failedAtSite),
    refusedAfter: sum(({ refusedAfter }) => refusedAfter),
    stale: sum(({ stale }) => stale.length),
    unconfirmed: sum(({ unconfirmed }) => unconfirmed),
    rows,
  };
  writeFileSync(`${out}.json`, `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(`${out}.svg`, drawPicture(rows));
  return result;
}
