/**
 * Who runs. `site: true` stands in front of the stub; `ready` is asked until it answers 200 where the process does not
 * announce its address itself. `{site}`, `{port}` are filled in.
 *
 * @typedef {object} Contender
 * @property {string} name
 * @property {readonly string[]} command arguments of node, from the project's root
 * @property {string} [ready] path
 * @property {boolean} [routed] whether it knows routes, so that their number may matter
 * @property {boolean} [stores] whether it keeps answers: it is asked for hits and for cold keys, and not to pass through
 * @property {string} [needs] a file that must have been built
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
    needs: 'dist/upstream/dispatch-transport.js',
  },
  {
    name: 'waygate',
    command: [...SERVE, '--mode', 'off'],
    ready: '/-/ready',
    routed: true,
    needs: 'dist/cli/main.js',
  },
  {
    name: 'waygate validating',
    command: [...SERVE, '--mode', 'enforce'],
    ready: '/-/ready',
    routed: true,
    needs: 'dist/cli/main.js',
  },
  {
    name: 'waygate validating and caching',
    command: [...SERVE, '--mode', 'enforce', '--cache', 'memory'],
    ready: '/-/ready',
    stores: true,
    needs: 'dist/cli/main.js',
  },
  {
    name: 'undici cache interceptor',
    command: ['scripts/bench/servers/undici-cache.mjs', '--site', '{site}'],
    stores: true,
  },
];

/** All others are shown as ratios to these two. */
export const BASELINES = ['bare Hono', 'undici dispatch'];
