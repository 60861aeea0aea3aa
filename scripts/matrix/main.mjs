#!/usr/bin/env node
// @ts-check
import { spawn } from 'node:child_process';
import { readOptions } from '../options.mjs';

const USAGE = `node scripts/matrix/main.mjs [options]

Runs test/cache/matrix with more rounds, and prints its tables: each kind of write × each kind of read, on WordPress, on
WordPress with two plugins, and on both example sites. With --themes: each page, feed,
sitemap and route of a WordPress with that theme after each write by REST, forms of wp-admin, comments and XML-RPC.

  --rounds <n>           rounds of the writes on WordPress (default: 2)
  --only <pattern>       only writes whose name matches, such as "site's title"
  --site <pattern>       only sites whose test matches: WordPress, plugins, content, boards, theme
  --themes <list>        names or folders of themes, such as twentytwentyone,test/cache/matrix/themes/magazine
`;

const { values: flags } = readOptions(USAGE, {
  options: {
    rounds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    site: { type: 'string', default: '' },
    themes: { type: 'string' },
  },
});

const environment = {
  MATRIX_ROUNDS: flags.rounds,
  MATRIX_ONLY: flags.only,
  MATRIX_COMPARED: '',
  MATRIX_READ_INTERVAL: '1',
  MATRIX_LIMIT: String(24 * 3_600_000),
  MATRIX_PRINT: '1',
  ...(flags.themes && { MATRIX_THEMES: flags.themes }),
};
const site = flags.site || (flags.themes ? 'theme' : '');
const child = spawn(
  'npx',
  ['vitest', 'run', '--project', 'real', '--project', 'default', 'test/cache/matrix', '-t', site],
  { stdio: 'inherit', env: { ...process.env, ...environment } },
);
child.on('exit', (code) => process.exit(code ?? 1));
