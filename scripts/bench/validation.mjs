// npm run bench:validation -- [--dist dist] [--rounds 5] [--seconds 3] [--connections 32] [--json]
//
// What judging a request costs, on the document of WordPress 7.1 (257 operations): the reading and the judging of a
// typical list query and of a 1 KB post by themselves, the first request to each operation, and requests a second behind
// the judge beside express-openapi-validator on the same document, both answering from memory.
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { measure } from './load.mjs';
import { isInstalled, start } from './processes.mjs';
import { asTable, median } from './table.mjs';

const { values: flags } = parseArgs({
  options: {
    dist: { type: 'string', default: 'dist' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    json: { type: 'boolean', default: false },
  },
});
// The servers' modules read it from their own arguments, as this process does.
const { built, recordedDocument } = await import('./servers/recorded.mjs');

const { createSnapshot } = await built('gateway/snapshot.js');
const { NO_BODY, pathValues, planReading, readQuery } = await built('validation/request/index.js');

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

/** @param {{ judges: any, read: (head: object) => any }} snapshot @param {string} method @param {string} target @param {Buffer | null} body */
function judge(snapshot, method, target, body) {
  const headers = body === null ? [] : ['Content-Type', 'application/json'];
  const { match, target: meant } = snapshot.read({ method, target, headers });
  if (match.kind !== 'found') throw new Error(`no route for ${target}`);
  return judgeMatched(snapshot, match, meant, method, body);
}

/** What validation adds: the query, the body and the path are read, and judged. */
function judgeMatched({ judges }, match, meant, method, body) {
  let values = NO_BODY;
  if (body !== null) {
    const reading = planReading({ sent: method, method: meant.method, contentType: 'application/json' });
    if (reading.kind === 'whole') values = reading.read(body);
  }
  const { json, form } = values;
  return judges
    .of(match.operation)
    .judge({ json, form, query: readQuery(meant.query), path: pathValues(match.params) });
}

/** Microseconds, one by one. @param {() => unknown} task @param {number} count */
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
  if (judge(snapshot, method, target, body).kind !== 'valid') throw new Error(`${name} is not valid`);
  const { match, target: meant } = snapshot.read({
    method,
    target,
    headers: body === null ? [] : ['Content-Type', 'application/json'],
  });
  const task = () => judgeMatched(snapshot, match, meant, method, body);
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
  const all = [...fresh.judges.operations()];
  const times = Float64Array.from(all, ({ operation }) => {
    const before = performance.now();
    const fields =
      operation.body === undefined
        ? NO_BODY.json
        : new Map([
            ['title', 'x'],
            ['status', 'draft'],
          ]);
    const query = readQuery('page=2&per_page=10&context=view&orderby=date&slug=a');
    fresh.judges
      .of(operation)
      .judge({ json: fields, form: NO_BODY.form, query, path: pathValues({ id: '7' }) });
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
  { case: 'Reading and judging by itself', contenders: micro },
  { case: 'The first request to an operation', contenders: [first] },
];

if (isInstalled('wrk')) tables.push(...(await besideTheValidator()));
else process.stderr.write('wrk is not installed: the comparison is left out\n');

process.stdout.write(flags.json ? `${JSON.stringify(tables, null, 2)}\n` : tables.map(asTable).join('\n'));

async function besideTheValidator() {
  const contenders = ['waygate-judge', 'express-openapi-validator', 'bare-hono'];
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
      const server = await start('server', [`scripts/bench/servers/${name}.mjs`, '--dist', flags.dist]);
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
