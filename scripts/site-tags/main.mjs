#!/usr/bin/env node
// @ts-check
// Runs plugins that tag or purge at a temporary WordPress site behind the gateway with `cache.tags: site`, each with its own
// settings, and prints what they send, what is purged, and how many reads are stale. Their folders are arguments.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGateway } from '../../dist/index.js';
import { nodeTransport, serve } from '../../dist/node/index.js';
import { readContent } from '../mix/oracle.mjs';
import { startWordPress } from '../wordpress/start.mjs';
import { PLUGINS } from './plugins.mjs';

const USAGE = `node scripts/site-tags/main.mjs <plugin folder>...

The plugins: ${Object.keys(PLUGINS).join(', ')}. Get their sources first; the package must be built.
`;

const SECRET = 'the-secret-of-the-senders';
/** Fields that are printed: those that tag or purge. */
const SENT = /^(?:surrogate|cache-tag|xkey|edge-cache-tag|x-litespeed|x-purge|x-vc|fastly|x-ban|host$)/;

/** @typedef {{ readonly method: string, readonly url: string, readonly headers: Record<string, unknown> }} Received */

/**
 * Starts a server that passes requests on to another one, and records them.
 *
 * @param {() => string} findTarget returns an origin
 * @param {(received: Received, response: Record<string, unknown>) => void} record
 */
async function startRecorder(findTarget, record) {
  const server = createServer((incoming, outgoing) => {
    const { headers, method = 'GET', url = '/' } = incoming;
    const target = new URL(findTarget());
    const options = { host: target.hostname, port: target.port, method, path: url, headers };
    const sent = sendRequest(options, (response) => {
      record({ method, url, headers }, response.headers);
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { origin: `http://127.0.0.1:${port}`, port, stop: () => server.close() };
}

/** @param {Record<string, unknown>} headers */
const describeFields = (headers) =>
  Object.entries(headers)
    .filter(([name]) => SENT.test(name))
    .map(([name, value]) => `${name}: ${String(value).slice(0, 160)}`);

/** Writes of each kind. @type {Record<string, (rest: (path: string, body: object) => Promise<any>, post: number) => Promise<any>>} */
const WRITES = {
  title: (rest, post) => rest(`/wp/v2/posts/${post}`, { title: `Title ${Date.now()}` }),
  excerpt: (rest, post) => rest(`/wp/v2/posts/${post}`, { excerpt: `Excerpt ${Date.now()}` }),
  comment: (rest, post) => rest('/wp/v2/comments', { post, content: `Comment ${Date.now()}` }),
  publish: (rest) => rest('/wp/v2/posts', { title: 'New', content: `New ${Date.now()}`, status: 'publish' }),
  term: (rest) => rest('/wp/v2/categories/1', { description: `Text ${Date.now()}` }),
};

/** @param {string} folder of a plugin */
async function runPlugin(folder) {
  const name = basename(folder);
  const preset = PLUGINS[name];
  if (preset === undefined) throw new Error(`No settings are known of ${name}.`);
  /** @type {Set<string>} */
  const purges = new Set();
  /** @type {Set<string>} */
  const fields = new Set();
  let gatewayOrigin = '';
  let siteOrigin = '';
  const before = await startRecorder(
    () => gatewayOrigin,
    ({ headers, method, url }) =>
      purges.add([`${method} ${url}`, ...describeFields(headers)].join('\n      ')),
  );
  const behind = await startRecorder(
    () => siteOrigin,
    (_, response) => {
      for (const field of describeFields(response)) fields.add(field);
    },
  );
  const temporary = mkdtempSync(join(tmpdir(), 'waygate-site-tags-'));
  const muPlugins = join(temporary, 'mu-plugins');
  mkdirSync(muPlugins);
  writeFileSync(join(muPlugins, 'settings.php'), preset(before, SECRET));
  const site = await startWordPress({ plugins: [folder], muPlugins });
  siteOrigin = site.url.replace(/\/$/, '');
  const gateway = createGateway({
    sites: [
      {
        url: `${behind.origin}/`,
        upstream: { host: new URL(site.url).host },
        passthrough: true,
        cache: { pages: 600, tags: 'site', purge: { networks: ['127.0.0.0/8'], secret: SECRET } },
      },
    ],
    cache: 'memory',
    transport: nodeTransport,
  });
  const server = await serve(gateway, { port: 0 });
  gatewayOrigin = server.url;
  try {
    await gateway.rediscover();
    console.log(`\n${name}`);
    await measure(site, server.url);
    console.log(`  fields of responses\n    ${[...fields].slice(0, 25).join('\n    ')}`);
    console.log(`  purges (${purges.size})\n    ${[...purges].slice(0, 25).join('\n    ')}`);
  } finally {
    await server.stop();
    await site.stop();
    before.stop();
    behind.stop();
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Compares each address after each write, through the gateway and past it.
 *
 * @param {Awaited<ReturnType<typeof startWordPress>>} site
 * @param {string} gateway
 */
async function measure(site, gateway) {
  const origin = site.url.replace(/\/$/, '');
  const { password, user } = site.users.administrator;
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  /** @param {string} target */
  const createRest = (target) => async (/** @type {string} */ path, /** @type {object} */ body) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(`${target}/wp-json${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const posts = await (await fetch(`${origin}/wp-json/wp/v2/posts?per_page=12&_fields=id,link`)).json();
  const terms = await (await fetch(`${origin}/wp-json/wp/v2/categories?_fields=link`)).json();
  /** @type {string[]} */
  const addresses = [
    ...[
      '/',
      '/feed/',
      '/comments/feed/',
      '/wp-json/wp/v2/posts',
      '/wp-json/wp/v2/comments',
      '/?s=a',
      '/wp-sitemap.xml',
    ],
    ...[...posts, ...terms].map((/** @type {{ link: string }} */ { link }) => link.slice(origin.length)),
  ];
  const read = (/** @type {string} */ path) => readContent(gateway + path);
  // As the gateway asks, so that LiteSpeed Cache renders the same.
  const readAtSite = (/** @type {string} */ path) => readContent(origin + path, { 'x-lscache': 'on' });
  // Caches of plugins add the time at the end of a page.
  const withoutRemarks = (/** @type {string} */ text) => text.replace(/<!--[^>]{0,2000}-->\s*/g, '');
  const fill = async () => {
    for (let round = 0; round < 2; round += 1) for (const path of addresses) await read(path);
  };
  for (const [way, target] of [
    ['through the gateway', gateway],
    ['past it', origin],
  ]) {
    let [purged, stale, reads] = [0, 0, 0];
    /** @type {Set<string>} */
    const outdated = new Set();
    for (const [kind, write] of Object.entries(WRITES)) {
      await fill();
      await write(createRest(target ?? ''), posts[0].id);
      // Some plugins send their purges after the response.
      if (target === origin) await sleep(500);
      for (const path of addresses) {
        const [sent, wanted] = [await read(path), await readAtSite(path)];
        reads += 1;
        if (!/; ?hit/.test(sent.headers.get('cache-status') ?? '')) purged += 1;
        if (withoutRemarks(sent.text) === withoutRemarks(wanted.text)) continue;
        stale += 1;
        outdated.add(`${kind} ${path}`);
      }
    }
    console.log(`  writes ${way}: ${purged} of ${reads} purged, ${stale} stale ${[...outdated].join(', ')}`);
  }
}

const folders = process.argv.slice(2);
if (folders.length === 0) process.stdout.write(USAGE);
for (const folder of folders) {
  try {
    await runPlugin(folder);
  } catch (error) {
    console.error(`${folder}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
