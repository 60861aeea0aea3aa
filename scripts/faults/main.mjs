#!/usr/bin/env node
// @ts-check
import { existsSync } from 'node:fs';
import { readOptions } from '../options.mjs';
import { OTHER_FAULTS } from './other-faults.mjs';
import { SITE_FAULTS } from './site-faults.mjs';
import { closeAll, describe, get, MAIN, startGateway, startNginx, startSite, until } from './support.mjs';

/**
 * npm run faults [-- --quick] [text…]
 *
 * Breaks what a gateway depends on, by name, and prints a Markdown table: what clients saw, what nginx showed them in its place, and what the
 * log and the metrics said. `--quick` runs those that take no time limit; texts select faults by their names. Exit code 1 if one of them is
 * not handled. It needs `npm run build`; Redis, nginx and OpenSSL are those of Debian.
 */

const { positionals, values } = readOptions(import.meta.url, {
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
  },
});
/** @param {{ name: string, isQuick?: boolean }} fault */
const isSelected = ({ isQuick = false, name }) =>
  (!values.quick || isQuick) && (positionals.length === 0 || positionals.some((text) => name.includes(text)));

/** @typedef {{ name: string, saw: string, nginx: string, said: string, fault: string }} Row */
/** @type {Row[]} */
const rows = [];

/** @param {Row} row */
function add(row) {
  rows.push(row);
  process.stderr.write(
    `${row.fault === '' ? 'ok    ' : 'FAILED'} ${row.name}${row.fault === '' ? '' : `: ${row.fault}`}\n`,
  );
}

async function runSiteFaults() {
  const faults = SITE_FAULTS.map((fault) => ({ ...fault, name: `site: ${fault.name}` })).filter(isSelected);
  if (faults.length === 0) return;
  const site = await startSite();
  const timeouts = { connect: '1s', headers: '1s', body: '1s' };
  // Of circuits there is a fault of its own: here each request shall reach the site.
  const sites = [{ url: site.url, discovery: 'off', passthrough: true, timeouts, breaker: false }];
  const gateway = await startGateway({ sites });
  const nginx = await startNginx(site.url);
  const proxies = [gateway.url, ...(nginx === null ? [] : [nginx])];
  const pages = faults.flatMap((_, at) => proxies.map((url) => `${url}/${at}/stored`));
  await Promise.all(pages.map((url) => get(url)));
  await until(() => Date.now() > 0 && site.requests.length >= pages.length);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  const before = gateway.resources();
  for (const [at, { failure, isClosed = false, name, other, respond, stored }] of faults.entries()) {
    const readFailures = () =>
      gateway.metric(new RegExp(`^waygate_site_failures_total\\{.*kind="${failure}"`));
    const failuresBefore = await readFailures();
    if (isClosed) await site.close();
    else site.fault = (asked) => void respond?.(asked, site);
    /** @param {string} url */
    const look = async (url) => {
      const [kept, fresh] = await Promise.all([get(`${url}/${at}/stored`), get(`${url}/${at}/other`)]);
      const isStored = kept.how === 'whole' && kept.body === `page /${at}/stored`;
      return [`${describe(kept)}${isStored ? ' stored' : ''}`, describe(fresh)];
    };
    const [seen = [], ofNginx = ['–', '–']] = await Promise.all(proxies.map(look));
    /** @type {string[]} */
    const wrong = [];
    if (seen[0] !== stored) wrong.push(`stored: ${seen[0]}, not ${stored}`);
    if (seen[1] !== other) wrong.push(`other: ${seen[1]}, not ${other}`);
    const line = await gateway.logged(({ path }) => path === `/${at}/other`).catch(() => ({}));
    const logged = /** @type {{ failure?: string, status?: number }} */ (line);
    if (logged.failure !== failure) wrong.push(`failure in the log: ${logged.failure}, not ${failure}`);
    if (failure !== undefined && (await readFailures()) <= failuresBefore)
      wrong.push('the metric does not count it');
    site.fault = null;
    if (isClosed) await site.open();
    const after = await get(`${gateway.url}/healthy/${at}`);
    if (after.status !== 200) wrong.push(`afterwards: ${describe(after)}`);
    add({
      name,
      saw: seen.join(', '),
      nginx: ofNginx.join(', '),
      said: `${logged.status ?? ''} ${logged.failure ?? ''}`.trim(),
      fault: wrong.join('; '),
    });
  }
  // Connections to the site stay open for a few seconds.
  await until(() => gateway.resources().descriptors <= before.descriptors + 10, 20_000).catch(() => {});
  const { descriptors, memory } = gateway.resources();
  const isAsBefore = descriptors <= before.descriptors + 10 && memory < before.memory + 64;
  add({
    name: 'all of these: the process afterwards',
    saw: gateway.isAlive ? 'it serves' : 'it has ended',
    nginx: '–',
    said: `${descriptors - before.descriptors} descriptors, ${Math.round(memory - before.memory)} MiB more`,
    fault: isAsBefore ? '' : 'it is not as before',
  });
}

if (!existsSync(MAIN)) {
  process.stderr.write('npm run build comes first\n');
  process.exit(2);
}
try {
  await runSiteFaults();
  for (const { name, run } of OTHER_FAULTS.filter(isSelected)) {
    const outcome = await run().then(
      ([saw, said]) => ({ saw, said, fault: '' }),
      (error) => ({
        saw: '',
        said: '',
        fault: String(error instanceof Error ? error.message : error)
          .split('\n')
          .slice(0, 3)
          .join(' '),
      }),
    );
    add({ name, nginx: '–', ...outcome });
  }
} finally {
  await closeAll();
}
const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
process.stdout.write('| fault | clients saw | nginx | log and metrics | |\n|---|---|---|---|---|\n');
for (const { fault, name, nginx, said, saw } of rows) {
  process.stdout.write(
    `| ${[name, saw, nginx, said, fault === '' ? 'ok' : `**${fault}**`].map(cell).join(' | ')} |\n`,
  );
}
const failed = rows.filter(({ fault }) => fault !== '').length;
process.stdout.write(`\n${rows.length} faults, ${failed} not handled\n`);
process.exitCode = failed === 0 ? 0 : 1;
