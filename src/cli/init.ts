import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationError, WaygateError } from '../base/errors.ts';
import { jsonMembers, memberAt, parseJson } from '../base/json.ts';
import type { InitFlags } from '../base/option-types.ts';
import { findSuccessors } from '../generator/model/naming/namespaces.ts';
import { toLiteral } from '../generator/reference/code-samples.ts';
import { CONFIG_FILE_NAMES } from './config/generate-config.ts';
import { requireHttpUrl, resolveDiscovery, toShellWord } from './flags.ts';
import { type CommandIo, type ExitCode, withProgress } from './io.ts';
import {
  readFileIfPresent,
  requireFolder,
  toImportPath,
  toModuleSpecifier,
  writeFiles,
} from './output-files.ts';

/** Folder of generated files, and guide, by a framework's package. The first counts. */
const FRAMEWORKS = [
  ['next', 'src/api', 'nextjs'],
  ['nuxt', 'app/api', 'frameworks'],
  ['@sveltejs/kit', 'src/lib/api', 'frameworks'],
  ['astro', 'src/api', 'frameworks'],
  ['@react-router/dev', 'app/api', 'frameworks'],
  ['vite', 'src/api', 'vite'],
] as const;

export async function runInit(io: CommandIo, flags: InitFlags): Promise<ExitCode> {
  const cwd = io.cwd ?? process.cwd();
  const config = findFile(cwd, CONFIG_FILE_NAMES);
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
  const dependencies = await listDependencies(cwd);
  const [, folder, guide] = FRAMEWORKS.find(([name]) => dependencies.includes(name)) ?? [
    '',
    'src/api',
    'client',
  ];
  const out = requireFolder(
    flags.out ?? (await prompts?.askText('Folder of the generated files', folder)) ?? folder,
  );
  const ci =
    flags.ci ??
    (await prompts?.askYesNo('Check in GitHub Actions that the types match the site?', true)) ??
    false;
  const { exclude, frontEnd } = await readNamespaces(url, io);
  const isSmall =
    frontEnd.length > 0 &&
    ((await prompts?.askYesNo(`Only what most front ends read, ${frontEnd.join(' and ')}?`, true)) ?? false);
  const tanstack = findTanstack(dependencies);
  const content = createConfigFile({ url, out, exclude, frontEnd, isSmall, tanstack });
  const files = new Map<string, string>([[config ?? CONFIG_FILE_NAMES[0], content]]);
  const project = findProject(cwd);
  if (ci) files.set(project.workflow, createWorkflowFile(project));
  const paths = [...files.keys()];
  const written = await writeInitFiles(files, cwd);
  const file = toModuleSpecifier(join(out, 'site.client.ts'), cwd);
  io.writeOut(
    `${[
      toWrittenLine(written, paths),
      // waygate is not published: npm would install whatever has its name.
      ...(dependencies.includes('waygate')
        ? []
        : [`Install waygate:     ${project.manager.add}${findPackage(cwd)}`]),
      ...(exclude.length === 0 ? [] : [`Left out:            ${exclude.join(', ')} (newer versions exist)`]),
      'Generate:            npx waygate generate',
      `Then import:         import { createClient } from '${file}';`,
      `Commit:              ${[...paths, `the files in ${out}`].join(', ')}; --check compares them with the site`,
      `Guide:               node_modules/waygate/docs/front-end/${guide}.md`,
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

const NAMESPACES_TIMEOUT = 30_000;

/** Read by themes and shops: a small part of most sites. WooCommerce 5 has `wc/store` only. */
const FRONT_END_NAMESPACES = /^(?:wp\/v2|wc\/store(?:\/v\d+)?)$/;

interface Namespaces {
  readonly exclude: readonly string[];
  readonly frontEnd: readonly string[];
}

async function readNamespaces(url: string, io: CommandIo): Promise<Namespaces> {
  const { discover } = await import('../generator/discovery/index.ts');
  const options = {
    ...resolveDiscovery({ include: [], exclude: [], header: [], namespaces: [] }, io),
    timeout: NAMESPACES_TIMEOUT,
    schemas: 'off',
  } as const;
  try {
    const site = await withProgress(io, (onProgress) => discover(url, { ...options, onProgress }));
    const { namespaces, routes } = site.index;
    const exclude = [...findSuccessors(routes).keys()].sort();
    const frontEnd = namespaces
      .filter((name) => FRONT_END_NAMESPACES.test(name) && !exclude.includes(name))
      .sort((one, other) => Number(other === 'wp/v2') - Number(one === 'wp/v2'));
    return { exclude, frontEnd: namespaces.length > frontEnd.length ? frontEnd : [] };
  } catch (error) {
    if (!(error instanceof WaygateError)) throw error;
    io.writeErr(`The site cannot be read, so all its namespaces are kept: ${error.message}\n`);
    return { exclude: [], frontEnd: [] };
  }
}

/** The package's folder, two above this file in `src` and in `dist`, relative to the user's. */
function findPackage(cwd: string): string {
  const folder = fileURLToPath(new URL('../../', import.meta.url));
  return toShellWord(toImportPath(relative(cwd, folder) || '.'));
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

function findFile<Name extends string>(cwd: string, names: readonly Name[]): Name | undefined {
  return names.find((name) => existsSync(resolve(cwd, name)));
}

async function listDependencies(cwd: string): Promise<readonly string[]> {
  const manifest = parseJson((await readFileIfPresent(resolve(cwd, 'package.json'))) ?? '');
  return ['dependencies', 'devDependencies'].flatMap((section) =>
    jsonMembers(memberAt(manifest, section)).map(([name]) => name),
  );
}

function findTanstack(dependencies: readonly string[]): string | undefined {
  return dependencies
    .map(
      (name) =>
        /^@tanstack\/(react|preact|vue|svelte|solid|angular)-query(?:-experimental)?$/.exec(name)?.[1],
    )
    .find((framework) => framework !== undefined);
}

function createConfigFile({
  exclude,
  frontEnd,
  isSmall,
  out,
  tanstack,
  url,
}: Namespaces & {
  readonly url: string;
  readonly out: string;
  readonly isSmall: boolean;
  readonly tanstack: string | undefined;
}): string {
  const toList = (names: readonly string[]): string => `[${names.map((each) => toLiteral(each)).join(', ')}]`;
  const options = [
    ...(tanstack === undefined ? [] : [`tanstack: '${tanstack}',`]),
    ...(exclude.length === 0 ? [] : [`exclude: ${toList(exclude)},`]),
    ...(frontEnd.length === 0 || isSmall ? [] : ['// What most front ends need, for a smaller client:']),
    ...(frontEnd.length === 0 ? [] : [`${isSmall ? '' : '// '}include: ${toList(frontEnd)},`]),
  ].map((line) => `\n      ${line}`);
  return `import { defineConfig } from 'waygate';

// waygate generate reads this file. waygate serve has another, in YAML: waygate config schema.
export default defineConfig({
  sites: [
    {
      url: ${toLiteral(url)},
      out: ${toLiteral(out)},
      name: 'site',
      client: true,${options.join('')}
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
  };
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
