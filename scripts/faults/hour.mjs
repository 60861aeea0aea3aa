// @ts-check
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRest, fillSite, WRITES } from '../mix/content.mjs';
import { Oracle, readContent } from '../mix/oracle.mjs';
import { startWordPress } from '../wordpress/start.mjs';
import { drawPicture } from './picture.mjs';
import { SITE_FAULTS } from './site-faults.mjs';
import { findPort, Gateway, get, onEnd, sendBytes, startRedis, TOKEN } from './support.mjs';

/** Requests of a second, and seconds between two writes, and between two carts. A page of a shop takes ten times as long as one of a blog. */
const [RATE, WRITE_INTERVAL] = [10, 7];
const [SHOP_RATE, SHOP_WRITE_INTERVAL, CART_INTERVAL] = [3, 20, 5];
/** Seconds of a minute at which its fault begins and ends. */
const [BEGIN, END] = [10, 25];
/** Milliseconds for which a circuit may refuse requests to a site that is back: it tries the site each 200 ms, and a page of a shop takes its time. */
const CIRCUIT_TIME = 1_000;
/** The next read waits while so many are in progress. */
const MAX_CONCURRENT = 8;

/** @typedef {(typeof SITE_FAULTS)[number]} SiteFault */
/** @typedef {{ name: string, reads: number, hits: number, failed: string[], failedAtSite: number, refusedAfter: number, slow: number, carts: number, stale: string[], unconfirmed: number, times: number[] }} Minute */

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

/** Open descriptors, and MiB in memory, of a process. @param {number} pid */
function measureProcess(pid) {
  const descriptors = readdirSync(`/proc/${pid}/fd`).length;
  const memory = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  return { descriptors, memory: Math.round(memory) };
}

/**
 * Sends reads, writes and carts to a real WordPress, or a shop with the plugin WooCommerce, behind two gateways with one Redis, with a fault in each minute.
 *
 * @param {{ readonly minutes: number, readonly seed: number, readonly out: string, readonly wordpress?: string | undefined, readonly plugin: readonly string[] }} options
 * @returns the sums, also written to `<out>.json`, with a picture in `<out>.svg`
 */
