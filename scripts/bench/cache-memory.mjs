// node --expose-gc scripts/bench/cache-memory.mjs [--urls 1000000] [--bytes 268435456] [--body 1000] [--dist dist]
//
// Puts as many distinct addresses into the memory store as it is told, and prints what the process grew by at most and in
// the end beside what the store was allowed. Bodies vary in size around --body; each answer has a typical site's headers.

import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    urls: { type: 'string', default: '1000000' },
    bytes: { type: 'string', default: String(256 * 1024 * 1024) },
    body: { type: 'string', default: '1000' },
    dist: { type: 'string', default: 'dist' },
  },
});
const urls = Number(values.urls);
const maxBytes = Number(values.bytes);
const typical = Number(values.body);

const { createMemoryStore } = await import(
  new URL(`${values.dist}/cache/stores/index.js`, pathToFileURL(`${process.cwd()}/`)).href
);

/** Answers of a list of a site, each with texts of its own as they come from a parser. */
function answerOf(at) {
  const json = JSON.stringify({ id: at, link: `https://example.com/${at}/` });
  const size = Math.max(
    json.length,
    Math.round(typical * (0.25 + (1.5 * ((at * 2654435761) % 1000)) / 1000)),
  );
  const body = new Uint8Array(size).fill(32);
  new TextEncoder().encodeInto(json, body);
  const now = Date.now();
  return {
    status: 200,
    headers: JSON.parse(
      JSON.stringify([
        ...['Content-Type', 'application/json; charset=UTF-8', 'X-Robots-Tag', 'noindex', 'Allow', 'GET'],
        ...['Link', `<https://example.com/wp-json/wp/v2/posts?page=${at}>; rel="next"`],
        ...[
          'X-Content-Type-Options',
          'nosniff',
          'X-WP-Total',
          String(at),
          'X-WP-TotalPages',
          String(at % 97),
        ],
        ...['Access-Control-Expose-Headers', 'X-WP-Total, X-WP-TotalPages, Link', 'Vary', 'Origin'],
        ...['Content-Length', String(size), 'Date', new Date(now).toUTCString()],
      ]),
    ),
    body,
    variant: `origin: ${at % 3}`,
    vary: ['origin'],
    requestTime: now - 0.5,
    responseTime: now + 0.25,
    initialAge: 0.125,
    lifetime: 30.5,
    staleWhileRevalidate: 600,
    staleIfError: 86_400,
    purged: false,
    tags: JSON.parse(
      JSON.stringify(['site', 'wp/v2', 'wp/v2/posts', `wp/v2/posts/${at}`, `wp/v2/users/${at % 50}`]),
    ),
  };
}

const breath = () => new Promise((resolve) => setImmediate(resolve));
const resident = () => process.memoryUsage().rss;

/** Makes answers, and gives each to `use`; the most that the process grew by meanwhile. */
async function growth(count, use) {
  globalThis.gc?.();
  const before = resident();
  let most = 0;
  for (let at = 0; at < count; at += 1) {
    use(at, answerOf(at));
    // A server takes a breath between requests, in which what the collector has freed is given back.
    if (at % 100 === 0) await breath();
    if (at % 1000 === 0) most = Math.max(most, resident() - before);
  }
  return { most, end: resident() - before };
}

// What the process needs to make answers and to throw them away is not the store's.
const alone = await growth(Math.min(urls, 50_000), () => {});
const store = createMemoryStore({ maxBytes, clock: { now: () => Date.now() } });
const began = performance.now();
const filled = await growth(urls, (at, answer) => {
  store.put(`https://example.com GET /wp/v2/posts?page=${at}`, answer);
});
const seconds = (performance.now() - began) / 1000;
const { entries, bytes } = store.stats();
globalThis.gc?.();
await breath();
const { heapUsed, arrayBuffers } = process.memoryUsage();
const mib = (value) => `${(value / 1024 / 1024).toFixed(1)} MiB`;
process.stdout.write(
  [
    `${urls} addresses in ${seconds.toFixed(1)} s, ${entries} kept, bodies of ${typical} bytes on average`,
    `allowed ${mib(maxBytes)}, counted ${mib(bytes)}, ${Math.round(bytes / entries)} bytes an answer`,
    `resident memory grew by ${mib(filled.most)} at most, ${(filled.most / maxBytes).toFixed(2)} of what is allowed, and ${mib(filled.end)} in the end`,
    `without a store, making the answers grows it by ${mib(alone.most)}`,
    `after collection: heap ${mib(heapUsed)}, buffers ${mib(arrayBuffers)}`,
    '',
  ].join('\n'),
);
await store.close();
