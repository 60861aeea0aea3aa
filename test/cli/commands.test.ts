import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND_NAMES } from '../../src/cli/commands.ts';
import { startOnce } from '../support/close-after-test.ts';
import { readSeed } from '../support/documents.ts';
import { useFolder } from '../support/folder.ts';
import { startGateway } from '../support/gateway.ts';
import { type CommandResult, runCommand } from './run-command.ts';

/** Each command has an example. One without fails: what a command does is tested in a file of its own. */

const folder = useFolder('file');
const start = startOnce(() => startGateway());

/** Arguments by command, its exit code, and what it prints. `URL` and `PORT` are those of a running gateway. */
const EXAMPLES: Readonly<Record<string, readonly [args: string, code: number, prints: RegExp]>> = {
  generate: ['--document document.json --only types', 0, /\.ts/],
  init: ['--site https://example.com --yes', 0, /waygate\.config\.ts/],
  reconcile: ['URL --max-requests 1', 1, /overlay\.json/],
  serve: ['--site http://127.0.0.1:1 --port PORT', 2, /PORT.*another process uses the port/],
  check: ['--offline waygate.yaml', 0, /no problems/],
  config: ['print waygate.yaml', 0, /^port: 8080 .*# default/m],
  diff: ['document.json document.json', 0, /^No changes/i],
  mock: ['--document FOLDER/document.json --port PORT', 2, /PORT/],
  why: ['URL/a/', 0, /\/a\//],
  purge: ['URL --all', 0, /\d responses?/],
  reload: ['URL', 2, /reload/],
  status: ['URL', 0, /^ready\.$/m],
  mcp: ['ftp://example.com', 2, /"ftp:\/\/example\.com" is not an http/],
  plugin: ['https://gateway.example.com --config waygate.yaml', 0, /^<\?php/],
  example: ['--port PORT', 2, /PORT/],
  health: ['URL', 0, /alive/],
};

test.each(COMMAND_NAMES)('waygate %s runs', async (name) => {
  const [args, code, prints] = EXAMPLES[name] ?? [];
  if (args === undefined || prints === undefined) throw new Error(`waygate ${name} has no example. Add one.`);
  writeFileSync(join(folder(), 'document.json'), JSON.stringify(readSeed('content')));
  writeFileSync(
    join(folder(), 'waygate.yaml'),
    'sites: [{ url: https://example.com, cache: { webhook: a-secret-of-the-site } }]\n',
  );
  const { origin } = await start();
  const { port } = new URL(origin);
  const words = args.replace('URL', origin).replace('PORT', port).replace('FOLDER', folder()).split(' ');
  const result: CommandResult = await runCommand([name, ...words], {
    cwd: folder(),
    env: { WAYGATE_ADMIN_TOKEN: 'a-token-of-the-tests' },
  });
  const printed = (result.out + result.err).replaceAll(port, 'PORT');
  expect([printed, result.code]).toEqual([expect.stringMatching(prints), code]);
});
