// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('main.mjs', import.meta.url));

/** @type {typeof import('./start.d.mts').startWordPress} */
export async function startWordPress(options = {}) {
  const flags = {
    port: options.port,
    subfolder: options.subfolder,
    permalinks: options.permalinks,
    'mu-plugins': options.muPlugins,
    title: options.title,
    workers: options.workers,
  };
  const args = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  // A process of its own that ends with its input: whatever becomes of this one, the site is taken down.
  const child = spawn(process.execPath, [MAIN, '--json', '--until-stdin-ends', ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.ref();
    child.stdin.end();
    await exited;
  };
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, 'line'), exited.then(() => undefined)]);
  if (line === undefined) throw new Error(complaints || 'the WordPress process ended without a word');
  // Nothing of it keeps the caller alive who forgets to stop it.
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) /** @type {any} */ (stream).unref();
  return { ...JSON.parse(line[0]), stop };
}
