import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadGenerateConfig } from '../../src/cli/config/generate-config.ts';
import { useFolder } from '../support/folder.ts';
import { runStubSite } from '../support/run.ts';
import { createSmallIndex } from '../support/small-index.ts';
import { type CommandResult, type RunOptions, refused, runCommand } from './run-command.ts';

const folder = useFolder();
const init = (args: readonly string[] = [], options: RunOptions = {}): Promise<CommandResult> =>
  runCommand(['init', ...args], { cwd: folder(), ...options });

const read = (name: string): Promise<string> => readFile(join(folder(), name), 'utf8');
const WORKFLOW = '.github/workflows/waygate.yml';
/** Nothing listens there. */
const SITE = 'http://127.0.0.1:1';

describe('waygate init', () => {
  test('asks three questions and writes a configuration that loads, and a workflow', async () => {
    const { code, err, out } = await init([], { replies: [SITE, 'lib/api', null] });
    expect(code).toBe(0);
    expect(err.split('\n')).toEqual([
      'URL of the site',
      'Folder of the generated files',
      'Check in GitHub Actions that the types match the site?',
      expect.stringContaining('The site cannot be read, so all its namespaces are kept: '),
      '',
    ]);
    const here = relative(folder(), fileURLToPath(new URL('../../', import.meta.url)));
    expect(out).toBe(
      [
        `Written: waygate.config.ts, ${WORKFLOW}`,
        `Install waygate:     npm install --save-dev ${here}`,
        'Generate:            npx waygate generate',
        "Then import:         import { createClient } from './lib/api/site.client.ts';",
        `Commit:              waygate.config.ts, ${WORKFLOW}, the files in lib/api; --check compares them with the site`,
        'Guide:               node_modules/waygate/docs/front-end/client.md',
        '',
      ].join('\n'),
    );
    expect((await loadGenerateConfig(folder(), undefined))?.config).toEqual({
      sites: [{ url: SITE, out: 'lib/api', name: 'site', client: true }],
    });
    expect(parse(await read(WORKFLOW))).toMatchObject({
      jobs: {
        check: {
          // Without --no, npx would run whatever a stranger publishes under the name.
          steps: [
            {},
            {},
            { run: 'npm install' },
            { run: expect.stringMatching(/^npx --no -- waygate generate --check --fail-on /) },
          ],
        },
      },
    });
  });

  test('leaves out replaced versions of a namespace, and writes one file', async () => {
    const namespaces = ['wc/v1', 'wc/v2', 'wc/v3', 'wc/store', 'wc/store/v1', 'wc-admin', 'wp/v2'];
    const routes = namespaces.map((namespace) => {
      const endpoints = [{ methods: ['GET'], args: {} }];
      return [`/${namespace}/things`, { namespace, methods: ['GET'], endpoints }];
    });
    const index = { ...createSmallIndex(), namespaces, routes: Object.fromEntries(routes) };
    const site = await runStubSite({ index: () => index });
    const { code, out } = await init(['--site', site.url, '--yes']);
    expect(code).toBe(0);
    expect(out).toContain('Left out:            wc/store, wc/v1, wc/v2 (newer versions exist)\n');
    expect(await readdir(folder())).toEqual(['waygate.config.ts']);
    expect(await read('waygate.config.ts')).toContain("// include: ['wp/v2', 'wc/store/v1'],");
    expect((await runCommand(['generate'], { cwd: folder() })).out).toContain(': 4 operations');
  });

  test('writes the functions for the TanStack Query that the project has', async () => {
    await writeFile(join(folder(), 'package.json'), '{"dependencies":{"@tanstack/vue-query":"5"}}');
    await init(['--site', SITE, '--yes']);
    expect((await loadGenerateConfig(folder(), undefined))?.config).toMatchObject({
      sites: [{ client: true, tanstack: 'vue' }],
    });
  });

  test('takes a URL with its scheme only', async () => {
    expect(await init([], { replies: ['example.com'] })).toMatchObject(
      refused('Did you mean https://example.com?'),
    );
    expect(await readdir(folder())).toEqual([]);
  });

  test('asks nothing with --yes, and without a terminal', async () => {
    const flags = ['--site', SITE];
    expect(await init([...flags, '--yes'], { replies: [] })).toMatchObject({ code: 0 });
    expect(await init(flags)).toMatchObject({ code: 0 });
    expect(await init(['--yes'])).toMatchObject(refused('add --site'));
  });

  test('does not replace a file', async () => {
    await writeFile(join(folder(), 'waygate.config.mts'), '// mine\n');
    const flags = ['--site', SITE, '--yes'];
    expect(await init(flags)).toMatchObject(refused('waygate.config.mts exists. Nothing was written'));
    expect(await read('waygate.config.mts')).toBe('// mine\n');
    await rm(join(folder(), 'waygate.config.mts'));
    expect(await init(flags)).toMatchObject({ code: 0 });
    expect(await init(flags)).toMatchObject({
      out: expect.stringContaining('because these files are up to date: waygate.config.ts'),
    });
  });

  test('with --ci only, adds the workflow to a project whose configuration was edited', async () => {
    await writeFile(join(folder(), 'waygate.config.ts'), '// mine\n');
    expect(await init(['--ci'])).toMatchObject({ code: 0, out: `Written: ${WORKFLOW}\n` });
    expect(await read(WORKFLOW)).toContain('npm install');
    expect(await read('waygate.config.ts')).toBe('// mine\n');
    expect(await init(['--ci'])).toMatchObject({ code: 0, out: expect.stringContaining('up to date') });
  });

  test('writes a workflow whose check passes until the site changes', async () => {
    let index = createSmallIndex();
    const site = await runStubSite({ index: () => index });
    await init(['--site', site.url, '--yes', '--ci']);
    const { jobs } = parse(await read(WORKFLOW));
    const steps: readonly { run?: string }[] = jobs.check.steps;
    const command = (steps.flatMap(({ run }) => run ?? []).at(-1) ?? '').replace(/\$\{\{.*\}\}/, 'breaking');
    expect(command).toMatch(/^npx --no -- waygate /);
    const check = (): Promise<CommandResult> => runCommand(command.split(' ').slice(4), { cwd: folder() });
    expect((await check()).code).toBe(1);
    expect((await runCommand(['generate'], { cwd: folder() })).code).toBe(0);
    expect(await check()).toMatchObject({ code: 0, out: '3 files are up to date.\n' });
    index = createSmallIndex({ order: { type: 'string', enum: ['asc'] } });
    expect(await check()).toMatchObject({ code: 1, out: expect.stringContaining('(breaking)') });
  });

  test.each([
    ['{ "compilerOptions": { "moduleResolution": "bundler", "noEmit": true } }', './api/site.client'],
    ['{ "compilerOptions": { /* Node */ "module": "NodeNext" } }', './api/site.client.js'],
    ['{ "compilerOptions": { "allowImportingTsExtensions": true } }', './api/site.client.ts'],
  ])('with %s the import is from %s', async (tsconfig, specifier) => {
    const site = await runStubSite({ index: () => createSmallIndex() });
    await writeFile(join(folder(), 'tsconfig.json'), tsconfig);
    const printed = `import { createClient } from '${specifier}'`;
    expect((await init(['--site', site.url, '--yes'])).out).toContain(printed);
    expect((await runCommand(['generate'], { cwd: folder() })).out).toContain(printed);
  });

  // What the generators of the frameworks write.
  test.each([
    ['next', 'tsconfig.json', '"@/*": ["./src/*"]', '@/api/site.client', 'nextjs'],
    [
      'nuxt',
      '.nuxt/tsconfig.app.json',
      '"vue": ["../node_modules/vue"], "~/*": ["../app/*"]',
      '~/api/site.client',
      'frameworks',
    ],
    [
      '@sveltejs/kit',
      '.svelte-kit/tsconfig.json',
      '"$lib": ["../src/lib"], "$lib/*": ["../src/lib/*"]',
      '$lib/api/site.client',
      'frameworks',
    ],
    ['@react-router/dev', 'tsconfig.json', '"~/*": ["./app/*"]', '~/api/site.client', 'frameworks'],
    ['astro', 'tsconfig.json', '', './api/site.client', 'frameworks'],
    ['vite', 'tsconfig.app.json', '', './api/site.client', 'vite'],
  ])(
    'knows %s by its package: the folder, the import and the guide',
    async (name, tsconfig, paths, specifier, guide) => {
      const packages = { dependencies: { [name]: '*' }, devDependencies: { vite: '*' } };
      await writeFile(join(folder(), 'package.json'), JSON.stringify(packages));
      await mkdir(dirname(join(folder(), tsconfig)), { recursive: true });
      await writeFile(join(folder(), tsconfig), `{ "compilerOptions": { "paths": { ${paths} } } }`);
      const { out } = await init(['--site', SITE, '--yes']);
      expect(out).toContain(`import { createClient } from '${specifier}'`);
      expect(out).toContain(`docs/front-end/${guide}.md`);
    },
  );

  test.each(['wc/store/v1', 'wc/store'])('offers the namespaces that front ends read: %s', async (store) => {
    const index = { ...createSmallIndex(), namespaces: [store, 'wp/v2', 'wc/v3'] };
    const site = await runStubSite({ index: () => index });
    const { err } = await init([], { replies: [site.url, null, false, null] });
    expect(err).toContain(`Only what most front ends read, wp/v2 and ${store}?`);
    expect((await loadGenerateConfig(folder(), undefined))?.config).toMatchObject({
      sites: [{ include: ['wp/v2', store] }],
    });
  });

  test('takes the package manager of the project', async () => {
    await writeFile(join(folder(), 'pnpm-lock.yaml'), '');
    await writeFile(join(folder(), 'package.json'), '{ "devDependencies": { "waygate": "*" } }');
    const { out } = await init(['--site', SITE, '--yes', '--ci']);
    expect(await read(WORKFLOW)).toContain('pnpm install --frozen-lockfile');
    expect(out).not.toContain('npm install');
  });

  test('in a workspace, writes the workflow where GitHub reads it, for the folder and its package manager', async () => {
    const cwd = join(folder(), 'packages/api');
    await mkdir(cwd, { recursive: true });
    await mkdir(join(folder(), '.git'));
    await writeFile(join(folder(), 'pnpm-lock.yaml'), '');
    const { out } = await runCommand(['init', '--site', SITE, '--yes', '--ci'], { cwd });
    expect(out).toContain('Install waygate:     pnpm add --save-dev ');
    expect(parse(await read('.github/workflows/waygate-packages-api.yml')).jobs.check.steps.slice(2)).toEqual(
      [
        { run: expect.stringContaining('pnpm install') },
        { run: expect.stringContaining('waygate generate --check'), 'working-directory': 'packages/api' },
      ],
    );
    expect(await readdir(cwd)).toEqual(['waygate.config.ts']);
  });

  test('writes a hostile URL as a literal, and no credentials', async () => {
    const url = "http://127.0.0.1:1/'+process.exit(1)+'\\";
    expect(await init(['--site', url, '--yes'])).toMatchObject({ code: 0 });
    expect((await loadGenerateConfig(folder(), undefined))?.config.sites[0]?.url).toBe(url);
    const withPassword = await init(['--site', 'https://ada:secret@example.com', '--yes']);
    expect(withPassword.code).toBe(2);
    expect(withPassword.out + withPassword.err).not.toContain('secret');
  });
});
