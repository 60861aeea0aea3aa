#!/usr/bin/env node
// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../read-options.mjs';
import { startWordPress } from '../wordpress/start.mjs';
import { createRest, fillSite, WRITES } from './content.mjs';
import { ORACLE_AGENT, Oracle, PerfectCache, readContent } from './oracle.mjs';
import { PROXIES } from './proxies.mjs';

const USAGE = `node scripts/mix/main.mjs [options]       (after npm run build)

Sends reads of visitors and some writes to a real WordPress behind waygate, nginx and Varnish, one after the other, each with a new
site of 40 posts and the same requests. Reads are of some 95 pages, feeds, sitemaps and REST routes by Zipf's law (exponent 0.9);
with the plugins WooCommerce and BuddyPress also of a shop with 12 products, and of members and their activity.

Counts hits, and the requests that reach the site per read, by the site's access log. Writes are not counted. A read that begins after
a write and differs from what the site sends directly is stale. Reads during a write are not compared. The last row is the best that a
cache can do with these requests: it knows which addresses each write changes.

  --seconds <n>        duration for each proxy (default: 600)
  --rate <n>           requests per second, at random times (default: 17)
  --writes <n>         percent of writes (default: 2)
  --kinds <list>       of writes, drawn with equal shares: excerpt, comment, title, content, publish, price, stock (default:
                       excerpt,comment)
  --lifetime <n>       seconds for which the proxies store (default: 60)
  --seeds <list>       numbers that draw the requests, such as 1,2,3: the table has the median, the least and the greatest (default: 1)
  --wordpress <folder> of another WordPress than Debian's (the plugins may need a newer one)
  --plugin <folder>    installs a WordPress plugin (any number of times)
  --theme <name|dir>   of the site (default: WordPress's own)
  --proxies <list>     of waygate, waygate-plugin (with waygate.php at the site), nginx and varnish (default: those that are installed)
  --against <folder>   also run the built waygate of another checkout
  --compare <n>        percent of the reads that are compared with the site. With less than 100 its requests are a smaller part of the
                       site's load, and the last row is missing (default: 100)
  --warm-up <n>        seconds of requests that are not counted, besides --seconds (default: 0)
  --json               print JSON
`;

