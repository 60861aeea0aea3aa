import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useFolder } from '../support/folder.ts';
import { type StubSite, startStubSite } from '../support/stub-site.ts';
import { MAIN, type ServeProcess, useReadyProcesses } from './serve-process.ts';

/** The commands of the guides, as they are printed, at a gateway with the configuration of whole-site.md. */

const TOKEN = 'a-token-of-the-tests';
const serve = useReadyProcesses({ WAYGATE_ADMIN_TOKEN: TOKEN }, afterAll);
const folder = useFolder('file');
let site: StubSite;
let gateway: ServeProcess;

const listBlocks = (name: string, language: string): readonly string[] => {
  const text = readFileSync(new URL(`../../docs/operators/${name}.md`, import.meta.url), 'utf8');
  return Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
    ([, block = '']) => block,
  );
};

beforeAll(async () => {
  site = await startStubSite({
    intercept({ url }, response) {
      if (url.includes('wp-json')) return false;
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>a page</p>');
      return true;
    },
    respond: () => ({ body: [] }),
  });
  const [configuration = ''] = listBlocks('whole-site', 'yaml');
  expect(configuration).toMatch(/^hosts: /m);
  const file = join(folder(), 'waygate.yaml');
  // The secret that caching.md adds for the plugin.
  const secret = 'pages: 60s\n      webhook: a-long-secret-of-both';
  await writeFile(
    file,
    configuration.replace('http://127.0.0.1:8081', site.url).replace('pages: 60s', secret),
  );
  await mkdir(join(folder(), 'bin'));
  const npx = join(folder(), 'bin', 'npx');
  await writeFile(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  await chmod(npx, 0o755);
  gateway = await serve('--config', file);
});
afterAll(() => site.close());

test.each(['caching', 'runbook'])('the commands of %s.md succeed', async (name) => {
  const commands = listBlocks(name, 'sh').join('').replaceAll('http://127.0.0.1:8080', gateway.url);
  expect(commands).toContain('export GATEWAY=');
  // A refusal of the gateway is a failure.
  const script = `set -ex\ncurl() { command curl --fail "$@"; }\n${commands}`;
  const path = `${join(folder(), 'bin')}:${process.env['PATH']}`;
  const env = { ...process.env, PATH: path, WAYGATE_ADMIN_TOKEN: TOKEN };
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: folder(), env });
  if (name === 'caching') expect(stdout).toMatch(/^cache-status: waygate; hit/im);
});
