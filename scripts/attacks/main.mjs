#!/usr/bin/env node
// @ts-check
// node scripts/attacks/main.mjs [--against <built checkout>] [--only <text>] [--seconds 10]
//
// Sends what strangers can send to a gateway in front of a stub site while visitors read 24 pages. Prints the visitors' hits and the 95th
// percentile of their times before and meanwhile, what single requests do, and what 8 MB of each shape cost: milliseconds of CPU in all
// and of the longest turn of the event loop. Both checkouts need `npm run build`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { start } from '../bench/processes.mjs';
import { asTable } from '../bench/table.mjs';
import { readOptions } from '../read-options.mjs';
import { listBodies } from './bodies.mjs';
import { startSite } from './site.mjs';

/** @typedef {{ method?: string, path: string, headers?: Record<string, string>, body?: string, breaksOff?: boolean }} Sent */

const { values } = readOptions(import.meta.url, {
  options: {
    against: { type: 'string' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '10' },
  },
});
const READS_PER_SECOND = 40;
const PAGES = Array.from({ length: 24 }, (_, at) => (at === 0 ? '/' : `/page-${at}/`));
const AJAX = '/wp-admin/admin-ajax.php';
const NONCE = 'nonce=1a2b3c4d5e';
const LOGIN = { cookie: 'wordpress_logged_in_0123456789abcdef0123456789abcdef=made-up' };

/** @template T @param {number} at @param {readonly T[]} list */
const pick = (at, list) => /** @type {T} */ (list[at % list.length]);

