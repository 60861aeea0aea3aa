// node scripts/bench/router.mjs [--modules <folder>] [--rounds 7]
//
// Measures resolving and matching requests against 10, 100, 1,000 and 10,000 routes, interleaved, as ratios to 10 routes.
// Also measures, once for each number, building the matcher.
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { importerOf } from '../build/modules.mjs';

const { values } = parseArgs({
  options: { modules: { type: 'string' }, rounds: { type: 'string', default: '7' } },
});

const load = await importerOf(values.modules);
const { createOperationMatcher } = await load('router/matcher');
const { createTargetResolver } = await load('router/target');
const { createRequestTargetBuilder } = await load('upstream/addressing');

const address = {
  base: 'https://example.com/',
  root: 'https://example.com/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};

/** Creates an API of plugins with five collections each, each with the routes that a collection has. */
function createApi(count) {
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

/** Creates requests to the last routes, which a search in order would find last. */
function createRequests({ routes }) {
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

const contenders = [10, 100, 1_000, 10_000].map((count) => {
  const api = createApi(count);
  const before = performance.now();
  const matcher = createOperationMatcher(api);
  const buildTime = performance.now() - before;
  const options = {
    mountPath: '',
    site: address,
    forwardsPages: false,
    isDiscovered: true,
    hasRoute: matcher.hasRoute,
  };
  return {
    count,
    buildTime,
    matcher,
    resolver: createTargetResolver(options),
    targetBuilder: createRequestTargetBuilder(address),
    requests: createRequests(api),
    bestRate: 0,
  };
});

/**
 * Resolves and matches requests for some milliseconds.
 *
 * @returns {number} requests per second of CPU time, which other load on the machine hardly affects
 */
function run({ matcher, resolver, targetBuilder, requests }, milliseconds) {
  const end = performance.now() + milliseconds;
  const before = process.cpuUsage();
  let done = 0;
  while (performance.now() < end) {
    for (let i = 0; i < 100; i += 1) {
      for (const head of requests) {
        const target = resolver(head);
        const match = matcher.match(target.method, target.route);
        if (match.kind !== 'found' || targetBuilder.buildRouteTarget(target.route, target) === '') {
          throw new Error(`not found: ${head.target}`);
        }
      }
    }
    done += 100 * requests.length;
  }
  const { user, system } = process.cpuUsage(before);
  return (done / (user + system)) * 1e6;
}

// Warm-up.
for (const contender of contenders) run(contender, 300);
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const contender of contenders) {
    contender.bestRate = Math.max(contender.bestRate, run(contender, 200));
  }
}
const [first] = contenders;
console.log('routes   built in    requests/s   ratio to 10');
for (const { count, buildTime, bestRate } of contenders) {
  const columns = [
    String(count).padStart(6),
    `${buildTime.toFixed(1)} ms`.padStart(11),
    Math.round(bestRate).toLocaleString('en').padStart(14),
    (bestRate / first.bestRate).toFixed(2).padStart(13),
  ];
  console.log(columns.join(''));
}
