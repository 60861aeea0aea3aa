// node scripts/bench/router.mjs [--dist dist] [--rounds 7]
//
// What deciding and matching cost by the number of routes, interleaved: the same requests to tables of 10, 100, 1,000
// and 10,000 routes, as ratios to 10. And once for each table: what building it costs.
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { dist: { type: 'string', default: 'dist' }, rounds: { type: 'string', default: '7' } },
});

/** @param {string} file */
const load = (file) => import(pathToFileURL(resolve(values.dist, file)).href);
const { createOperationMatcher } = await load('router/matcher.js');
const { createTargetResolver } = await load('router/target.js');
const { createUpstreamAddressing } = await load('upstream/addressing.js');

const address = {
  base: 'https://example.com/',
  root: 'https://example.com/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};

/** A site of plugins with five collections each, every one with the routes that a collection has. */
function table(count) {
  const routes = [];
  const namespaces = [];
  for (let plugin = 0; routes.length < count; plugin += 1) {
    const namespace = `plugin-${plugin}/v1`;
    namespaces.push(namespace);
    for (let collection = 0; collection < 5; collection += 1) {
      const front = `/${namespace}/things-${collection}`;
      for (const tail of ['', '/(?P<id>[\\d]+)', '/(?P<slug>[\\w-]+)/parts(?:/(?P<part>\\d+))?']) {
        const methods = ['GET', 'POST'];
        const operations = new Map(
          methods.map((method) => [method, { id: `${method}${front}${tail}`, method }]),
        );
        if (routes.length < count) routes.push({ pattern: front + tail, namespace, operations });
      }
    }
  }
  return { address, namespaces, routes };
}

/** Requests to the last routes of the table, which a search in order would find last. */
function requests({ routes }) {
  return routes.slice(-10).map(({ pattern }) => {
    const path = pattern
      .replace(/\(\?:.*\)\?$/, '/7')
      .replace(/\(\?P<slug>[^)]*\)/, 'a-b')
      .replace(/\(\?P<id>[^)]*\)/, '42');
    return {
      method: 'GET',
      target: `/wp-json${path}?page=2&per_page=10`,
      headers: ['Host', 'example.com', 'Accept', '*/*'],
    };
  });
}

const tables = [10, 100, 1_000, 10_000].map((count) => {
  const api = table(count);
  const before = performance.now();
  const matcher = createOperationMatcher(api);
  const built = performance.now() - before;
  const options = {
    mount: '',
    site: address,
    passthrough: false,
    discovery: true,
    hasRoute: matcher.hasRoute,
  };
  return {
    count,
    built,
    matcher,
    resolver: createTargetResolver(options),
    addressing: createUpstreamAddressing(address),
    asked: requests(api),
    best: 0,
  };
});

/**
 * Decisions a second of processor time, for the machine may have other work.
 *
 * @returns {number}
 */
function run({ matcher, resolver, addressing, asked }, milliseconds) {
  const end = performance.now() + milliseconds;
  const before = process.cpuUsage();
  let done = 0;
  while (performance.now() < end) {
    for (let i = 0; i < 100; i += 1) {
      for (const head of asked) {
        const target = resolver(head);
        const match = matcher.match(target.method, target.route);
        if (match.kind !== 'found' || addressing.routeTarget(target.route, target) === '') {
          throw new Error(`not found: ${head.target}`);
        }
      }
    }
    done += 100 * asked.length;
  }
  const { user, system } = process.cpuUsage(before);
  return (done / (user + system)) * 1e6;
}

for (const one of tables) run(one, 300);
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const one of tables) one.best = Math.max(one.best, run(one, 200));
}
const [first] = tables;
console.log('routes   built in   decisions/s   ratio to 10');
for (const { count, built, best } of tables) {
  const columns = [
    String(count).padStart(6),
    `${built.toFixed(1)} ms`.padStart(11),
    Math.round(best).toLocaleString('en').padStart(14),
    (best / first.best).toFixed(2).padStart(13),
  ];
  console.log(columns.join(''));
}
