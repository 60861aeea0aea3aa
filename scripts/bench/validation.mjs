// npm run bench:validation -- [--modules <folder>] [--rounds 5] [--seconds 3] [--connections 32] [--json]
//
// Measures the validation of requests with the document of WordPress 7.1 (257 operations): parsing and validation of a
// typical list query and of a 1 KB post, the first request to each operation, and requests per second of a server that
// validates, compared with express-openapi-validator on the same document. Both servers respond from memory.
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { measure } from './load.mjs';
import { isInstalled, start } from './processes.mjs';
import { asTable, median } from './table.mjs';

const { values: flags } = parseArgs({
  options: {
    modules: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    json: { type: 'boolean', default: false },
  },
});
// recorded.mjs reads `--modules` from the arguments of this process, as the servers do.
const { importModule, recordedDocument } = await import('./servers/recorded.mjs');

const { createSnapshot } = await importModule('gateway/snapshot/snapshot');
const { NO_BODY_PARAMETERS, parseQueryParameters, planBody, toPathParameters } =
  await importModule('validation/request/index');

const LIST =
  'context=view&page=2&per_page=10&search=hello%20world&status=publish&orderby=date&order=desc&after=2020-01-01T00%3A00%3A00Z&_fields=id,title,link';
const POST = JSON.stringify({
  title: { raw: 'A title of some length' },
  content: { raw: 'x'.repeat(720) },
  excerpt: { raw: 'In short' },
  status: 'draft',
  date: '2024-01-02T03:04:05Z',
  slug: 'a-title',
  author: 1,
  categories: [1, 2, 3],
  tags: [4, 5],
  comment_status: 'open',
  format: 'standard',
  sticky: false,
});
const ROUTE = '/wp-json/wp/v2/posts';

const document = await recordedDocument();

/** @param {{ requestValidators: any, resolveRequest: (head: object) => any }} snapshot @param {string} method @param {string} target @param {Buffer | null} body */
function validate(snapshot, method, target, body) {
  const headers = body === null ? [] : ['Content-Type', 'application/json'];
  const { match, target: resolved } = snapshot.resolveRequest({ method, target, headers });
  if (match.kind !== 'found') throw new Error(`no route for ${target}`);
  return validateMatched(snapshot, match, resolved, method, body);
}

/** Parses query, body and path, and validates them. */
function validateMatched({ requestValidators }, match, resolved, method, body) {
  let bodyParameters = NO_BODY_PARAMETERS;
  if (body !== null) {
    const plan = planBody({
      requestMethod: method,
      method: resolved.method,
      contentType: 'application/json',
    });
    if (plan.kind === 'buffered') bodyParameters = plan.parse(body);
  }
  const { json, form } = bodyParameters;
  const query = parseQueryParameters(resolved.query);
  const path = toPathParameters(match.params);
  return requestValidators.get(match.operation).validate({ json, form, query, path });
}

/** Measures each call in microseconds, sorted. @param {() => unknown} task @param {number} count */
function timed(task, count) {
  const times = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    const before = performance.now();
    task();
    times[at] = (performance.now() - before) * 1000;
  }
  return times.sort();
}

/** @param {Float64Array} times sorted @param {number} share */
const quantile = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

const snapshot = createSnapshot(document, { mount: '', passthrough: false });
const micro = [
  { name: 'list query', method: 'GET', target: `${ROUTE}?${LIST}`, body: null, limit: 20 },
  { name: 'post of 1 KB', method: 'POST', target: ROUTE, body: Buffer.from(POST), limit: 50 },
].map(({ name, method, target, body, limit }) => {
  if (validate(snapshot, method, target, body).kind !== 'valid') throw new Error(`${name} is not valid`);
  const { match, target: resolved } = snapshot.resolveRequest({
    method,
    target,
    headers: body === null ? [] : ['Content-Type', 'application/json'],
  });
  const task = () => validateMatched(snapshot, match, resolved, method, body);
  timed(task, 5_000);
  const times = timed(task, 20_000);
  return {
    request: name,
    bytes: body?.length ?? target.length,
    'median µs': quantile(times, 0.5).toFixed(1),
    'p99 µs': quantile(times, 0.99).toFixed(1),
    'at most': limit,
  };
});

