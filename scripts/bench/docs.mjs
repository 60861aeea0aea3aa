// @ts-check
// npm run bench:docs [operations…]: what the documentation costs a browser, beside Scalar with the same document in the same
// run: first contentful paint, longest task, bytes, heap; and what a page costs the server. Needs `npm run build`, Chromium at
// /usr/bin/chromium, and npm's registry on the first run: Scalar is installed in a folder of the system's temporary files.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { createGateway, toOpenApi } from '../../dist/index.js';
import { serve } from '../../dist/node/index.js';
import { importerOf } from '../build/modules.mjs';
import { shop } from './shop.mjs';
import { asTable, median } from './table.mjs';

const importModule = await importerOf();
/** @type {typeof import('../../src/discovery/index.ts')} */
const { readIndex } = await importModule('discovery/index');

const SCALAR_VERSION = '1.46.4';
const RUNS = 3;
const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_200, 10_000];
/** Scalar is not asked to open larger documents: it takes minutes. */
const MAX_SCALAR_OPERATIONS = 2_000;

/** @typedef {{ paint: number, longest: number, bytes: number, heap: number }} Cost */

const scalar = readFileSync(await installScalar());
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--enable-precise-memory-info'],
});
try {
  for (const size of SIZES) await benchSize(size);
} finally {
  await browser.close();
}

/** @param {number} operations */
async function benchSize(operations) {
  const document = createDocument(operations);
  const gateway = createGateway({ sites: [{ url: 'https://example.com/', discovery: 'off', document }] });
  const server = await serve(gateway, { port: 0, shutdownGrace: 100 });
  const scalarServer = await serveScalar(document);
  try {
    const overview = await measure(`${server.url}/docs`);
    const searched = await measure(`${server.url}/docs`, searchPage);
    const resource = await measure(`${server.url}/docs/shop/v1/thing0s`);
    if (!(overview.paint > 0 && resource.paint > 0)) throw new Error('a page was not painted');
    /** @type {Record<string, string | number>[]} */
    const rows = [
      toRow('waygate, overview', overview),
      toRow('waygate, overview and search', searched),
      toRow('waygate, a resource', resource),
    ];
    if (operations <= MAX_SCALAR_OPERATIONS) {
      const theirs = await measure(scalarServer.url, async (page) => {
        await page.getByText('Introduction').first().waitFor({ state: 'attached', timeout: 120_000 });
      });
      rows.push(toRow(`Scalar ${SCALAR_VERSION}`, theirs));
      rows.push(toRatio('Scalar / overview and search', theirs, searched));
      rows.push(toRatio('Scalar / a resource', theirs, resource));
    }
    console.log(
      asTable({ case: `${operations} operations, in Chromium, median of ${RUNS}`, contenders: rows }),
    );
    const index = await fetch(`${server.url}/docs/search.json`);
    await index.arrayBuffer();
    const size = Number(index.headers.get('content-length')) / 1_000;
    console.log(`  the search index has ${Math.round(size)} KB of the bytes\n`);
    await benchRendering(gateway, operations);
  } finally {
    await server.stop();
    scalarServer.close();
  }
}

/**
 * Asks for pages that were not rendered before, and for each again, and prints the times of the responses.
 *
 * @param {import('../../dist/index.js').Gateway} gateway
 * @param {number} operations
 */
async function benchRendering(gateway, operations) {
  /** @param {string} path */
  const get = async (path) => {
    const started = performance.now();
    const response = await gateway.request(`http://localhost${path}`);
    await response.arrayBuffer();
    return response.status === 200 ? [performance.now() - started] : [];
  };
  /** @type {number[]} */
  const rendered = [];
  /** @type {number[]} */
  const kept = [];
  for (let number = 4; number < 164; number += 4) {
    rendered.push(...(await get(`/docs/shop/v1/thing${number}s`)));
    kept.push(...(await get(`/docs/shop/v1/thing${number}s`)));
  }
  const [first, again] = [rendered, kept].map((times) => `${median(times).toFixed(1)} ms`);
  console.log(`  a page at ${operations} operations: ${first} when it is rendered, ${again} again\n`);
}

/** @param {import('playwright-core').Page} page */
async function searchPage(page) {
  await page.keyboard.press('/');
  await page.keyboard.type('update thing');
  await page.getByRole('option').first().waitFor();
}

/**
 * @param {string} url
 * @param {(page: import('playwright-core').Page) => Promise<unknown>} [use] what is done before the heap is measured
 * @returns {Promise<Cost>}
 */
async function measure(url, use) {
  // The first visit renders the page; the server keeps it.
  await visit(url, use);
  /** @type {Cost[]} */
  const costs = [];
  for (let run = 0; run < RUNS; run += 1) costs.push(await visit(url, use));
  /** @param {keyof Cost} name */
  const of = (name) => median(costs.map((cost) => cost[name]));
  return { paint: of('paint'), longest: of('longest'), bytes: of('bytes'), heap: of('heap') };
}

