#!/usr/bin/env node
// @ts-check
// node scripts/bench/fleet.mjs [--sites 30] [--against <built checkout>]
//
// Starts a gateway in front of one site, and in front of many with the same plugins. Prints the seconds and the CPU time until the first
// and the last of them can be served, and the gateway's memory. Needs `npm run build`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startSite } from '../attacks/site.mjs';
import { readOptions } from '../read-options.mjs';
import { start } from './processes.mjs';
import { asTable } from './table.mjs';

const { values } = readOptions(import.meta.url, {
  options: { against: { type: 'string' }, sites: { type: 'string', default: '30' } },
});
const TOKEN = 'the-token-of-the-fleet';
const folder = mkdtempSync(join(tmpdir(), 'waygate-fleet-'));
const sites = await Promise.all(Array.from({ length: Number(values.sites) }, startSite));

/** @param {string} checkout @param {number} count */
async function measure(checkout, count) {
  const config = join(folder, 'waygate.yaml');
  const listed = sites.slice(0, count).map(({ url }, at) => ({ name: `site-${at}`, url }));
  writeFileSync(config, JSON.stringify({ admin: { token: TOKEN }, sites: listed }));
  const command = [join(checkout, 'dist/cli/main.js'), 'serve', '--config', config, '--port', '{port}'];
  const began = performance.now();
  const gateway = await start('server', command, '/-/health');
  const elapsed = () => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    return `${seconds} (${(gateway.cpuTime() / 1_000_000).toFixed(1)})`;
  };
  const headers = { authorization: `Bearer ${TOKEN}` };
  let [first, all] = ['', ''];
  while (all === '') {
    await sleep(50);
    const metrics = await (await fetch(`${gateway.url}/-/metrics`, { headers })).text();
    const ready = metrics.match(/^waygate_site_ready\{.*\} 1$/gm)?.length ?? 0;
    if (first === '' && ready > 0) first = elapsed();
    if (ready === count) all = elapsed();
  }
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
  const peak = Math.round(Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) / 1024);
  await gateway.stop();
  return { sites: count, 'first: s (CPU)': first, 'all: s (CPU)': all, 'most MB': peak };
}

const builds = [values.against ?? [], fileURLToPath(new URL('../..', import.meta.url))].flat();
for (const checkout of builds.map((each) => resolve(each)))
  console.log(
    asTable({
      case: checkout,
      contenders: [await measure(checkout, 1), await measure(checkout, sites.length)],
    }),
  );
for (const site of sites) site.close();
rmSync(folder, { recursive: true });
process.exit();
