// @ts-check
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { shop } from '../bench/shop.mjs';
import { buildMarked, MARKER } from './build.mjs';

/**
 * A function that ran, in the order of the first calls, with their number.
 *
 * @typedef {import('./build.mjs').SourceFunction & { calls: number }} TracedFunction
 */

/** Operations of the site. */
const OPERATIONS = 230;
/** Rounds of requests before the measured ones. */
const ROUNDS = 20;
/** Milliseconds after a response in which the work that it has caused is done too. */
const AFTERWARDS = 100;
const ITEM = { id: 1, property_0: { rendered: 'A thing' }, property_1: 'x'.repeat(200) };
const LIST_BODY = Buffer.from(JSON.stringify(Array.from({ length: 40 }, (_, id) => ({ ...ITEM, id }))));
const LIST = '/wp-json/shop/v1/thing0s';
const POST_BODY = JSON.stringify({
  field_0: 'x'.repeat(900),
  field_1: 1,
  field_2: [{ key: 'a' }],
  field_4: '2026-01-02T03:04:05Z',
});

/**
 * Runs single requests through the Node listener of a gateway with a memory store, in front of a site of {@link OPERATIONS}
 * operations on the loopback interface. The mode of validation is `observe`.
 *
 * @returns {Promise<Record<'first GET' | 'miss' | 'first hit' | 'hit' | 'POST', { functions: TracedFunction[] }>>}
 */
export async function traceRequests() {
  const build = await buildMarked();
  const recorder = record(build);
  const site = await startSite();
  const { openGateway } = await build.load('open-gateway');
  const { serve } = await build.load('gateway/node/index');
  const { systemClock } = await build.load('base/ports');
  // Time passes between requests alone. So no work is left out because the time for it is used up, on a busy machine too.
  let now = Date.now();
  const gateway = openGateway({
    clock: {
      now: () => now,
      // A task that is due later belongs to no request: it would be counted with whichever is traced then.
      after: (/** @type {number} */ delay, /** @type {() => void} */ task) =>
        delay > AFTERWARDS ? () => {} : systemClock.after(delay, task),
    },
    sites: [
      {
        url: site.url,
        validation: { mode: 'observe' },
        cache: { rules: [{ match: '/shop/v1/*', ttl: 30 }] },
      },
    ],
    cache: 'memory',
    random: () => 0.5,
  });
  const { setInterval } = globalThis;
  // What a timer of the server runs belongs to no request.
  globalThis.setInterval = /** @type {any} */ (() => setTimeout(() => {}));
  const server = await serve({ gateway, port: 0, access: () => {} });
  globalThis.setInterval = setInterval;
  // The server starts a discovery, which belongs to no request either.
  await gateway.rediscover();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  /** @param {'GET' | 'POST'} method @param {string} path */
  const send = async (method, path, afterwards = AFTERWARDS) => {
    const headers = {
      accept: 'application/json',
      ...(method === 'POST'
        ? { 'content-type': 'application/json', 'content-length': POST_BODY.length }
        : {}),
    };
    const request = http.request(server.url + path, { agent, method, headers });
    request.end(method === 'POST' ? POST_BODY : undefined);
    const [response] = await once(request, 'response');
    const status = response.headers['cache-status'] ?? '';
    for await (const _ of response);
    await sleep(afterwards);
    now += 1;
    return { code: response.statusCode, status };
  };
  try {
    let address = 0;
    const path = () => `${LIST}?per_page=5&page=${++address}`;
    const first = await recorder.during(() => send('GET', path()));
    // The first requests of each kind load and create what later ones use.
    for (let round = 0; round < ROUNDS; round++) {
      const repeated = path();
      for (const method of /** @type {const} */ (['GET', 'GET', 'GET', 'POST']))
        await send(method, repeated, 20);
    }
    const repeated = path();
    // Only the second request for an address is asked for everyone, and stored.
    await send('GET', repeated);
    const miss = await recorder.during(() => send('GET', repeated));
    const firstHit = await recorder.during(() => send('GET', repeated));
    await send('GET', repeated);
    const hit = await recorder.during(() => send('GET', repeated));
    const post = await recorder.during(() => send('POST', LIST));
    check(/fwd=(?:uri-)?miss/.test(first.result.status), 'the first GET', first.result);
    check(/fwd=(?:uri-)?miss/.test(miss.result.status), 'the miss', miss.result);
    check(/; ?hit/.test(firstHit.result.status), 'the first hit', firstHit.result);
    check(/; ?hit/.test(hit.result.status), 'the hit', hit.result);
    check(post.result.code === 201, 'the POST', post.result);
    const traces = { 'first GET': first, miss, 'first hit': firstHit, hit, POST: post };
    return traces;
  } finally {
    agent.destroy();
    await server.stop();
    await gateway.stop();
    site.close();
    build.remove();
  }
}

/** @param {boolean} holds @param {string} what @param {object} result */
function check(holds, what, result) {
  if (!holds) throw new Error(`${what} is not one: ${JSON.stringify(result)}`);
}

/**
 * Records the functions of a build that run, in the order of their first calls, by the markers in them.
 *
 * @param {Awaited<ReturnType<typeof buildMarked>>} build
 */
function record({ functions }) {
  /** @type {Map<number, number>} calls by the number of the function */
  const calls = new Map();
  /** @type {any} */ (globalThis)[MARKER] = (/** @type {number} */ number) =>
    calls.set(number, (calls.get(number) ?? 0) + 1);
  return {
    /** @template T @param {() => Promise<T>} task */
    async during(task) {
      calls.clear();
      const result = await task();
      const traced = [...calls].flatMap(([number, count]) => {
        const known = functions[number];
        return known === undefined ? [] : [{ ...known, calls: count }];
      });
      return { result, functions: traced };
    },
  };
}

/** Starts the site on the loopback interface. */
async function startSite() {
  const index = JSON.stringify(shop(OPERATIONS));
  // Each new date would be parsed.
  const date = new Date().toUTCString();
  const server = http.createServer((request, response) => {
    const isIndex = /^\/wp-json\/?(?:\?|$)/.test(request.url ?? '');
    request.resume();
    request.on('end', () => {
      const isWrite = request.method === 'POST';
      response.writeHead(isWrite ? 201 : 200, {
        'Content-Type': 'application/json; charset=UTF-8',
        Date: date,
        Link: `<http://${request.headers.host}/wp-json/>; rel="https://api.w.org/"`,
      });
      response.end(isIndex ? index : isWrite ? JSON.stringify(ITEM) : LIST_BODY);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
