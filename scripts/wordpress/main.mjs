#!/usr/bin/env node
// @ts-check
import { parseArgs } from 'node:util';
import { installMissingPackages } from './packages.mjs';
import { createSite } from './site.mjs';

const USAGE = `npm run wordpress -- [options]

Starts a throwaway WordPress on the loopback, prints its address and its users, and removes it on Ctrl-C.

  --port <n>           listen there instead of on any free port
  --subfolder <name>   install the site below /<name>/
  --permalinks plain   ?rest_route= addresses only (default: pretty)
  --mu-plugins <dir>   copy that folder to wp-content/mu-plugins
  --title <text>       the site's name
  --workers <n>        PHP processes (default: 4)
  --install            apt-get install what is missing first
  --install-only       … and do nothing else
  --json               print one line of JSON
  --until-stdin-ends   stop when the standard input ends, as it does when the parent process is gone
`;

const { values: flags } = parseArgs({
  options: {
    port: { type: 'string' },
    subfolder: { type: 'string' },
    permalinks: { type: 'string' },
    'mu-plugins': { type: 'string' },
    title: { type: 'string' },
    workers: { type: 'string' },
    install: { type: 'boolean' },
    'install-only': { type: 'boolean' },
    json: { type: 'boolean' },
    'until-stdin-ends': { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

/** @param {{ url: string, version: string, users: Record<string, { user: string, password: string }> }} site */
function description({ url, version, users }) {
  const rows = Object.entries(users).map(
    ([role, { user, password }]) => `  ${role.padEnd(15)}${user}:${password}`,
  );
  return [`WordPress ${version} at ${url}`, 'Application passwords:', ...rows, 'Ctrl-C ends it.', ''].join(
    '\n',
  );
}

async function main() {
  if (flags.help) return process.stdout.write(USAGE);
  if (flags.install || flags['install-only']) installMissingPackages();
  if (flags['install-only']) return;

  const site = createSite({
    ...(flags.port && { port: Number(flags.port) }),
    ...(flags.subfolder && { subfolder: flags.subfolder }),
    ...(flags.permalinks && { permalinks: flags.permalinks === 'plain' ? 'plain' : 'pretty' }),
    ...(flags['mu-plugins'] && { muPlugins: flags['mu-plugins'] }),
    ...(flags.title && { title: flags.title }),
    ...(flags.workers && { workers: Number(flags.workers) }),
  });
  // A signal during the start waits for the start, so that nothing is left behind half made.
  let stopping = false;
  const end = async () => {
    if (stopping) return;
    stopping = true;
    await site.then(({ stop }) => stop()).catch(() => {});
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  if (flags['until-stdin-ends']) process.stdin.on('close', end).resume();

  const { stop: _, ...facts } = await site;
  if (!stopping) process.stdout.write(flags.json ? `${JSON.stringify(facts)}\n` : description(facts));
  // Signals alone do not keep a process alive; the servers' pipes do, until they end.
}

main().catch((error) => {
  process.stderr.write(`wordpress: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});
