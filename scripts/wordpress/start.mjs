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
    wordpress: options.wordpress,
    subfolder: options.subfolder,
    permalinks: options.permalinks,
    'mu-plugins': options.muPlugins,
    theme: options.theme,
    title: options.title,
    'web-server': options.webServer,
    workers: options.workers,
  };
  const args = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  for (const folder of options.plugins ?? []) args.push(`--plugin=${folder}`);
  if (options.testPlugins) args.push('--test-plugins');
  // The site runs in a process that stops when its input ends. So it stops when this process ends for any reason.
  const child = spawn(process.execPath, [MAIN, '--json', '--until-stdin-ends', ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errorOutput = '';
  child.stderr.on('data', (chunk) => {
    errorOutput += chunk;
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.ref();
    child.stdin.end();
    await exited;
  };
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, 'line'), exited.then(() => undefined)]);
  if (line === undefined) throw new Error(errorOutput || 'the WordPress process exited without a message');
  // The site does not keep this process alive if it is not stopped.
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) /** @type {any} */ (stream).unref();
  return { ...JSON.parse(line[0]), stop };
}
