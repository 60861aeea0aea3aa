import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
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
      '',
    ]);
    const here = relative(folder(), fileURLToPath(new URL('../../', import.meta.url)));
    expect(out).toBe(
      [
        `Written: waygate.config.ts, ${WORKFLOW}`,
        `Install waygate:     npm install --save-dev ${here}`,
        'Generate:            npx waygate generate',
        `Commit:              waygate.config.ts, ${WORKFLOW}, the files in lib/api; --check compares them with the site`,
        'Guides:              node_modules/waygate/docs/front-end',
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

  test('the settings that it only mentions load, too', async () => {
    await init(['--site', SITE, '--yes']);
    expect(await readdir(folder())).toEqual(['waygate.config.ts']);
    const text = await read('waygate.config.ts');
    await writeFile(join(folder(), 'waygate.config.ts'), text.replace(/\/\/ (?=\w+: .*,$)/gm, ''));
    expect((await loadGenerateConfig(folder(), undefined))?.config.sites).toEqual([
      {
        ...{ url: SITE, out: 'src/api', name: 'site', client: true, tanstack: 'react' },
        ...{ include: ['wp/v2', 'wc/store/v1'], authVariable: 'WAYGATE_AUTH' },
      },
    ]);
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

  test('in a workspace, writes the workflow where GitHub reads it, for the folder and its package manager', async () => {
    const cwd = join(folder(), 'packages/api');
    await mkdir(cwd, { recursive: true });
    await mkdir(join(folder(), '.git'));
    await writeFile(join(folder(), 'pnpm-lock.yaml'), '');
    const args = ['init', '--site', SITE, '--yes', '--ci'];
    const { out } = await runCommand(args, { cwd });
    expect(out).toContain('Install waygate:     pnpm add --save-dev ');
    expect(parse(await read('.github/workflows/waygate-packages-api.yml')).jobs.check.steps.slice(2)).toEqual(
      [
        { run: expect.stringContaining('pnpm install') },
        { run: expect.stringContaining('waygate generate --check'), 'working-directory': 'packages/api' },
      ],
    );
    expect(await readdir(cwd)).toEqual(['waygate.config.ts']);
    await rm(join(cwd, 'waygate.config.ts'));
    const waygate = 'file:../waygate';
    await writeFile(join(cwd, 'package.json'), JSON.stringify({ devDependencies: { waygate } }));
    expect((await runCommand(args, { cwd })).out).not.toContain('Install waygate');
  });

  test('writes a hostile URL as a literal, and no credentials', async () => {
    const withPassword = await init(['--site', 'https://ada:secret@example.com', '--yes']);
    expect(withPassword).toMatchObject(refused('the URL contains credentials'));
    expect(withPassword.out + withPassword.err).not.toContain('secret');
    const url = "http://127.0.0.1:1/'+process.exit(1)+'\\";
    expect(await init(['--site', url, '--yes'])).toMatchObject({ code: 0 });
    expect((await loadGenerateConfig(folder(), undefined))?.config.sites[0]?.url).toBe(url);
  });
});
