#!/usr/bin/env node
// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startWordPress } from '../wordpress/start.mjs';

const USAGE = `node scripts/mix/main.mjs [options]       (after npm run build)

Sends the mix of an operator to a real WordPress behind waygate, nginx and Varnish, one after the other: reads of posts as REST and
HTML by visitors without a session, some by a user who has signed in, and some writes. Counts hits, and reads that show less than
the last write. nginx and Varnish run if they are installed, as they come, with a lifetime of 60 s.

  --requests <n>     number of requests (default: 200)
  --writes <n>       percent of writes (default: 5)
  --signed-in <n>    percent of reads by a user who has signed in (default: 7)
  --posts <n>        number of posts (default: 10)
  --seed <n>         draws other requests (default: 1)
  --pause <ms>       mean time between two requests (default: 0)
  --state <folder>   where waygate keeps what it learns about the site of --port, for the next run (default: nowhere)
  --port <n>         port of the site (default: a free port)
  --observations <n> the setting cache.learn.observations of waygate (default: its own)
  --only <name>      waygate, nginx or varnish
  --json             print JSON
`;

const { values: flags } = parseArgs({
  options: {
    requests: { type: 'string', default: '200' },
    writes: { type: 'string', default: '5' },
    'signed-in': { type: 'string', default: '7' },
    posts: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    pause: { type: 'string', default: '0' },
    state: { type: 'string' },
    port: { type: 'string' },
    observations: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** @typedef {{ readonly origin: string, readonly stop: () => Promise<void> }} Proxy */
/** @typedef {{ readonly id: number, readonly path: string, title: string, comments: string[] }} Post */
/** @typedef {{ readonly address: string, readonly expected: readonly string[] }} Read */

/** @returns {Promise<number>} */
function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/**
 * Starts a server, and waits until it responds.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} origin
 * @param {string} path that responds once it is ready
 * @returns {Promise<Proxy>}
 */
async function startProcess(command, args, origin, path) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output = (output + chunk).slice(-4_000);
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(origin + path, { redirect: 'manual' }).catch(() => null);
    await response?.body?.cancel();
    if (response !== null && response.status < 500) break;
    if (attempt > 150 || child.exitCode !== null) throw new Error(`${command} did not start: ${output}`);
    await sleep(200);
  }
  return {
    origin,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** @param {string} command */
function isInstalled(command) {
  try {
    execFileSync('which', [command], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const WAYGATE = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/**
 * The proxies. Each forwards everything to the site, and stores responses for a minute.
 *
 * @type {Readonly<Record<string, { isAvailable(): boolean, start(site: string, folder: string): Promise<Proxy>, isHit(headers: Headers): boolean }>>}
 */
const PROXIES = {
  waygate: {
    isAvailable: () => true,
    async start(site, folder) {
      const port = await findFreePort();
      const config = join(folder, 'waygate.json');
      writeFileSync(
        config,
        JSON.stringify({
          port,
          sites: [
            {
              url: site,
              passthrough: true,
              rewriteBodies: true,
              cache: {
                pages: '60s',
                ...(flags.observations && { learn: { observations: Number(flags.observations) } }),
              },
            },
          ],
        }),
      );
      return startProcess(
        process.execPath,
        [WAYGATE, 'serve', '--config', config, ...(flags.state ? ['--state', flags.state] : [])],
        `http://127.0.0.1:${port}`,
        '/-/ready',
      );
    },
    isHit: (headers) => /^waygate; hit/.test(headers.get('cache-status') ?? ''),
  },
  nginx: {
    isAvailable: () => isInstalled('nginx'),
    async start(site, folder) {
      const port = await findFreePort();
      const config = join(folder, 'nginx.conf');
      const { host } = new URL(site);
      writeFileSync(
        config,
        `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; user root;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/temp; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  proxy_cache_path ${folder}/cache keys_zone=site:10m;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://${host};
      proxy_set_header Host ${host};
      proxy_cache site;
      proxy_cache_valid 200 60s;
      proxy_cache_bypass $http_authorization $http_cookie;
      proxy_no_cache $http_authorization $http_cookie;
      add_header X-Cache $upstream_cache_status;
    }
  }
}
`,
      );
      return startProcess('nginx', ['-c', config], `http://127.0.0.1:${port}`, '/');
    },
    isHit: (headers) => headers.get('x-cache') === 'HIT',
  },
  varnish: {
    isAvailable: () => isInstalled('varnishd'),
    async start(site, folder) {
      const port = await findFreePort();
      const { host, hostname, port: sitePort } = new URL(site);
      const config = join(folder, 'site.vcl');
      writeFileSync(
        config,
        `vcl 4.1;
backend site { .host = "${hostname}"; .port = "${sitePort}"; }
sub vcl_recv { set req.http.host = "${host}"; }
sub vcl_backend_response { set beresp.ttl = 60s; }
sub vcl_deliver { set resp.http.X-Hits = obj.hits; }
`,
      );
      mkdirSync(join(folder, 'varnish'));
      const args = [
        '-F',
        '-a',
        `127.0.0.1:${port}`,
        '-f',
        config,
        '-n',
        join(folder, 'varnish'),
        '-j',
        'none',
        '-s',
        'malloc,64m',
      ];
      return startProcess('varnishd', args, `http://127.0.0.1:${port}`, '/');
    },
    isHit: (headers) => Number(headers.get('x-hits') ?? 0) > 0,
  },
};

/**
 * Creates a generator of numbers in [0, 1) (mulberry32).
 *
 * @param {number} seed
 */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Draws the order of the requests.
 *
 * @param {() => number} random
 * @returns {readonly ('write' | 'signed in' | 'read')[]}
 */
function drawKinds(random) {
  const total = Number(flags.requests);
  const writes = Math.round((total * Number(flags.writes)) / 100);
  const signedIn = Math.round((total * Number(flags['signed-in'])) / 100);
  /** @type {('write' | 'signed in' | 'read')[]} */
  const kinds = Array.from({ length: total }, (_, at) =>
    at < writes ? 'write' : at < writes + signedIn ? 'signed in' : 'read',
  );
  for (let at = kinds.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [kinds[at], kinds[other]] = [kinds[other] ?? 'read', kinds[at] ?? 'read'];
  }
  return kinds;
}

/** Comments of visitors are shown at once, and as many as the mix has. */
const COMMENTS_PLUGIN = `<?php
add_filter('pre_comment_approved', fn () => 1, 99);
add_action('check_comment_flood', fn () => remove_filter('wp_is_comment_flood', 'wp_check_comment_flood', 10), 99);
`;

/** The requests to a site through one proxy, with what each read must show. */
class Mix {
  /** @type {Post[]} */
  posts = [];
  /** @type {string} */
  #authorization;
  /** @type {string} */
  #origin;
  /** @type {() => number} */
  #random;
  #count = 0;
  #start = Date.now() - 24 * 3_600_000;

  /**
   * @param {string} origin of the proxy
   * @param {string} authorization of an editor
   * @param {number} seed
   */
  constructor(origin, authorization, seed) {
    this.#origin = origin;
    this.#authorization = authorization;
    this.#random = createRandom(seed);
  }

  get random() {
    return this.#random;
  }

  /** @param {string} text */
  #name(text) {
    this.#count += 1;
    return `${text} n${this.#count}n`;
  }

  /**
   * Writes a post through an origin, and waits for the response.
   *
   * @param {string} origin
   * @param {string} path
   * @param {object} fields
   * @returns {Promise<any>}
   */
  async #send(origin, path, fields) {
    const response = await fetch(`${origin}/wp-json/wp/v2/posts${path}`, {
      method: 'POST',
      headers: { authorization: this.#authorization, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    if (!response.ok) throw new Error(`a write failed: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** Deletes the posts of the site. @param {string} origin */
  async clear(origin) {
    const headers = { authorization: this.#authorization };
    const list = `${origin}/wp-json/wp/v2/posts`;
    const response = await fetch(`${list}?per_page=100&status=any&_fields=id`, { headers });
    for (const { id } of await response.json()) {
      const deleted = await fetch(`${list}/${id}?force=true`, { method: 'DELETE', headers });
      await deleted.body?.cancel();
    }
  }

  /** @param {string} origin */
  async create(origin = this.#origin) {
    const title = this.#name('Title');
    // Lists are ordered by the second of publication.
    const date = new Date(this.#start + this.#count * 1_000).toISOString().slice(0, 19);
    const fields = { title, content: 'Some text.', status: 'publish', date_gmt: date };
    const { id, link } = await this.#send(origin, '', fields);
    this.posts.push({ id, path: new URL(link).pathname, title, comments: [] });
  }

  async write() {
    const kind = this.#random();
    const post = this.posts[Math.floor(this.#random() * this.posts.length)];
    if (kind < 0.2 || post === undefined) return this.create();
    if (kind < 0.8) {
      const title = this.#name('Title');
      await this.#send(this.#origin, `/${post.id}`, { title });
      post.title = title;
      return undefined;
    }
    const comment = this.#name('Comment');
    const response = await fetch(`${this.#origin}/wp-comments-post.php`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        comment,
        author: this.#name('Visitor'),
        email: `visitor${this.#count}@example.com`,
        comment_post_ID: String(post.id),
        comment_parent: '0',
      }),
    });
    await response.body?.cancel();
    if (response.status !== 302) throw new Error(`a comment failed: ${response.status}`);
    // Comments of unknown visitors wait for a moderator unless the site approves them: then the redirect has no such parameter.
    if (!(response.headers.get('location') ?? '').includes('unapproved=')) post.comments.push(comment);
    return undefined;
  }

  /** Draws a read. Few posts are read often (Zipf). @returns {Read} */
  drawRead() {
    const newest = [...this.posts].reverse();
    const draw = this.#random();
    if (draw < 0.15) return { address: '/', expected: newest.slice(0, 10).map(({ title }) => title) };
    if (draw < 0.3) {
      return { address: '/wp-json/wp/v2/posts', expected: newest.slice(0, 10).map(({ title }) => title) };
    }
    const rank = Math.floor(newest.length ** this.#random()) - 1;
    const post = newest[Math.max(0, rank)];
    if (post === undefined) throw new Error('There is no post.');
    return draw < 0.65
      ? { address: `/wp-json/wp/v2/posts/${post.id}`, expected: [post.title] }
      : { address: post.path, expected: [post.title, ...post.comments.slice(-3)] };
  }

  /**
   * @param {Read} read
   * @param {Record<string, string>} headers
   */
  async read({ address, expected }, headers = {}) {
    const response = await fetch(this.#origin + address, { headers });
    const text = await response.text();
    return {
      text,
      status: response.status,
      headers: response.headers,
      isStale: expected.some((each) => !text.includes(each)),
    };
  }
}

/**
 * @param {string} name
 * @param {{ readonly url: string, readonly authorization: string, readonly cookie: string }} site
 */
async function measure(name, site) {
  const proxyKind = PROXIES[name];
  if (proxyKind === undefined) throw new Error(`no proxy is called ${name}`);
  const folder = mkdtempSync(join(tmpdir(), 'waygate-mix-'));
  const proxy = await proxyKind.start(site.url.replace(/\/$/, ''), folder);
  try {
    const mix = new Mix(proxy.origin, site.authorization, Number(flags.seed));
    await mix.clear(site.url.replace(/\/$/, ''));
    for (let at = 0; at < Number(flags.posts); at += 1) await mix.create(site.url.replace(/\/$/, ''));
    const counts = {
      requests: 0,
      writes: 0,
      signedIn: 0,
      reads: 0,
      changed: 0,
      hits: 0,
      stale: 0,
      failed: 0,
    };
    const pause = Number(flags.pause);
    /** @type {Map<string, string>} */
    const lastTexts = new Map();
    /** @type {Record<string, number>} */
    const staleAt = {};
    /** @type {Record<string, number>} */
    const reasons = {};
    for (const kind of drawKinds(mix.random)) {
      counts.requests += 1;
      // Requests of independent clients come at random (exponential distribution).
      if (pause > 0) await sleep(-Math.log(1 - mix.random()) * pause);
      if (kind === 'write') {
        counts.writes += 1;
        await mix.write();
        continue;
      }
      const isSignedIn = kind === 'signed in';
      const read = mix.drawRead();
      const { headers, isStale, status, text } = await mix.read(
        read,
        isSignedIn ? { cookie: site.cookie } : {},
      );
      if (status !== 200) counts.failed += 1;
      if (isStale) {
        counts.stale += 1;
        staleAt[read.address] = (staleAt[read.address] ?? 0) + 1;
      }
      if (isSignedIn) {
        counts.signedIn += 1;
        continue;
      }
      counts.reads += 1;
      // No cache without a stale read serves these from its store.
      if (lastTexts.get(read.address) !== text) counts.changed += 1;
      lastTexts.set(read.address, text);
      if (proxyKind.isHit(headers)) counts.hits += 1;
      else {
        const reason = (headers.get('cache-status') ?? headers.get('x-cache') ?? 'miss').replace(
          /ttl=-?\d+/,
          '',
        );
        reasons[reason] = (reasons[reason] ?? 0) + 1;
      }
    }
    return { name, ...counts, hitRatio: counts.hits / Math.max(1, counts.reads), staleAt, reasons };
  } finally {
    await proxy.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Signs in, as a browser does.
 *
 * @param {string} url
 * @param {{ user: string, loginPassword: string }} user
 */
async function signIn(url, { loginPassword, user }) {
  const response = await fetch(`${url}wp-login.php`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
    body: new URLSearchParams({ log: user, pwd: loginPassword, testcookie: '1' }),
  });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
  if (!cookies.some((cookie) => cookie.startsWith('wordpress_logged_in')))
    throw new Error('the sign-in failed');
  return cookies.join('; ');
}

async function main() {
  if (flags.help) return void process.stdout.write(USAGE);
  const muPlugins = mkdtempSync(join(tmpdir(), 'waygate-mix-plugin-'));
  writeFileSync(join(muPlugins, 'comments.php'), COMMENTS_PLUGIN);
  const wordpress = await startWordPress({ muPlugins, ...(flags.port && { port: Number(flags.port) }) });
  try {
    const { user, password } = wordpress.users.administrator;
    const site = {
      url: wordpress.url,
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      cookie: await signIn(wordpress.url, wordpress.users.administrator),
    };
    const names = Object.keys(PROXIES).filter(
      (name) => (flags.only === undefined || flags.only === name) && PROXIES[name]?.isAvailable(),
    );
    const results = [];
    for (const name of names) results.push(await measure(name, site));
    if (flags.json) return void process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
    const rows = results.map(
      ({ changed, failed, hitRatio, hits, name, reads, signedIn, stale, writes }) =>
        `| ${name} | ${hits} of ${reads} (${Math.round(hitRatio * 100)} %) | ${reads - changed} (${Math.round((100 * (reads - changed)) / Math.max(1, reads))} %) | ${stale} | ${writes} | ${signedIn} | ${failed} |`,
    );
    process.stdout.write(
      [
        '| proxy | hits | unchanged reads | stale | writes | signed in | failed |',
        '|---|---|---|---|---|---|---|',
        ...rows,
        '',
      ].join('\n'),
    );
    return undefined;
  } finally {
    await wordpress.stop();
    rmSync(muPlugins, { recursive: true, force: true });
  }
}

await main();
