import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '../base/errors.ts';
import { memberAt, parseJson } from '../base/json.ts';
import type { InitFlags } from '../base/option-types.ts';
import { toLiteral } from '../generator/reference/code-samples.ts';
import { CONFIG_FILE_NAMES } from './config/generate-config.ts';
import { type CommandIo, type ExitCode, requireHttpUrl, toShellWord } from './io.ts';
import { readFileIfPresent, requireFolder, writeFiles } from './output-files.ts';

const FOLDER = 'src/api';

export async function runInit(io: CommandIo, flags: InitFlags): Promise<ExitCode> {
  const cwd = io.cwd ?? process.cwd();
  const config = CONFIG_FILE_NAMES.find((name) => existsSync(resolve(cwd, name)));
  if (flags.ci === true && flags.site === undefined && config !== undefined) return addWorkflow(io, cwd);
  // Nobody is asked with --yes or without a terminal: the defaults hold.
  const prompts = flags.yes === true ? undefined : io.prompts;
  const given = flags.site ?? (await prompts?.askText('URL of the site', undefined, requireHttpUrl));
  if (given === undefined)
    throw new ConfigurationError(
      'no site given: add --site https://example.com (there is no terminal to ask)',
    );
  const url = requireHttpUrl(given);
  requireNoCredentials(url);
  const out = requireFolder(
    flags.out ?? (await prompts?.askText('Folder of the generated files', FOLDER)) ?? FOLDER,
  );
  const ci =
    flags.ci ??
    (await prompts?.askYesNo('Check in GitHub Actions that the types match the site?', true)) ??
    false;
  const content = createConfigFile(url, out);
  const files = new Map<string, string>([[config ?? CONFIG_FILE_NAMES[0], content]]);
  const project = findProject(cwd);
  if (ci) files.set(project.workflow, createWorkflowFile(project));
  const paths = [...files.keys()];
  const written = await writeInitFiles(files, cwd);
  io.writeOut(
    `${[
      toWrittenLine(written, paths),
      // waygate is not published: npm would install whatever has its name.
      ...(project.isInstalled ? [] : [`Install waygate:     ${project.manager.add}${findPackage(cwd)}`]),
      'Generate:            npx waygate generate',
      `Commit:              ${[...paths, `the files in ${out}`].join(', ')}; --check compares them with the site`,
      'Guides:              node_modules/waygate/docs/front-end',
    ].join('\n')}\n`,
  );
  return 0;
}

async function addWorkflow(io: CommandIo, cwd: string): Promise<ExitCode> {
  const project = findProject(cwd);
  const files = new Map([[project.workflow, createWorkflowFile(project)]]);
  io.writeOut(`${toWrittenLine(await writeInitFiles(files, cwd), [project.workflow])}\n`);
  return 0;
}

function toWrittenLine(written: readonly string[], paths: readonly string[]): string {
  if (written.length > 0) return `Written: ${written.join(', ')}`;
  return `Nothing was written, because these files are up to date: ${paths.join(', ')}`;
}

/** The package's folder, two above this file in `src` and in `dist`, relative to the user's. */
function findPackage(cwd: string): string {
  const folder = fileURLToPath(new URL('../../', import.meta.url));
  const path = toFolder(cwd, folder);
  // npm takes a plain name for a package of the registry.
  return toShellWord(path.startsWith('../') || isAbsolute(path) ? path : `./${path}`);
}

/** The configuration is committed, so it must not contain a password. */
function requireNoCredentials(url: string): void {
  const { password, username } = new URL(url);
  if (username === '' && password === '') return;
  throw new ConfigurationError(
    'the URL contains credentials, and the configuration is usually committed. Give the URL without them, and set authVariable',
  );
}

/** @returns the paths of written files @throws {ConfigurationError} if a file has other content: nothing is written */
async function writeInitFiles(
  contents: ReadonlyMap<string, string>,
  cwd: string,
): Promise<readonly string[]> {
  const files = new Map(contents);
  for (const [path, content] of contents) {
    const current = await readFileIfPresent(resolve(cwd, path));
    if (current === content) files.delete(path);
    else if (current !== null)
      throw new ConfigurationError(`${path} exists. Nothing was written; remove it first`);
  }
  for (const [path, content] of files)
    await writeFiles(resolve(cwd, dirname(path)), new Map([[basename(path), () => [content]]]));
  return [...files.keys()];
}