export async function runHour({ minutes, out, plugin, seed, wordpress: folder }) {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const wordpress = await startWordPress({
    ...(folder !== undefined && { wordpress: resolve(folder) }),
    plugins: plugin.map((each) => resolve(each)),
  });
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
    ...{ redis: `redis://127.0.0.1:${redisPort}`, admin: { token: TOKEN } },
    sites: [
      {
        ...{ url: `http://127.0.0.1:${wire.port}`, upstream: { host }, passthrough: true },
        cache: { pages: '60s' },
        timeouts: { connect: '1s', headers: '10s', body: '10s' },
      },
    ],
  };
  // A shop takes long to describe itself.
  const gateway = await new Gateway(config).ready(90_000);
  let other = await new Gateway(config).ready(90_000);
  let turn = 0;
  /** Reads go to both by turns. As a load balancer does, one that a killed gateway has not answered is sent to the other one. @param {string} address */
  const readAny = (address) => {
    turn += 1;
    if (turn % 2 === 0 || other.child.killed) return readContent(gateway.url + address);
    return readContent(other.url + address).catch((error) => {
      if (!other.child.killed) throw error;
      return readContent(gateway.url + address);
    });
  };
  const pid = gateway.child.pid ?? 0;
  const { password, user } = wordpress.users.administrator;
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const { addresses, posts, products } = await fillSite(origin, authorization);
  const isShop = products.length > 0;
  const [rate, writeInterval] = isShop ? [SHOP_RATE, SHOP_WRITE_INTERVAL] : [RATE, WRITE_INTERVAL];
  const kinds = Object.keys(WRITES).filter((kind) => isShop || !/price|stock/.test(kind));
  const oracle = new Oracle(origin);

  /** @type {readonly (readonly [name: string, begin: () => unknown, end?: () => unknown])[]} */
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
    [
      'the other gateway is killed',
      () => other.child.kill('SIGKILL'),
      async () => (other = await new Gateway(config).ready(90_000)),
    ],
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
        Promise.all(
          Array.from({ length: 200 }, (_, at) => get(`${gateway.url}/?s=${at % 20}`, { limit: 30 })),
        ),
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
    slow: 0,
    carts: 0,
    stale: [],
    unconfirmed: 0,
    times: [],
  });
  let current = startMinute('');
  /** Whether the site answers, and how often that has changed. */
  let isBroken = false;
  let changes = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  /** Whether a request of which nothing came, and that began in this state, had a site that could answer. */
  const note = () => ({ minute: current, epoch: oracle.epoch, changes, isBroken });
  /** @param {ReturnType<typeof note>} before @param {string} what */
  const fail = ({ minute, ...before }, what) => {
    // The site had no chance to answer.
    if (before.isBroken || before.changes !== changes) minute.failedAtSite += 1;
    else if (what.includes('circuit-open') && performance.now() - endedAt < CIRCUIT_TIME)
      minute.refusedAfter += 1;
    // It took longer than the time limit by itself.
    else if (what.includes('failed timeout')) minute.slow += 1;
    else minute.failed.push(what);
  };
  /** @param {string} address */
  const read = async (address) => {
    const before = note();
    const { minute } = before;
    const sentAt = performance.now();
    const sent = await readAny(address).catch((error) => String(error.cause ?? error));
    minute.times.push(performance.now() - sentAt);
    minute.reads += 1;
    const status = typeof sent === 'string' ? sent : (sent.headers.get('cache-status') ?? '');
    if (typeof sent === 'string' || sent.status >= 500)
      return fail(before, `${address}: ${typeof sent === 'string' ? '' : sent.status} ${status}`);
    const isHit = /^waygate; hit/.test(status);
    if (isHit) minute.hits += 1;
    // What was not stored comes from the site itself: a shop has no time to make each page twice.
    if (isShop && !isHit && !status.includes('collapsed') && random() < 0.9) return;
    const content = oracle.epoch === before.epoch ? oracle.read(address) : undefined;
    if (content === undefined || (await content).hash === sent.hash) return;
    // A write without an outcome leaves what is stored in use while the site cannot be asked.
    if (/unreachable.*unconfirmed/.test(status)) minute.unconfirmed += 1;
    else minute.stale.push(`${address}: ${status}; ${oracle.listWritesSince(address, sent.hash).join(', ')}`);
  };
  const rest = createRest(gateway.url, authorization);
  let writes = 0;
  let failedWrites = 0;
  const write = () => {
    const post = posts[Math.floor(random() * posts.length)] ?? { id: 0, path: '' };
    const kind = kinds[Math.floor(random() * kinds.length)] ?? '';
    writes += 1;
    const name = `${kind} ${writes} of ${post.path}`;
    return oracle.write(`${name}${isBroken ? ', during an outage' : ''}`, async () => {
      const before = note();
      await WRITES[kind]?.(rest, post, `Text ${writes} of ${kind}`).catch((error) => {
        failedWrites += 1;
        fail(before, `${name}: ${String(error.cause ?? error).slice(0, 300)}`);
      });
    });
  };
  let carts = 0;
  /** Fills the cart of a visitor, in one of two ways, and reads it and that of another visitor. */
  const shop = async () => {
    const before = note();
    const { id } = products[Math.floor(random() * products.length)] ?? { id: 0 };
    carts += 1;
    const isByForm = carts % 2 === 0;
    /** @param {string} path @param {Record<string, string>} headers @param {string} [body] */
    const send = async (path, headers, body) => {
      const type = isByForm ? 'application/x-www-form-urlencoded' : 'application/json';
      const response = await fetch(gateway.url + path, {
        headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
        ...(body !== undefined && { method: 'POST', body }),
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      if (!response.ok)
        throw new Error(`${path}: ${response.status} ${response.headers.get('cache-status')} ${text}`);
      return { headers: response.headers, content: JSON.parse(text) };
    };
    const cart = '/wp-json/wc/store/v1/cart';
    /** @param {Record<string, string>} headers */
    const list = async (headers) =>
      (await send(cart, headers)).content.items.map((/** @type {{ id: number }} */ item) => item.id);
    try {
      let visitor = {};
      if (isByForm) {
        const { headers } = await send('/?wc-ajax=add_to_cart', {}, `product_id=${id}&quantity=1`);
        visitor = {
          cookie: headers
            .getSetCookie()
            .map((each) => each.split(';')[0])
            .join('; '),
        };
      } else {
        const { headers } = await send(cart, {});
        // WooCommerce 8 takes no token in place of the nonce.
        visitor = Object.fromEntries(['cart-token', 'nonce'].map((name) => [name, headers.get(name) ?? '']));
        await send(`${cart}/add-item`, visitor, JSON.stringify({ id, quantity: 1 }));
      }
      const [own, foreign] = [await list(visitor), await list({})];
      before.minute.carts += 1;
      if (`${own}` !== `${id}` || foreign.length > 0)
        before.minute.stale.push(`a cart with ${id} has ${own}, that of another visitor has ${foreign}`);
    } catch (error) {
      fail(before, `a cart: ${String(/** @type {Error} */ (error).cause ?? error).slice(0, 300)}`);
    }
  };

  const started = Date.now();
  /** @type {Set<Promise<unknown>>} */
  const reads = new Set();
  let isOver = false;
  const traffic = (async () => {
    let [lastWrite, lastCart] = [Promise.resolve(), Promise.resolve()];
    for (let count = 0; !isOver; count += 1) {
      await sleep(Math.max(0, started + (count * 1_000) / rate - Date.now()));
      while (reads.size >= MAX_CONCURRENT) await Promise.race(reads);
      // By Zipf's law, nearly.
      const pending = read(addresses[Math.floor(addresses.length ** random()) - 1] ?? '/').finally(() =>
        reads.delete(pending),
      );
      reads.add(pending);
      if (count % (rate * writeInterval) === 0) lastWrite = lastWrite.then(write);
      if (isShop && count % (rate * CART_INTERVAL) === 0) lastCart = lastCart.then(shop);
    }
    await Promise.all([...reads, lastWrite, lastCart]);
  })();

  /** @type {({ minute: number, p50: number, p99: number } & Omit<ReturnType<typeof startMinute>, 'times'> & ReturnType<typeof measureProcess>)[]} */
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
    const row = { minute: number, ...counts, p50: at(0.5), p99: at(0.99), ...measureProcess(pid) };
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
    slow: sum(({ slow }) => slow),
    carts: sum((row) => row.carts),
    stale: sum(({ stale }) => stale.length),
    unconfirmed: sum(({ unconfirmed }) => unconfirmed),
    rows,
  };
  writeFileSync(`${out}.json`, `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(`${out}.svg`, drawPicture(rows));
  return result;
}