const { values: flags } = readOptions(USAGE, {
  options: {
    seconds: { type: 'string', default: '600' },
    rate: { type: 'string', default: '17' },
    writes: { type: 'string', default: '2' },
    kinds: { type: 'string', default: 'excerpt,comment' },
    lifetime: { type: 'string', default: '60' },
    seeds: { type: 'string', default: '1' },
    wordpress: { type: 'string' },
    plugin: { type: 'string', multiple: true, default: [] },
    theme: { type: 'string' },
    proxies: { type: 'string' },
    against: { type: 'string' },
    compare: { type: 'string', default: '100' },
    'warm-up': { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
});
const warmUp = Number(flags['warm-up']);
/** The next request waits while so many reads are in progress. At a site that is not overloaded there are one or two. */
const MAX_CONCURRENT_READS = 6;
const end = warmUp + Number(flags.seconds);

/** @typedef {import('./content.mjs').Post} Post */
/** @typedef {import('./oracle.mjs').Content} Content */
/** @typedef {{ readonly at: number, readonly kind: string, readonly address: string, readonly post: Post, readonly isCompared: boolean }} Request */

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
 * Draws the requests. They depend on the seed only, because all sites are the same.
 *
 * @param {readonly string[]} addresses
 * @param {readonly Post[]} posts
 * @param {number} seed
 * @returns {Request[]}
 */
function drawRequests(addresses, posts, seed) {
  const random = createRandom(seed);
  const comparison = createRandom(seed + 1);
  let total = 0;
  const sums = addresses.map((_, index) => {
    total += (index + 1) ** -0.9;
    return total;
  });
  const kinds = flags.kinds.split(',');
  const unknown = kinds.find((kind) => WRITES[kind] === undefined);
  if (unknown !== undefined) throw new Error(`no kind of write is called ${unknown}`);
  /** @type {Request[]} */
  const requests = [];
  // Requests of independent clients come at random (exponential distribution).
  for (let at = 0; at < end; at += -Math.log(1 - random()) / Number(flags.rate)) {
    const isWrite = random() * 100 < Number(flags.writes);
    const kind = kinds[Math.floor(random() * kinds.length)] ?? '';
    const post = /** @type {Post} */ (posts[Math.floor(random() * posts.length)]);
    const draw = random() * total;
    const index = sums.findIndex((sum) => draw < sum);
    const address = addresses[Math.max(0, index)] ?? '/';
    const isCompared = comparison() * 100 < Number(flags.compare);
    requests.push({ at, kind: isWrite ? kind : 'read', address, post, isCompared });
  }
  return requests;
}

/**
 * Counts the requests at the site that are not of this script itself: neither the oracle's nor writes.
 *
 * @param {string} log path of the access log in the combined format
 */
const countSiteRequests = (log) =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => / "(?:GET|HEAD) /.test(line) && !line.endsWith(`"${ORACLE_AGENT}"`)).length;

/**
 * Shows the first difference between two texts.
 *
 * @param {string} sent
 * @param {string} expected
 */
function describeDifference(sent, expected) {
  let at = 0;
  while (at < sent.length && sent[at] === expected[at]) at += 1;
  const [from, to] = [Math.max(0, at - 30), at + 50];
  return `${JSON.stringify(sent.slice(from, to))}, the site ${JSON.stringify(expected.slice(from, to))}`;
}

/** @param {Content} content */
const readStatus = ({ headers }) => headers.get('cache-status') ?? headers.get('x-cache') ?? '';

/**
 * Sends the requests to a new site through one proxy.
 *
 * @param {keyof typeof PROXIES} name
 * @param {string} checkout
 * @param {number} seed
 */
async function measure(name, checkout, seed) {
  const { start, isHit } = PROXIES[name];
  const wordpress = await startWordPress({
    ...(flags.wordpress !== undefined && { wordpress: resolve(flags.wordpress) }),
    plugins: flags.plugin.map((folder) => resolve(folder)),
    ...(flags.theme !== undefined && { theme: flags.theme }),
  });
  const folder = mkdtempSync(join(tmpdir(), 'waygate-mix-'));
  const site = wordpress.url.replace(/\/$/, '');
  /** @type {(() => Promise<void>) | undefined} */
  let stop;
  try {
    const { user, password } = wordpress.users.administrator;
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const { addresses, posts } = await fillSite(site, authorization);
    const proxy = await start(site, folder, Number(flags.lifetime), checkout, wordpress.folder);
    stop = proxy.stop;
    const rest = createRest(proxy.origin, authorization);
    const oracle = new Oracle(site);
    const perfect = new PerfectCache(Number(flags.lifetime));
    const counts = { reads: 0, hits: 0, perfectHits: 0, writes: 0, compared: 0, failed: 0 };
    /** @type {string[]} */
    const stale = [];
    /** Hits and reads of each minute. @type {[number, number][]} */
    const minutes = [];
    /** Counts of the reads that are no hits, by whether the address has changed since the last, by it and `Cache-Status`. @type {Record<string, number>} */
    const reasons = {};
    /** The writes, and the reads that were no hits: second, whether the address has changed since the last, address and `Cache-Status`. @type {[number, string][]} */
    const missed = [];
    /** Hashes of what the last reads that were no hits have got. @type {Map<string, string | undefined>} */
    const fetched = new Map();
    let lastWrite = Promise.resolve();
    let before = countSiteRequests(wordpress.log);

    /** @param {number} at @param {string} address @param {number} now @param {Content | undefined} sent @param {number} epoch in which it was read */
    const compare = async (at, address, now, sent, epoch) => {
      const isComparable = oracle.epoch === epoch;
      let content = oracle.read(address);
      const isJudged = isComparable && content !== undefined;
      while (content === undefined) {
        await sleep(10);
        content = oracle.read(address);
      }
      const expected = await content;
      if (expected.status !== 200) throw new Error(`the site responds to ${address} with ${expected.status}`);
      const isPerfectHit = perfect.read(address, expected.hash, now);
      if (isJudged && sent !== undefined && sent.status < 500 && sent.hash !== expected.hash) {
        const writes = oracle.listWritesSince(address, sent.hash);
        const cause = `${writes.length > 3 ? `one of ${writes.length} writes` : writes.join(' or ') || 'no write'}`;
        const difference = describeDifference(sent.text, expected.text);
        stale.push(
          `${address} at ${at.toFixed(1)} s (${readStatus(sent)}), changed by ${cause}: ${difference}`,
        );
      }
      if (at < warmUp) return;
      if (isPerfectHit) counts.perfectHits += 1;
      if (isJudged) counts.compared += 1;
    };
    /** @param {Request} request @param {number} now in seconds */
    const read = async ({ at, address, isCompared }, now) => {
      const { epoch } = oracle;
      const sent = await readContent(proxy.origin + address).catch(() => undefined);
      if (isCompared) await compare(at, address, now, sent, epoch);
      if (at < warmUp) return;
      counts.reads += 1;
      const minute = minutes[Math.floor((at - warmUp) / 60)] ?? [0, 0];
      minutes[Math.floor((at - warmUp) / 60)] = minute;
      minute[1] += 1;
      if (sent === undefined || sent.status >= 500) counts.failed += 1;
      else if (isHit(sent.headers)) {
        counts.hits += 1;
        minute[0] += 1;
      } else {
        const change = fetched.get(address) === sent.hash ? 'same' : 'changed';
        const reason = `${fetched.has(address) ? change : 'first'} ${address} ${readStatus(sent).replace(/; ttl=-?\d+/, '')}`;
        fetched.set(address, sent.hash);
        reasons[reason] = (reasons[reason] ?? 0) + 1;
        missed.push([at, reason]);
      }
    };
    /** @param {Request} request @param {number} number */
    const write = async ({ at, kind, post }, number) => {
      const title = `${kind} of ${post.path} at ${at.toFixed(1)} s`;
      missed.push([at, title]);
      await lastWrite;
      await oracle.write(
        title,
        async () => void (await WRITES[kind]?.(rest, post, `Text ${number} of ${kind}`)),
      );
      if (at >= warmUp) counts.writes += 1;
    };

    // In seconds, as the times of the requests. It is put back while the machine is too slow.
    let started = performance.now() / 1_000;
    let lateBy = 0;
    /** @type {Set<Promise<void>>} */
    const reads = new Set();
    let isWarm = warmUp === 0;
    for (const [number, request] of drawRequests(addresses, posts, seed).entries()) {
      const wait = request.at - (performance.now() / 1_000 - started);
      if (wait > 0) await sleep(wait * 1_000);
      const full = performance.now() / 1_000;
      while (reads.size >= MAX_CONCURRENT_READS) await Promise.race(reads);
      started += performance.now() / 1_000 - full;
      lateBy += performance.now() / 1_000 - full;
      if (!isWarm && request.at >= warmUp) {
        isWarm = true;
        before = countSiteRequests(wordpress.log);
      }
      if (request.kind === 'read') {
        const pending = read(request, performance.now() / 1_000).finally(() => reads.delete(pending));
        reads.add(pending);
      } else lastWrite = write(request, number);
    }
    await lastWrite;
    await Promise.all(reads);
    // Requests of the proxy in the background.
    await sleep(1_000);
    const siteRequests = countSiteRequests(wordpress.log) - before;
    return { ...counts, siteRequests, lateBy, addresses: addresses.length, minutes, reasons, missed, stale };
  } finally {
    await stop?.();
    await wordpress.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @typedef {Awaited<ReturnType<typeof measure>> & { readonly label: string, readonly seed: number }} Result */

/** @param {number} part @param {number} all */
const percent = (part, all) => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;

/**
 * Describes a run: hits by minute, and stale reads.
 *
 * @param {Result} result
 */
function describeRun({ label, lateBy, minutes, reads, reasons, seed, stale }) {
  const missed = ['first', 'changed', 'same'].map((change) => {
    const counts = Object.entries(reasons).flatMap(([reason, count]) =>
      reason.startsWith(change) ? [count] : [],
    );
    return `${change} ${percent(
      counts.reduce((sum, count) => sum + count, 0),
      reads,
    )}`;
  });
  const late = lateBy > 2 ? `; the machine was too slow: the run took ${lateBy.toFixed(0)} s longer` : '';
  return [
    `${label}, seed ${seed}: hits by minute ${minutes.map(([hits, all]) => percent(hits, all)).join(', ')}${late}`,
    `  missed reads of addresses: ${missed.join(', ')}`,
    ...(label.startsWith('waygate') ? stale : stale.slice(0, 3)).map((each) => `  stale: ${each}`),
  ].join('\n');
}

/**
 * Formats a row of the table: medians over the seeds, and in brackets the least and the greatest.
 *
 * @param {string} label
 * @param {readonly Pick<Result, 'hits' | 'reads' | 'siteRequests' | 'stale' | 'compared' | 'writes' | 'failed'>[]} results
 */
function formatRow(label, results) {
  /** @param {readonly number[]} values @param {(value: number) => string} format */
  const summarize = (values, format) => {
    const sorted = values.toSorted((a, b) => a - b).map(format);
    const median = sorted[Math.floor(sorted.length / 2)];
    return sorted.length === 1 ? median : `${median} (${sorted[0]} to ${sorted.at(-1)})`;
  };
  /** @param {(result: (typeof results)[number]) => number} count */
  const total = (count) => results.reduce((sum, each) => sum + count(each), 0);
  const hits = results.map((each) => each.hits / each.reads);
  const siteRequests = results.map((each) => each.siteRequests / each.reads);
  const stale = `${total((each) => each.stale.length)} of ${total(({ compared }) => compared)}`;
  const totals = [total(({ reads }) => reads), total(({ writes }) => writes), total(({ failed }) => failed)];
  const shares = [
    summarize(hits, (each) => percent(each, 1)),
    summarize(siteRequests, (each) => each.toFixed(3)),
  ];
  return `| ${[label, ...shares, stale, ...totals].join(' | ')} |`;
}

async function main() {
  // The proxies end with this process. The site ends with the input that it reads from this process.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  const known = /** @type {(keyof typeof PROXIES)[]} */ (Object.keys(PROXIES));
  const names = known.filter((name) =>
    flags.proxies === undefined ? PROXIES[name].isAvailable() : flags.proxies.split(',').includes(name),
  );
  const own = fileURLToPath(new URL('../..', import.meta.url));
  /** @type {{ readonly label: string, readonly name: keyof typeof PROXIES, readonly checkout: string }[]} */
  const runs = names.map((name) => ({ label: name, name, checkout: own }));
  if (flags.against !== undefined) {
    runs.unshift({ label: `waygate of ${flags.against}`, name: 'waygate', checkout: resolve(flags.against) });
  }
  /** @type {Result[]} */
  const results = [];
  for (const seed of flags.seeds.split(',').map(Number)) {
    for (const { label, name, checkout } of runs) {
      const result = { label, seed, ...(await measure(name, checkout, seed)) };
      results.push(result);
      if (!flags.json) process.stderr.write(`${describeRun(result)}\n`);
    }
  }
  if (flags.json) return void process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  const first = results.filter(({ label }) => label === runs[0]?.label);
  const best = first.map((each) => {
    const { perfectHits, reads } = each;
    return { ...each, hits: perfectHits, siteRequests: reads - perfectHits, stale: [], failed: 0 };
  });
  const table = [
    '| proxy | hits | requests at the site per read | stale | reads | writes | failed |',
    '|---|---|---|---|---|---|---|',
    ...runs.map(({ label }) =>
      formatRow(
        label,
        results.filter((each) => each.label === label),
      ),
    ),
    ...(Number(flags.compare) < 100 ? [] : [formatRow('knows what a write changes', best)]),
  ];
  process.stdout.write(`${table.join('\n')}\n`);
  return undefined;
}

await main();
