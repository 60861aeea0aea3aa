// @ts-check
// node scripts/bench/rediscovery.mjs [--dist dist] [--json] [operations…]
//
// Measures how long a gateway's event loop is blocked while it discovers a site again: the longest turn in milliseconds, and the
// turns longer than 10 ms. The sites are the recorded WordPress, and shops of 1,200 and 10,000 operations. The site is in the
// same process; its responses are created before. Other load of the machine makes turns longer. `--json` prints the longest turn
// while a changed document of the given size is taken over.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readOptions } from '../options.mjs';
import { shop } from './shop.mjs';
import { asTable, median } from './table.mjs';

const RUNS = 5;
const { positionals, values } = readOptions(import.meta.url, {
  allowPositionals: true,
  options: { dist: { type: 'string', default: 'dist' }, json: { type: 'boolean', default: false } },
});
const { createGateway } = await import(pathToFileURL(resolve(values.dist, 'index.js')).href);
const recorded = new URL('../../test/fixtures/wordpress-7.1-index-help.json', import.meta.url);
const sizes = positionals.length > 0 ? positionals.map(Number) : [1_200, 10_000];

if (positionals.length === 0) await benchSite('WordPress', JSON.parse(readFileSync(recorded, 'utf8')));
for (const size of sizes) await benchSite(`${size} operations`, shop(size));

/**
 * @param {string} name
 * @param {{ routes: Record<string, object> }} index
 */
async function benchSite(name, index) {
  let body = '';
  const server = createServer((request, response) => {
    const isIndex = /^\/wp-json\/?(?:\?|$)/.test(request.url ?? '');
    response.setHeader('link', `<http://${request.headers.host}/wp-json/>; rel="https://api.w.org/"`);
    response.writeHead(isIndex ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isIndex ? body : '{"code":"rest_no_route","message":"None.","data":{"status":404}}');
  });
  await new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const gateway = createGateway({ sites: [{ url: `http://127.0.0.1:${port}/` }] });
  /** @param {string} argument */
  const change = (argument) => {
    const endpoints = [{ methods: ['GET'], args: { [argument]: { type: 'string' } } }];
    const route = { namespace: 'bench/v1', methods: ['GET'], endpoints };
    body = JSON.stringify({ ...index, routes: { ...index.routes, '/bench/v1/changing': route } });
  };
  change('first');
  await gateway.rediscover();
  const unchanged = [];
  const changed = [];
  for (let run = 0; run < RUNS; run++) {
    unchanged.push(await measure(() => gateway.rediscover()));
    change(`changed${run}`);
    changed.push(await measure(() => gateway.rediscover()));
  }
  if (values.json) console.log(JSON.stringify({ longest: median(changed.map(({ longest }) => longest)) }));
  else
    console.log(
      asTable({
        case: `${name}, median of ${RUNS} discoveries`,
        contenders: [toRow('nothing changed', unchanged), toRow('a route changed', changed)],
      }),
    );
  await gateway.stop();
  server.close();
  server.closeAllConnections();
}

/** @typedef {{ longest: number, long: number }} Blocks */

/**
 * Measures the turns of the event loop while a task runs.
 *
 * @param {() => Promise<void>} task
 * @returns {Promise<Blocks>}
 */
async function measure(task) {
  /** @type {number[]} */
  const turns = [];
  let isRunning = true;
  let previous = performance.now();
  const watch = new Promise((resolve) => {
    const next = () => {
      const now = performance.now();
      turns.push(now - previous);
      previous = now;
      if (isRunning) setImmediate(next);
      else resolve(undefined);
    };
    setImmediate(next);
  });
  await task();
  isRunning = false;
  await watch;
  return {
    longest: turns.reduce((longest, turn) => Math.max(longest, turn), 0),
    long: turns.filter((turn) => turn > 10).length,
  };
}

/**
 * @param {string} name
 * @param {readonly Blocks[]} runs
 */
function toRow(name, runs) {
  return {
    discovery: name,
    'longest turn, ms': Math.round(median(runs.map(({ longest }) => longest))),
    'turns over 10 ms': median(runs.map(({ long }) => long)),
  };
}
