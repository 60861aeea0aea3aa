#!/usr/bin/env node
// @ts-check
import { spawn } from 'node:child_process';
import { readOptions } from '../options.mjs';

const USAGE = `node scripts/matrix/main.mjs [options]

Runs test/cache/matrix with more rounds, and prints its table: each page, feed, sitemap and route of a WordPress after each
write by REST, forms of wp-admin, comments and XML-RPC.

  --rounds <n>           rounds of the writes on WordPress (default: 2)
  --only <pattern>       only writes whose name matches, such as "site's title"
  --themes <list>        names or folders of themes, such as twentytwentyone,test/cache/matrix/themes/magazine
`;

const { values: flags } = readOptions(USAGE, {
  options: {
    rounds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    themes: { type: 'string' },
  },
});

const environment = {
  MATRIX_ROUNDS: flags.rounds,
  MATRIX_ONLY: flags.only,
  MATRIX_READ_INTERVAL: '1',
  MATRIX_PRINT: '1',
  ...(flags.themes && { MATRIX_THEMES: flags.themes }),
};
const child = spawn('npx', ['vitest', 'run', '--project', 'real', 'test/cache/matrix'], {
  stdio: 'inherit',
  env: { ...process.env, ...environment },
});
child.on('exit', (code) => process.exit(code ?? 1));
