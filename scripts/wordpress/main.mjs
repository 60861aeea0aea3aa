#!/usr/bin/env node
// @ts-check
import { readOptions } from '../read-options.mjs';
import { installMissingPackages } from './packages.mjs';
import { createSite } from './site.mjs';

const USAGE = `npm run wordpress -- [options]

Starts a temporary WordPress site on the loopback interface, prints its URL and users, and removes it on Ctrl-C.

  --port <n>           port to listen on (default: a free port)
  --wordpress <dir>    a WordPress with themes (default: Debian's)
  --subfolder <name>   install the site below /<name>/
  --subsite <name>     make it a network in folders with this subsite (any number of times; nginx only)
  --permalinks plain   ?rest_route= URLs only (default: pretty)
  --web-server apache  Apache with WordPress's rewrite rules (default: nginx)
  --mu-plugins <dir>   copy this folder to wp-content/mu-plugins
  --test-plugins       install the plugins of scripts/wordpress/plugins: a community (community/v1) and a shop (store/v1,
                       catalog/v1, wp/v2/products), with content
  --plugin <dir>       install and activate the plugin in this folder (any number of times)
  --theme <name|dir>   use this theme of wp-content/themes, or the one in this folder (default: WordPress's own)
  --title <text>       site title
  --workers <n>        number of PHP processes (default: 4)
  --install            install missing Debian packages first
  --install-only       install missing Debian packages and exit
  --json               print one line of JSON
  --until-stdin-ends   stop when standard input ends, as it does when the parent process exits
`;

const { values: flags } = readOptions(USAGE, {
  options: {
    port: { type: 'string' },
    wordpress: { type: 'string' },
    subfolder: { type: 'string' },
    subsite: { type: 'string', multiple: true },
    permalinks: { type: 'string' },
    'web-server': { type: 'string' },
    'mu-plugins': { type: 'string' },
    'test-plugins': { type: 'boolean' },
    plugin: { type: 'string', multiple: true },
    theme: { type: 'string' },
    title: { type: 'string' },
    workers: { type: 'string' },
    install: { type: 'boolean' },
    'install-only': { type: 'boolean' },
    json: { type: 'boolean' },
    'until-stdin-ends': { type: 'boolean' },
  },
});

/**
 * Prints the site's URL and credentials as text.
 *
 * @param {{ url: string, version: string, users: Record<string, { user: string, password: string }> }} site
 */
function describeSite({ url, version, users }) {
  const rows = Object.entries(users).map(
    ([role, { user, password }]) => `  ${role.padEnd(15)}${user}:${password}`,
  );
  return [
    `WordPress ${version} at ${url}`,
    'Application passwords:',
    ...rows,
    'Press Ctrl-C to stop it.',
    '',
  ].join('\n');
}

async function main() {
  if (flags.install || flags['install-only']) installMissingPackages();
  if (flags['install-only']) return;

  const site = createSite({
    ...(flags.port && { port: Number(flags.port) }),
    ...(flags.wordpress && { wordpress: flags.wordpress }),
    ...(flags.subfolder && { subfolder: flags.subfolder }),
    ...(flags.subsite && { subsites: flags.subsite }),
    ...(flags.permalinks && { permalinks: flags.permalinks === 'plain' ? 'plain' : 'pretty' }),
    ...(flags['web-server'] && { webServer: flags['web-server'] === 'apache' ? 'apache' : 'nginx' }),
    ...(flags['mu-plugins'] && { muPlugins: flags['mu-plugins'] }),
    ...(flags['test-plugins'] && { testPlugins: true }),
    ...(flags.plugin && { plugins: flags.plugin }),
    ...(flags.theme && { theme: flags.theme }),
    ...(flags.title && { title: flags.title }),
    ...(flags.workers && { workers: Number(flags.workers) }),
  });
  // A signal during startup takes effect once the site has started, so that all of it is removed.
  let stopping = false;
  const end = async () => {
    if (stopping) return;
    stopping = true;
    await site.then(({ stop }) => stop()).catch(() => {});
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  if (flags['until-stdin-ends']) process.stdin.on('close', end).resume();

  const { stop: _, ...info } = await site;
  if (!stopping) process.stdout.write(flags.json ? `${JSON.stringify(info)}\n` : describeSite(info));
  // The pipes of the servers keep this process alive. Signal handlers alone would not.
}

main().catch((error) => {
  process.stderr.write(`wordpress: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});
