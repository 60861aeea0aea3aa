import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { useBrowser } from '../support/browser.ts';
import { startNodeGateway } from '../support/gateway.ts';
import { startServer } from '../support/server.ts';
import { useWordPress } from '../support/wordpress.ts';

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('first-hour', import.meta.url));
const TSC = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url));

/** What the program returns if all its steps have worked. */
const OUTCOME = {
  raw: 'Grüße aus “Zürich”',
  status: 'publish',
  alt: 'Ein Punkt',
  isAttached: true,
  type: 'image/png',
  isComplete: true,
  isListed: true,
  parameters: ['per_page'],
  deleted: true,
  gone: true,
};

/** Compiler options of a strict project that Vite bundles. */
const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2022', 'dom'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
};

const site = useWordPress();
const browser = useBrowser();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waygate-first-hour-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function connection(baseUrl = `${site().url}wp-json`) {
  const { user, password } = site().users.administrator;
  return { baseUrl, username: user, password };
}

describe('the first hour of a developer', () => {
  test('begins with three questions, a generated client, and a program that compiles', async () => {
    const steps = [
      await runCommand(['init'], { cwd: folder, replies: [site().url, null, null] }),
      await runCommand(['generate'], { cwd: folder }),
      // The step of the workflow that `init` has written.
      await runCommand(['generate', '--check'], { cwd: folder }),
    ];
    const problems = steps.map(({ err }) => err).join('\n');
    expect(
      steps.map(({ code }) => code),
      problems,
    ).toEqual([0, 0, 0]);
    await cp(PROGRAM, join(folder, 'src'), { recursive: true });
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
    const compiled = run(process.execPath, [TSC, '-p', folder]);
    // The compiler writes its errors to its standard output.
    expect(await compiled.catch(({ stdout }: { stdout: string }) => ({ stdout }))).toMatchObject({
      stdout: '',
    });
    await writeFile(
      join(folder, 'node.ts'),
      `import { runFirstHour } from './src/program.ts';
      console.log(JSON.stringify(await runFirstHour(JSON.parse(process.env['CONNECTION'] ?? ''))));`,
    );
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { ssr: 'node.ts', outDir: 'node' },
    });
  }, 120_000);

  test.each(['WordPress', 'a gateway'])(
    'ends with a program that works in Node, at %s',
    async (target) => {
      const gateway =
        target === 'a gateway' ? await startNodeGateway({ sites: [{ url: site().url }] }) : undefined;
      try {
        const CONNECTION = JSON.stringify(connection(gateway && `${gateway.origin}/wp-json`));
        const { stdout } = await run(process.execPath, ['node/node.js'], {
          cwd: folder,
          env: { ...process.env, CONNECTION },
        });
        expect(JSON.parse(stdout)).toEqual(OUTCOME);
      } finally {
        await gateway?.stop();
      }
    },
    60_000,
  );

  test('ends with a program that works in a browser, bundled by Vite, on another origin than the site', async () => {
    await writeFile(
      join(folder, 'browser.ts'),
      `import { runFirstHour } from './src/program.ts';
      Object.assign(globalThis, { runFirstHour });`,
    );
    await writeFile(
      join(folder, 'index.html'),
      '<!DOCTYPE html><title>First hour</title><script type="module" src="browser.ts"></script>',
    );
    await build({ root: folder, configFile: false, logLevel: 'error', build: { outDir: 'browser' } });
    const { close, origin } = await startServer(async ({ url = '/' }, response) => {
      const path = url === '/' ? '/index.html' : url;
      const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
      const content = await readFile(join(folder, 'browser', path)).catch(() => null);
      response.writeHead(content === null ? 404 : 200, { 'Content-Type': type });
      response.end(content);
    });
    try {
      const visit = await browser.visit(`${origin}/`);
      const outcome = await visit.page.evaluate(
        (input) =>
          (globalThis as unknown as { runFirstHour(input: unknown): Promise<unknown> }).runFirstHour(input),
        connection(),
      );
      expect(outcome).toEqual(OUTCOME);
      expect(visit.console.filter((line) => !line.includes('status of 40'))).toEqual([]);
    } finally {
      await close();
    }
  }, 60_000);
});