const first = (() => {
  const fresh = createSnapshot(document, { mount: '', passthrough: false });
  const all = [...fresh.requestValidators.listOperations()];
  const times = Float64Array.from(all, ({ operation }) => {
    const before = performance.now();
    const fields =
      operation.body === undefined
        ? NO_BODY_PARAMETERS.json
        : new Map([
            ['title', 'x'],
            ['status', 'draft'],
          ]);
    const query = parseQueryParameters('page=2&per_page=10&context=view&orderby=date&slug=a');
    const path = toPathParameters({ id: '7' });
    fresh.requestValidators
      .get(operation)
      .validate({ json: fields, form: NO_BODY_PARAMETERS.form, query, path });
    return performance.now() - before;
  }).sort();
  return {
    request: `first to each of ${all.length}`,
    'median ms': quantile(times, 0.5).toFixed(2),
    'slowest ms': quantile(times, 1).toFixed(2),
    'at most': 20,
  };
})();

const tables = [
  { case: 'Parsing and validation only', contenders: micro },
  { case: 'The first request to an operation', contenders: [first] },
];

if (isInstalled('wrk')) tables.push(...(await besideTheValidator()));
else process.stderr.write('wrk is not installed: the comparison is left out\n');

process.stdout.write(flags.json ? `${JSON.stringify(tables, null, 2)}\n` : tables.map(asTable).join('\n'));

async function besideTheValidator() {
  const contenders = ['waygate-validator', 'express-openapi-validator', 'bare-hono'];
  const load = { connections: Number(flags.connections), seconds: Number(flags.seconds) };
  const cases = [
    {
      name: 'List queries, requests a second',
      method: /** @type {const} */ ('GET'),
      paths: Array.from(
        { length: 100 },
        (_, page) => `${ROUTE}?${LIST.replace('page=2', `page=${page + 1}`)}`,
      ),
    },
    {
      name: 'Posts of 1 KB, requests a second',
      method: /** @type {const} */ ('POST'),
      paths: [ROUTE],
      body: POST,
    },
  ];
  const servers = [];
  try {
    for (const name of contenders) {
      const server = await start('server', [
        `scripts/bench/servers/${name}.mjs`,
        '--modules',
        flags.modules || '.modules',
      ]);
      servers.push({ ...server, name });
      for (const one of cases) await measure(server.url, { ...one, ...load, seconds: 1 });
    }
    /** @type {Map<string, { rate: number, cost: number }[]>} */
    const samples = new Map();
    for (let round = 0; round < Number(flags.rounds); round++) {
      for (const one of cases) {
        for (const { name, url, cpuTime } of servers) {
          const before = await cpuTime();
          const { rate, requests } = await measure(url, { ...one, ...load });
          const cost = ((await cpuTime()) - before) / requests;
          const key = `${one.name} ${name}`;
          samples.set(key, [...(samples.get(key) ?? []), { rate, cost }]);
        }
      }
    }
    return cases.map(({ name }) => {
      const typical = (contender) => {
        const all = samples.get(`${name} ${contender}`) ?? [];
        return { rate: median(all.map(({ rate }) => rate)), cost: median(all.map(({ cost }) => cost)) };
      };
      const base = typical('express-openapi-validator');
      return {
        case: name,
        contenders: contenders.map((contender) => {
          const { rate, cost } = typical(contender);
          return {
            contender,
            'requests/s': Math.round(rate),
            'µs/request': Math.round(cost),
            // What the processor time allows holds on a busy machine too.
            'of express-openapi-validator': `${(rate / base.rate).toFixed(1)} (${(base.cost / cost).toFixed(1)})`,
          };
        }),
      };
    });
  } finally {
    for (const server of servers) await server.stop();
  }
}