function createConfigFile(url: string, out: string): string {
  return `import { defineConfig } from 'waygate';

// waygate generate reads this file. waygate serve has another, in YAML: waygate config schema.
export default defineConfig({
  sites: [
    {
      url: ${toLiteral(url)},
      out: ${toLiteral(out)},
      name: 'site',
      client: true,
      // TanStack Query, or its adapter for another framework:
      // tanstack: 'react',
      // For a smaller client, what most front ends read, the cart of a shop included:
      // include: ['wp/v2', 'wc/store/v1'],
      // The name of the variable with an application password (user:password), if the index depends on the user:
      // authVariable: 'WAYGATE_AUTH',
    },
  ],
});
`;
}

interface PackageManager {
  readonly lock: string;
  readonly install: string;
  readonly add: string;
}

const NPM: PackageManager = { lock: 'package-lock.json', install: 'npm ci', add: 'npm install --save-dev ' };

const PACKAGE_MANAGERS: readonly PackageManager[] = [
  NPM,
  {
    lock: 'pnpm-lock.yaml',
    install: 'corepack enable && pnpm install --frozen-lockfile',
    add: 'pnpm add --save-dev waygate@file:',
  },
  {
    lock: 'yarn.lock',
    install: 'corepack enable && yarn install --immutable',
    add: 'yarn add --dev waygate@file:',
  },
  {
    lock: 'bun.lock',
    install: 'npm install --global bun && bun install --frozen-lockfile',
    add: 'bun add --dev waygate@file:',
  },
];

interface Project {
  /** GitHub reads workflows at the root of a repository only. */
  readonly workflow: string;
  /** Paths from the root of the repository, empty for the root itself. */
  readonly folder: string;
  readonly installFolder: string;
  readonly manager: PackageManager;
  /** Whether the project depends on waygate. */
  readonly isInstalled: boolean;
}

/** In a workspace, repository and lock file are in a folder above. */
function findProject(cwd: string): Project {
  const above = [cwd];
  for (let folder = cwd; dirname(folder) !== folder; folder = dirname(folder)) above.push(dirname(folder));
  const root = above.find((folder) => existsSync(join(folder, '.git'))) ?? cwd;
  const folders = above.slice(0, above.indexOf(root) + 1);
  const [found] = folders.flatMap((folder) =>
    PACKAGE_MANAGERS.filter(({ lock }) => existsSync(join(folder, lock))).map((manager) => ({
      folder,
      manager,
    })),
  );
  const folder = toFolder(root, cwd);
  const name = folder === '' ? 'waygate' : `waygate-${folder.replace(/[^\w-]+/g, '-')}`;
  return {
    workflow: relative(cwd, join(root, '.github', 'workflows', `${name}.yml`)),
    folder,
    installFolder: toFolder(root, found?.folder ?? cwd),
    manager: found?.manager ?? { ...NPM, install: 'npm install' },
    isInstalled: above.some(dependsOnWaygate),
  };
}

/** Yarn has no node_modules. */
function dependsOnWaygate(folder: string): boolean {
  const file = join(folder, 'package.json');
  const project = existsSync(file) ? parseJson(readFileSync(file)) : undefined;
  return ['dependencies', 'devDependencies'].some(
    (kind) => memberAt(memberAt(project, kind), 'waygate') !== undefined,
  );
}

function toFolder(from: string, to: string): string {
  return relative(from, to).replaceAll(sep, '/');
}

function createWorkflowFile({ folder, installFolder, manager }: Project): string {
  const at = (path: string): string =>
    path === '' ? '' : `\n        working-directory: ${JSON.stringify(path)}`;
  return `# Fails if the interface of the site has changed since the types were generated. The log says what changed.
name: waygate
on:
  pull_request:
  schedule:
    - cron: '17 5 * * 1-5'
  workflow_dispatch:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: ${manager.install}${at(installFolder)}
      # A pull request fails only if the site broke what the app uses. The others learn of each change once a day.
      - run: npx --no -- waygate generate --check --fail-on \${{ github.event_name == 'pull_request' && 'breaking' || 'any' }}${at(folder)}
        # If waygate.config.ts has an authVariable:
        # env:
        #   WAYGATE_AUTH: \${{ secrets.WAYGATE_AUTH }}
`;
}
