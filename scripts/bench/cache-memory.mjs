// @ts-check
// node --expose-gc scripts/bench/cache-memory.mjs [--urls 20000] [--bytes 10240] [--dist dist]
//
// Compares what the memory store accounts for each response with the memory that a gateway takes for it: the heap and the buffers
// after garbage collection, before and after responses of as many URLs were stored. Prints a line of JSON, in bytes per response.
import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { readOptions } from '../options.mjs';
import { shop } from './shop.mjs';

const { values } = readOptions(import.meta.url, {
  options: {
    urls: { type: 'string', default: '20000' },
    bytes: { type: 'string', default: '10240' },
    dist: { type: 'string', default: 'dist' },
  },
});
const urls = Number(values.urls);
/** URLs that are requested before the measurement, so that lazy work is done. */
const FIRST = 3_000;

/** @param {string} file */
const load = (file) => import(pathToFileURL(resolve(values.dist, file)).href);
const { createGateway } = await load('index.js');
const { createCacheStore } = await load('node/index.js');
const store = await createCacheStore('memory', { memory: { maxBytes: 2 ** 31 } });
const index = JSON.stringify(shop(230));
const gateway = createGateway({
  sites: [{ url: 'https://example.com/', validation: { mode: 'enforce' } }],
  cache: store,
  fetch: async (/** @type {string | URL | Request} */ input) =>
    respond(new URL(input instanceof Request ? input.url : input)),
});
await gateway.rediscover();

for (let page = 1; page <= FIRST; page++) await request(page);
const before = await measure();
for (let page = FIRST + 1; page <= FIRST + urls; page++) await request(page);
const after = await measure();
if (after.count - before.count !== urls)
  throw new Error(`${after.count - before.count} responses are stored`);
const accounted = (after.accounted - before.accounted) / urls;
console.log(JSON.stringify({ accounted, used: (after.used - before.used) / urls }));
await gateway.stop();
await store.close();

/** @param {URL} url */
function respond(url) {
  const isIndex = url.pathname === '/wp-json/' || url.pathname === '/wp-json';
  const body = isIndex ? index : JSON.stringify([{ id: 1, text: url.search.padEnd(Number(values.bytes)) }]);
  return new Response(body, {
    headers: {
      'Content-Type': 'application/json; charset=UTF-8',
      'X-Robots-Tag': 'noindex',
      Link: '<https://example.com/wp-json/>; rel="https://api.w.org/"',
      'X-Content-Type-Options': 'nosniff',
      'X-WP-Total': '20000',
      'X-WP-TotalPages': '2000',
      'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, Link',
      Vary: 'Origin',
      Allow: 'GET, POST',
      'Cache-Control': 'max-age=3600',
    },
  });
}

/** @param {number} page */
async function request(page) {
  const response = await gateway.request(`/wp-json/shop/v1/thing0s?page=${page}`);
  await response.arrayBuffer();
}

async function measure() {
  for (let round = 0; round < 5; round++) {
    await nextTurn();
    globalThis.gc?.();
  }
  const { external, heapUsed } = process.memoryUsage();
  const { bytes, responseCount } = store.report();
  return { used: heapUsed + external, accounted: bytes, count: responseCount };
}
