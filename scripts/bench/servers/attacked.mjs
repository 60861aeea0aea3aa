// A gateway under enforce in front of a site with one route, for attacks.mjs: node attacked.mjs <dist>. It reports the
// longest time that its event loop was blocked, and its memory, on each message of its parent.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';

const dist = pathToFileURL(`${process.argv[2]}/`).href;
const { createGateway } = await import(`${dist}index.js`);
const { nodeDecode, serve } = await import(`${dist}node/index.js`);

const site = fork(fileURLToPath(new URL('attacked-site.mjs', import.meta.url)));
const [url] = await once(site, 'message');
const gateway = createGateway({
  cache: 'memory',
  decode: nodeDecode,
  sites: [{ url, validation: { mode: 'enforce' }, cache: {} }],
});
await gateway.rediscover();
const server = await serve(gateway, { port: 0 });

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

// The CPU time of one turn of the event loop does not depend on other load of the machine.
let longestTurn = 0;
let before = cpuTime();
setInterval(() => {
  const now = cpuTime();
  longestTurn = Math.max(longestTurn, now - before);
  before = now;
}, 1);

/** CPU time of the process in milliseconds. */
function cpuTime() {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1000;
}

process.on('message', () => {
  process.send?.({ delay: delay.max / 1e6, turn: longestTurn, rss: process.memoryUsage().rss / 1e6 });
  delay.reset();
  longestTurn = 0;
});
process.send?.({ port: Number(new URL(server.url).port), rss: process.memoryUsage().rss / 1e6 });
