/**
 * A server of the benchmark.
 *
 * @typedef {object} Contender
 * @property {string} name
 * @property {readonly string[]} command arguments of node, relative to the project's root; `{site}` and `{port}` are
 * replaced
 * @property {string} [ready] path that responds with 200 once the server is ready; by default the process announces its
 * URL itself
 * @property {boolean} [routed] whether it matches routes, so that their number can matter
 * @property {boolean} [caches] whether it has a cache: it runs in the cases `hit` and `cold` only
 * @property {string} [requires] built file that must exist
 */

const SERVE = ['dist/cli/main.js', 'serve', '--site', '{site}/', '--port', '{port}', '--host', '127.0.0.1'];

/** @type {readonly Contender[]} */
export const CONTENDERS = [
  { name: 'bare Hono', command: ['scripts/bench/servers/bare-hono.mjs'] },
  { name: 'bare node:http', command: ['scripts/bench/servers/bare-node.mjs'] },
  { name: 'undici dispatch', command: ['scripts/bench/servers/undici-dispatch.mjs', '--site', '{site}'] },
  { name: '@fastify/http-proxy', command: ['scripts/bench/servers/fastify-proxy.mjs', '--site', '{site}'] },
  {
    name: 'waygate transport',
    command: ['scripts/bench/servers/transport.mjs', '--site', '{site}'],
  },
  {
    name: 'waygate',
    command: [...SERVE, '--mode', 'off'],
    ready: '/-/ready',
    routed: true,
    requires: 'dist/cli/main.js',
  },
  {
    name: 'waygate validating',
    command: [...SERVE, '--mode', 'enforce'],
    ready: '/-/ready',
    routed: true,
    requires: 'dist/cli/main.js',
  },
  {
    name: 'waygate validating and caching',
    command: [...SERVE, '--mode', 'enforce', '--cache', 'memory'],
    ready: '/-/ready',
    caches: true,
    requires: 'dist/cli/main.js',
  },
  {
    name: 'undici cache interceptor',
    command: ['scripts/bench/servers/undici-cache.mjs', '--site', '{site}'],
    caches: true,
  },
];

/** Contenders that the results of all others are divided by. */
export const BASELINES = ['bare Hono', 'undici dispatch'];
