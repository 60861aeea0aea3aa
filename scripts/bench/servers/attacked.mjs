// A gateway under enforce in front of a site with three routes, for attacks.mjs: node attacked.mjs <dist>. It reports the
// longest time that its event loop was blocked, and its memory, on each message of its parent.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';

const dist = pathToFileURL(`${process.argv[2]}/`).href;
const { createGateway } = await import(`${dist}index.js`);
const { createCacheStore, nodeDecode, serve } = await import(`${dist}node/index.js`);

const site = fork(fileURLToPath(new URL('attacked-site.mjs', import.meta.url)));
const [url] = await once(site, 'message');
const store = await createCacheStore('memory', { memory: { maxBytes: 2 ** 30 } });
const gateway = createGateway({
  admin: { token: 'operator-of-the-bench' },
  cache: store,
  decode: nodeDecode,
  sites: [{ url, passthrough: true, validation: { mode: 'enforce' }, cache: { pages: 60 } }],
});
await gateway.rediscover();
const server = await serve(gateway, { port: 0 });

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

// The CPU time of one turn of the event loop does not depend on other load of the machine.
/** @typedef {{ cpu: number, faults: number }} Spent */
let longestTurn = { cpu: 0, faults: 0 };
let before = spent();
setInterval(() => {
  const now = spent();
  const turn = { cpu: now.cpu - before.cpu, faults: now.faults - before.faults };
  if (turn.cpu > longestTurn.cpu) longestTurn = turn;
  before = now;
}, 1);

/** CPU time of the main thread in milliseconds, and page faults of the process. @returns {Spent} */
function spent() {
  const { minorPageFault, systemCPUTime, userCPUTime } = process.resourceUsage();
  return { cpu: readThreadTime() ?? (systemCPUTime + userCPUTime) / 1000, faults: minorPageFault };
}

/** Without the threads of the compiler and the collector, which block nothing; `null` where the kernel does not tell. */
function readThreadTime() {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return null;
  }
}

/** Measures what a page fault costs on this machine, in milliseconds: virtual machines take up to a hundred times as long as others. */
function measurePageFault() {
  const start = spent();
  new Uint8Array(32 * 1024 * 1024).fill(1);
  const { cpu, faults } = spent();
  return (cpu - start.cpu) / Math.max(1, faults - start.faults);
}
const pageFault = measurePageFault();

/** Stores 100,000 responses: one that was requested, under as many addresses. */
async function fill() {
  const path = '/wp-json/t/v1/items?page=';
  await (await gateway.request(`${path}0`)).arrayBuffer();
  const [key, responses] = [...store.report().entries].find(([each]) => each.includes('page'));
  const [stored] = responses;
  for (let page = 1; page <= 100_000; page += 1) {
    const rename = (/** @type {string} */ name) => name.replace('"0"', `"${page}"`);
    store.put(rename(key), { ...stored, tags: stored.tags.map(rename) });
    if (page % 100 === 0) await new Promise(setImmediate);
  }
  if (store.report().responseCount < 100_000) throw new Error(`${store.report().responseCount} are stored`);
}

/** Reads the site again, which must succeed. */
async function rediscover() {
  await gateway.rediscover();
  const sites = await gateway.request('/-/sites', {
    headers: { authorization: 'Bearer operator-of-the-bench' },
  });
  const { fault } = (await sites.json()).sites[0].discovery;
  if (fault !== null) throw new Error(fault);
}

process.on('message', async (command) => {
  if (command === 'fill') await fill();
  else if (command === 'rediscover') await rediscover();
  if (command !== 'report') return process.send?.(command);
  process.send?.({
    delay: delay.max / 1e6,
    turn: longestTurn.cpu,
    withoutFaults: Math.max(0, longestTurn.cpu - longestTurn.faults * pageFault),
    rss: process.memoryUsage().rss / 1e6,
  });
  delay.reset();
  before = spent();
  longestTurn = { cpu: 0, faults: 0 };
});
process.send?.({ port: Number(new URL(server.url).port), rss: process.memoryUsage().rss / 1e6 });
