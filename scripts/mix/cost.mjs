#!/usr/bin/env node
// @ts-check
import { createHmac } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../read-options.mjs';
import { startWordPress } from '../wordpress/start.mjs';
import { createRest } from './content.mjs';

const USAGE = `node scripts/mix/cost.mjs [options]

Prints what waygate.php costs a real WordPress with OPcache: CPU time (getrusage), memory and queries of a visitor's read through a
gateway above those of the same read without the plugin. Reads with and without it take turns in one PHP process. All are medians;
"above" is that of the differences between neighbours, because the speed of a shared machine changes by more than the plugin costs.

  --requests <n>     of each address, with and without the plugin (default: 300)
  --options <n>      of a plugin, loaded by every request, besides those of WordPress (default: 300)
  --plugin <folder>  installs a WordPress plugin (any number of times)
  --waygate <file>   another waygate.php
`;
const { values: flags } = readOptions(USAGE, {
  options: {
    requests: { type: 'string', default: '300' },
    options: { type: 'string', default: '300' },
    plugin: { type: 'string', multiple: true, default: [] },
    waygate: {
      type: 'string',
      default: fileURLToPath(new URL('../../src/cli/plugin/waygate.php', import.meta.url)),
    },
  },
});

/** Loads the plugin for requests of a gateway only, and notes what a request has taken once all else has ended. */
const METER = `<?php
define('METER_START', getrusage());
define('WAYGATE_SITES', [['homes' => [get_option('home')], 'secret' => 'a secret', 'urls' => []]]);
if (isset($_SERVER['HTTP_X_WAYGATE_REQUEST'])) require __DIR__ . '/measured/waygate.php';
add_action('shutdown', fn () => register_shutdown_function(fn () => register_shutdown_function(function () {
    $time = fn ($usage) => ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1000 + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1000;
    $values = [$time(getrusage()) - $time(METER_START), memory_get_peak_usage() / 1000, $GLOBALS['wpdb']->num_queries];
    file_put_contents(__DIR__ . '/measured/log', implode(' ', $values) . PHP_EOL);
})), PHP_INT_MAX);`;

/** @param {readonly number[]} values */
const findMedian = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const wordpress = await startWordPress({ workers: 1, plugins: flags.plugin });
try {
  const site = wordpress.url.slice(0, -1);
  const { user, password } = wordpress.users.administrator;
  const rest = createRest(site, `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
  for (let n = 0; n < 100; n += 1)
    await rest('/wp/v2/posts', { title: `Post ${n}`, content: `<p>${n}</p>`, status: 'publish' });
  const folder = join(wordpress.folder, 'wp-content/mu-plugins');
  mkdirSync(join(folder, 'measured'), { recursive: true });
  const log = join(folder, 'measured/log');
  writeFileSync(log, '');
  chmodSync(log, 0o666);
  copyFileSync(flags.waygate, join(folder, 'measured/waygate.php'));
  const setUp = `<?php for ($n = 0; $n < ${Number(flags.options)}; $n++) add_option("plugin_option_$n", str_repeat('x', 50), '', 'yes');`;
  writeFileSync(join(folder, '0-meter.php'), setUp);
  await fetch(wordpress.url);
  writeFileSync(join(folder, '0-meter.php'), METER);
  process.stdout.write(
    '| address | ms without | ms with | above | kB above | queries above |\n|---|---|---|---|---|---|\n',
  );
  for (const path of ['/', '/2024/01/post-1/', '/wp-json/wp/v2/posts?per_page=100']) {
    /** @type {[number[], number[], number[]]} */
    const without = [[], [], []];
    /** @type {[number[], number[], number[]]} */
    const own = [[], [], []];
    for (let n = -20; n < 2 * Number(flags.requests); n += 1) {
      const text = `waygate request ${Math.floor(Date.now() / 1000)}`;
      const field = `${text.split(' ')[2]}.${createHmac('sha256', 'a secret').update(text).digest('hex')}`;
      const response = await fetch(site + path, {
        headers: n % 2 === 0 ? {} : { 'x-waygate-request': field },
      });
      await response.arrayBuffer();
      if (!response.ok || (n % 2 !== 0) !== response.headers.has('x-waygate-tags'))
        throw new Error(`${path}: ${response.status}`);
      if (n < 0) continue;
      for (const [index, value] of readFileSync(log, 'utf8').split(' ').entries())
        (n % 2 === 0 ? without : own)[index]?.push(Number(value));
    }
    const above = own.map((values, index) =>
      findMedian(values.map((value, n) => value - (without[index]?.[n] ?? 0))),
    );
    const cells = [
      path,
      findMedian(without[0]).toFixed(2),
      findMedian(own[0]).toFixed(2),
      ...above.map((value, index) => value.toFixed(index === 0 ? 2 : 0)),
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
} finally {
  await wordpress.stop();
}