/**
 * @param {string} url
 * @param {(page: import('playwright-core').Page) => Promise<unknown>} [use]
 * @returns {Promise<Cost>}
 */
async function visit(url, use) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  /** @type {import('playwright-core').Request[]} */
  const requests = [];
  page.on('requestfinished', (request) => requests.push(request));
  const measureWorkers = await watchWorkers(session);
  await page.addInitScript(() => {
    /** @type {number[]} */
    const tasks = [];
    Object.assign(globalThis, { tasks });
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    });
    observer.observe({ type: 'longtask', buffered: true });
  });
  await page.goto(url, { waitUntil: 'load' });
  await use?.(page);
  await page.waitForTimeout(1_000);
  const { longest, paint } = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    longest: Math.max(0, ...Reflect.get(globalThis, 'tasks')),
  }));
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const heap = usedSize + (await measureWorkers());
  const sizes = await Promise.all(requests.map((request) => request.sizes()));
  const bytes = sizes.reduce(
    (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
    0,
  );
  await context.close();
  return { paint, longest, bytes, heap };
}

/**
 * The worker that searches has a heap of its own.
 *
 * @param {import('playwright-core').CDPSession} session
 * @returns {Promise<() => Promise<number>>} a function that measures the heaps of the page's workers, in bytes
 */
async function watchWorkers(session) {
  /** @type {string[]} */
  const workers = [];
  session.on('Target.attachedToTarget', ({ sessionId }) => workers.push(sessionId));
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  });
  /** @param {string} sessionId @param {number} id @param {string} method @returns {Promise<any>} */
  const send = (sessionId, id, method) =>
    new Promise((resolve) => {
      session.on('Target.receivedMessageFromTarget', ({ message }) => {
        const reply = JSON.parse(message);
        if (reply.id === id) resolve(reply.result);
      });
      void session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) });
    });
  return async () => {
    let sum = 0;
    for (const [at, sessionId] of workers.entries()) {
      await send(sessionId, 2 * at + 1, 'HeapProfiler.collectGarbage');
      sum += (await send(sessionId, 2 * at + 2, 'Runtime.getHeapUsage')).usedSize;
    }
    return sum;
  };
}

/** @param {string} name @param {Cost} cost */
function toRow(name, { bytes, heap, longest, paint }) {
  return {
    name,
    'first paint, ms': Math.round(paint),
    'longest task, ms': Math.round(longest),
    'bytes, KB': Math.round(bytes / 1_000),
    'heap, MB': (heap / 1e6).toFixed(1),
  };
}

/** @param {string} name @param {Cost} theirs @param {Cost} ours */
function toRatio(name, theirs, ours) {
  /** @param {keyof Cost} key */
  const of = (key) => `× ${(theirs[key] / Math.max(ours[key], 1)).toFixed(1)}`;
  return {
    name,
    'first paint, ms': of('paint'),
    'longest task, ms': of('longest'),
    'bytes, KB': of('bytes'),
    'heap, MB': of('heap'),
  };
}

/** @param {number} operations @returns {Record<string, unknown>} */
function createDocument(operations) {
  const { index } = readIndex(JSON.stringify(shop(operations)));
  const base = 'https://example.com/';
  const started = performance.now();
  const { document } = toOpenApi({
    address: { base, root: `${base}wp-json/`, spelling: 'pretty', prefix: 'wp-json' },
    index,
    diagnostics: [],
  });
  console.error(`document of ${operations} operations: ${Math.round(performance.now() - started)} ms`);
  return JSON.parse(JSON.stringify(document));
}

/**
 * Serves Scalar's page as its guide describes it, compressed, with the document beside it.
 *
 * @param {Record<string, unknown>} document
 * @returns {Promise<{ url: string, close(): void }>}
 */
async function serveScalar(document) {
  const page =
    '<!doctype html><meta charset="utf-8"><title>Scalar</title><div id="app"></div>' +
    '<script src="/scalar.js"></script>' +
    `<script>Scalar.createApiReference('#app', { url: '/openapi.json', withDefaultFonts: false })</script>`;
  /** @type {Map<string, readonly [type: string, body: Buffer]>} */
  const files = new Map([
    ['/', ['text/html', gzipSync(page)]],
    ['/scalar.js', ['text/javascript', gzipSync(scalar)]],
    ['/openapi.json', ['application/json', gzipSync(JSON.stringify(document))]],
  ]);
  const server = createServer(({ url }, response) => {
    const [type, body] = files.get(url ?? '') ?? [];
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': type ?? 'text/plain',
      ...(body === undefined ? {} : { 'content-encoding': 'gzip' }),
    });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}

/** Installs Scalar once for its version. @returns {Promise<string>} the path of its script for browsers */
async function installScalar() {
  const folder = join(tmpdir(), `waygate-scalar-${SCALAR_VERSION}`);
  const script = join(folder, 'node_modules/@scalar/api-reference/dist/browser/standalone.js');
  if (existsSync(script)) return script;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const options = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await promisify(execFile)('npm', [...options, `@scalar/api-reference@${SCALAR_VERSION}`], { cwd: folder });
  return script;
}
