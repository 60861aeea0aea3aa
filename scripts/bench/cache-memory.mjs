// node --expose-gc scripts/bench/cache-memory.mjs [--urls 1000000] [--bytes 268435456] [--body 1000] [--modules <folder>]
//
// Stores responses of distinct URLs in the memory store, and compares the growth of the process, peak and final, with the
// store's byte limit. Body sizes vary around --body. Each response has the header fields of a typical site.

import { parseArgs } from 'node:util';
import { importerOf } from '../build/modules.mjs';

const { values } = parseArgs({
  options: {
    urls: { type: 'string', default: '1000000' },
    bytes: { type: 'string', default: String(256 * 1024 * 1024) },
    body: { type: 'string', default: '1000' },
    modules: { type: 'string' },
  },
});
const urls = Number(values.urls);
const maxBytes = Number(values.bytes);
const averageBodySize = Number(values.body);

const { createMemoryStore } = await (await importerOf(values.modules))('cache/stores/memory-store');

/** Creates a stored response of a list. Its strings are not shared with other responses, like those from a parser. */
function createResponse(index) {
  const json = JSON.stringify({ id: index, link: `https://example.com/${index}/` });
  const size = Math.max(
    json.length,
    Math.round(averageBodySize * (0.25 + (1.5 * ((index * 2654435761) % 1000)) / 1000)),
  );
  const body = new Uint8Array(size).fill(32);
  new TextEncoder().encodeInto(json, body);
  const now = Date.now();
  return {
    status: 200,
    headers: JSON.parse(
      JSON.stringify(
        [
          ['Content-Type', 'application/json; charset=UTF-8'],
          ['X-Robots-Tag', 'noindex'],
          ['Allow', 'GET'],
          ['Link', `<https://example.com/wp-json/wp/v2/posts?page=${index}>; rel="next"`],
          ['X-Content-Type-Options', 'nosniff'],
          ['X-WP-Total', String(index)],
          ['X-WP-TotalPages', String(index % 97)],
          ['Access-Control-Expose-Headers', 'X-WP-Total, X-WP-TotalPages, Link'],
          ['Vary', 'Origin'],
          ['Content-Length', String(size)],
          ['Date', new Date(now).toUTCString()],
        ].flat(),
      ),
    ),
    body,
    variantKey: `origin: ${index % 3}`,
    vary: ['origin'],
    requestTime: now - 0.5,
    responseTime: now + 0.25,
    initialAge: 0.125,
    freshnessLifetime: 30.5,
    staleWhileRevalidate: 600,
    staleIfError: 86_400,
    markedStale: false,
    tags: JSON.parse(
      JSON.stringify(['site', 'wp/v2', 'wp/v2/posts', `wp/v2/posts/${index}`, `wp/v2/users/${index % 50}`]),
    ),
  };
}

const nextTask = () => new Promise((resolve) => setImmediate(resolve));
const residentBytes = () => process.memoryUsage().rss;

/** Creates responses and passes each to `consume`. Returns the growth of the process in bytes: peak and final. */
async function measureGrowth(count, consume) {
  globalThis.gc?.();
  const before = residentBytes();
  let peak = 0;
  for (let index = 0; index < count; index += 1) {
    consume(index, createResponse(index));
    // A server yields to the event loop between requests, where finalizers return freed memory.
    if (index % 100 === 0) await nextTask();
    if (index % 1000 === 0) peak = Math.max(peak, residentBytes() - before);
  }
  return { peak, final: residentBytes() - before };
}

// Memory for creating and discarding responses is not the store's.
const withoutStore = await measureGrowth(Math.min(urls, 50_000), () => {});
const store = createMemoryStore({ maxBytes, clock: { now: () => Date.now() } });
const startTime = performance.now();
const withStore = await measureGrowth(urls, (index, response) => {
  store.put(`https://example.com GET /wp/v2/posts?page=${index}`, response);
});
const seconds = (performance.now() - startTime) / 1000;
const { responseCount, bytes } = store.stats();
globalThis.gc?.();
await nextTask();
const { heapUsed, arrayBuffers } = process.memoryUsage();
const mib = (value) => `${(value / 1024 / 1024).toFixed(1)} MiB`;
process.stdout.write(
  [
    `${urls} URLs in ${seconds.toFixed(1)} s, ${responseCount} stored, average body ${averageBodySize} bytes`,
    `limit ${mib(maxBytes)}, accounted ${mib(bytes)}, ${Math.round(bytes / responseCount)} bytes per response`,
    `resident memory grew by ${mib(withStore.peak)} at peak (${(withStore.peak / maxBytes).toFixed(2)} of the limit), ${mib(withStore.final)} at the end`,
    `without a store, creating the responses grows it by ${mib(withoutStore.peak)}`,
    `after garbage collection: heap ${mib(heapUsed)}, buffers ${mib(arrayBuffers)}`,
    '',
  ].join('\n'),
);
await store.close();