/** @param {string} path @param {Record<string, string>} [headers] @param {string} [body] @returns {Sent} */
function post(path, headers = {}, body = '') {
  const type = /^[{[]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded';
  return { method: 'POST', path, headers: { 'content-type': type, ...headers }, body };
}

/** @type {(at: number) => readonly Sent[]} */
const FORMS = (at) => [
  post('/'),
  { method: 'PUT', path: pick(at, PAGES) },
  { method: 'DELETE', path: pick(at, PAGES) },
  post('/?s=x'),
  post('/xmlrpc.php', {}, '<methodCall><methodName>system.listMethods</methodName></methodCall>'),
  post('/graphql', {}, '{"query":"{posts{id}}"}'),
  post('/csp-report', {}, '{}'),
];
const VIEWS = [
  post('/wp-json/wordpress-popular-posts/v2/views/1', { 'x-wp-nonce': '1a2b3c4d5e' }, '{}'),
  { path: `${AJAX}?action=alm_get_posts&${NONCE}` },
  post(AJAX, {}, `action=rocket_beacon&rocket_beacon_${NONCE}`),
  post(AJAX, {}, `action=dokan_pageview&_ajax_${NONCE}&post_id=5`),
  { path: `${AJAX}?action=postviews&postviews_id=5&${NONCE}` },
  post(AJAX, {}, `action=statify_track&_ajax_${NONCE}`),
  post('/contact/', { cookie: 'chat_session=5' }, 'text=Hello'),
];
/** @type {readonly Sent[]} */
const MADE_UP = [
  { path: '/wp-admin/css/x.css?nonce=1' },
  post('/readme.html', { cookie: 'foo=1' }),
  post('/wp-includes/js/x.php', { cookie: 'foo=1' }),
  { method: 'PROPFIND', path: '/', headers: { cookie: 'foo=1' } },
  post('/?z=1', { 'x-wp-nonce': '0123456789' }),
  post('/?z=1', { authorization: 'Basic YTpi' }),
  post('/?z=1', LOGIN),
  post(AJAX, LOGIN, 'action=save'),
  { path: `/wp-admin/post.php?action=trash&_wp${NONCE}`, headers: LOGIN },
];

/** @param {number} at @param {Sent} sent @returns {Sent} */
const fromPage = (at, sent) => ({
  ...sent,
  headers: { ...sent.headers, referer: `{origin}${pick(at * 5, PAGES)}` },
});

const BODIES = listBodies(8_000_000);

/**
 * Writes of ten clients, each from one page to another. They name their network as the trusted proxy would.
 * @param {number} networks @param {boolean} hasAccounts @returns {(at: number) => Sent}
 */
const fromTen = (networks, hasAccounts) => (at) =>
  post(
    pick(at, [AJAX, pick(at * 7, PAGES), '/wp-json/acme/v1/vote']),
    {
      'x-forwarded-for': `203.0.113.${at % networks}`,
      referer: `{origin}${pick(at * 5, PAGES)}`,
      ...(hasAccounts && { cookie: LOGIN.cookie.replace('made-up', `member-${at % 10}`) }),
    },
    'action=vote',
  );

/** Seconds in which the bounds of a minute show. */
const MINUTE = 60;

/** @type {readonly (readonly [row: string, perSecond: number, list: (at: number) => Sent, seconds?: number])[]} */
const ATTACKS = [
  ['S13 forms, methods and calls', 10, (at) => pick(at, FORMS(at))],
  ['S14 wp-cron.php', 1, () => ({ path: '/wp-cron.php' })],
  ['S34 what visitors send', 10, (at) => fromPage(at, pick(at, VIEWS))],
  ['S35 made up', 10, (at) => pick(at, MADE_UP)],
  ['S35 new cookies', 10, (at) => post('/?z=1', { cookie: `wordpress_logged_in_${at}=a` })],
  ['S35 new passwords', 10, (at) => post('/?z=1', { authorization: `Basic ${btoa(`a:${at}`)}` })],
  ['S49 S57 ten strangers of one network', 20, fromTen(1, false), MINUTE],
  ['S49 S57 ten strangers of ten networks', 20, fromTen(10, false), MINUTE],
  ['S49 S50 ten accounts in one network', 20, fromTen(1, true), MINUTE],
  ['S49 S50 ten accounts in ten networks', 20, fromTen(10, true), MINUTE],
  ['S50 a forum of ten members', 20 / 60, fromTen(10, true), MINUTE],
  ['S61 doing_wp_cron', 1, (at) => ({ path: `/any-${at}/?doing_wp_cron=1` })],
  ['S61 wc-api', 1, () => post('/?wc-api=x')],
  ['S36 refused nonces', 10, () => post('/wp-json/plugin/v1/refused', { 'x-wp-nonce': '1' })],
  ['S34 S35 any', 10, (at) => pick(at * 7, [...VIEWS, ...MADE_UP, ...FORMS(at), { path: '/wp-cron.php' }])],
  ['O15 O33 8 MB of each shape', 2, (at) => pick(at, BODIES).sent],
  ['O17 downloads', 2, (at) => ({ path: `/wp-content/uploads/big.zip?ver=${at}`, breaksOff: true })],
  ['O18 documents', 2, (at) => ({ path: `/-/openapi.json?namespace=wp/v2,x${at}/v1` })],
  ['O23 origins', 2, (at) => ({ path: '/admin', headers: { origin: `https://${at}.example.com` } })],
  ['O23 refused routes', 2, (at) => ({ path: `/wp-json/wp/v2/settings?z=${at}` })],
];

const SINGLE = [
  { row: 'S28 a one-time link', path: '/confirm/{build}/' },
  { row: 'S29 a page by language', path: '/language/', headers: { 'accept-language': 'de' } },
  { row: 'S30 a short link', path: '/go/1' },
  {
    row: 'O16 addresses of clients',
    path: '/addresses/',
    headers: {
      'x-real-ip': '203.0.113.8',
      'cf-connecting-ip': '203.0.113.6',
      'true-client-ip': '203.0.113.7',
    },
  },
];

/** @param {string} origin @param {Sent} sent */
function send(origin, { body, breaksOff = false, headers = {}, method = 'GET', path }) {
  const began = performance.now();
  const outcome = { status: 0, isHit: false, text: '', milliseconds: 0 };
  const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` };
  return new Promise((/** @type {(result: typeof outcome) => void} */ settle) => {
    const { referer } = headers;
    const from = referer === undefined ? {} : { referer: referer.replace('{origin}', origin) };
    const request = http.request(origin + path, { method, headers: { ...headers, ...from, ...length } });
    request.on('response', (response) => {
      outcome.status = response.statusCode ?? 0;
      outcome.isHit = /; hit/.test(String(response.headers['cache-status']));
      response.on('data', (chunk) => {
        if (breaksOff) request.destroy();
        else if (outcome.text === '') outcome.text = String(chunk);
      });
    });
    request.on('error', () => {});
    request.on('close', () => settle({ ...outcome, milliseconds: performance.now() - began }));
    request.setTimeout(30_000, () => request.destroy());
    request.end(body);
  });
}

/** Reads pages as visitors do. @param {string} origin @param {number} time */
async function read(origin, time) {
  const reads = [];
  const began = performance.now();
  for (let at = 0; at < time * READS_PER_SECOND; at++) {
    await sleep(began + (at * 1000) / READS_PER_SECOND - performance.now());
    reads.push(send(origin, { path: pick(at * 5, PAGES) }));
  }
  const all = (await Promise.all(reads)).sort((a, b) => a.milliseconds - b.milliseconds);
  const hits = (100 * all.filter(({ isHit }) => isHit).length) / all.length;
  return { hits, p95: (all[Math.floor(all.length * 0.95)]?.milliseconds ?? 0).toFixed(1) };
}

const { close, received, url } = await startSite();

/** @template T @param {string} checkout @param {(origin: string, cpuTime: () => number) => Promise<T>} use */
async function withGateway(checkout, use) {
  const folder = mkdtempSync(join(tmpdir(), 'waygate-attacks-'));
  const config = join(folder, 'waygate.yaml');
  const sites = [{ url, passthrough: true, cache: { pages: '60s' } }];
  writeFileSync(config, JSON.stringify({ trust: ['127.0.0.1'], sites }));
  const command = [join(checkout, 'dist/cli/main.js'), 'serve', '--config', config, '--port', '{port}'];
  const gateway = await start('server', command, '/-/ready');
  try {
    return await use(gateway.url, gateway.cpuTime);
  } finally {
    await gateway.stop();
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} origin @param {(typeof ATTACKS)[number]} attack */
async function attack(origin, [, perSecond, list, least = 0]) {
  // Twice: the first response of an address says whether it is everyone's.
  for (const path of [...PAGES, ...PAGES]) await send(origin, { path });
  const seconds = Math.max(Number(values.seconds), least);
  const before = await read(origin, seconds / 2);
  let isOver = false;
  const attacking = (async () => {
    for (let at = 0; !isOver; at++) {
      void send(origin, list(at));
      await sleep(1000 / perSecond);
    }
  })();
  const during = await read(origin, seconds);
  isOver = true;
  await attacking;
  const lost = (before.hits - during.hits).toFixed(1);
  return {
    hits: before.hits.toFixed(1),
    attacked: during.hits.toFixed(1),
    lost,
    p95: before.p95,
    slowed: during.p95,
  };
}

/** @param {string} origin @param {() => number} cpuTime @param {Sent} sent */
async function sendBody(origin, cpuTime, sent) {
  for (const path of ['/', '/']) await send(origin, { path });
  const began = cpuTime();
  let isOver = false;
  const sending = send(origin, sent).finally(() => {
    isOver = true;
  });
  let slowest = 0;
  while (!isOver) slowest = Math.max(slowest, (await send(origin, { path: '/' })).milliseconds);
  const { status } = await sending;
  return { status, slowest, cost: (cpuTime() - began) / 1000 };
}

/** The least of five: others use the machine. @param {string} checkout @param {Sent} sent */
const measureBody = (checkout, sent) =>
  withGateway(checkout, async (origin, cpuTime) => {
    /** @type {Awaited<ReturnType<typeof sendBody>>[]} */
    const results = [];
    for (let at = 0; at < 5; at++) results.push(await sendBody(origin, cpuTime, sent));
    const [{ status = 0 } = {}] = results;
    const least = (/** @type {'slowest' | 'cost'} */ name) => Math.min(...results.map((each) => each[name]));
    return { status, slowest: least('slowest').toFixed(0), cost: least('cost').toFixed(0) };
  });

const builds = [
  ...(values.against === undefined ? [] : [{ build: 'before', checkout: resolve(values.against) }]),
  { build: 'this', checkout: fileURLToPath(new URL('../..', import.meta.url)) },
];
const attacks = [];
for (const each of ATTACKS.filter(([row]) => row.includes(values.only)))
  for (const { build, checkout } of builds)
    attacks.push({ row: each[0], build, ...(await withGateway(checkout, (origin) => attack(origin, each))) });
const responses = [];
for (const { build, checkout } of builds)
  for (const { row, ...single } of SINGLE.filter((each) => each.row.includes(values.only))) {
    received.length = 0;
    // Each build gets a link that has not been used.
    const sent = { ...single, path: single.path.replace('{build}', build) };
    const { status, text } = await withGateway(checkout, (origin) => send(origin, sent));
    const requests = received.filter((target) => target === sent.path).length;
    responses.push({ row, build, status, text: text.slice(0, 40), requests });
  }
const bodies = [];
for (const { shape, sent } of BODIES.filter(() => 'O33 bodies'.includes(values.only)))
  for (const { build, checkout } of builds)
    bodies.push({ shape, build, ...(await measureBody(checkout, sent)) });
close();
console.log(asTable({ case: 'hits (%) and p95 (ms)', contenders: attacks }));
console.log(asTable({ case: '8 MB: slowest hit of a visitor meanwhile, CPU time (ms)', contenders: bodies }));
console.log(asTable({ case: 'one request of a client', contenders: responses }));
