import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { InitFlags } from '../../generated/option-types.d.ts';
import { CONFIG_FILE_NAMES } from '../config/generate-config.ts';
import { countOf } from '../count-of.ts';
import type { IndexRoute, RouteSelection } from '../discovery/index.ts';
import { toLiteral } from '../docs/code-samples.ts';
import { ConfigurationError, WaygateError } from '../errors.ts';
import { memberAt, parseJson } from '../json.ts';
import { findSuccessors } from '../model/naming/successors.ts';
import { requireHttpUrl, resolveDiscovery, toShellWord } from './flags.ts';
import { type CommandIo, type ExitCode, type Prompts, withProgress } from './io.ts';
import {
  readFileIfPresent,
  requireFileName,
  requireFolder,
  toImportPath,
  writeFiles,
} from './output-files.ts';

const DEFAULT_OUT = 'src/api';
const WORKFLOW_PATH = join('.github', 'workflows', 'waygate.yml');

/** What `waygate.config.ts` contains besides a selection of routes. */
interface InitAnswers {
  readonly url: string;
  readonly out: string;
  readonly name: string;
  readonly client: boolean;
}

interface InitFile {
  readonly path: string;
  readonly content: string;
}

export async function runInit(io: CommandIo, flags: InitFlags): Promise<ExitCode> {
  const cwd = io.cwd ?? process.cwd();
  // Nobody is asked with --yes or without a terminal: the defaults hold.
  const prompts = flags.yes === true ? undefined : io.prompts;
  const url = requireHttpUrl(flags.url ?? (await askUrl(prompts)));
  requireNoCredentials(url);
  const selection =
    flags.include.length > 0 ? { include: flags.include } : await askNamespaces(url, prompts, io);
  const out = requireFolder(
    flags.out ?? (await prompts?.askText('Folder of the generated files', DEFAULT_OUT)) ?? DEFAULT_OUT,
  );
  const ci =
    flags.ci ??
    (await prompts?.askYesNo('Check in GitHub Actions that the types match the site?', true)) ??
    true;
  const name = requireFileName(flags.name);
  const content = createConfigFile({ url, out, name, client: flags.client, ...selection });
  const files: InitFile[] = [{ path: findFile(cwd, CONFIG_FILE_NAMES) ?? CONFIG_FILE_NAMES[0], content }];
  if (ci) files.push({ path: WORKFLOW_PATH, content: createWorkflowFile(findFile(cwd, LOCK_FILES)) });
  const paths = files.map(({ path }) => path);
  const { kept, written } = await writeInitFiles(files, flags.force === true, cwd, io, prompts);
  const client = flags.client ? 'createClient' : 'type paths';
  const file = toImportPath(join(out, flags.client ? `${name}.client.ts` : `${name}.ts`));
  io.writeOut(
    `${[
      ...(written.length === 0 ? [] : [`Written: ${written.join(', ')}`]),
      ...(kept.length === 0 ? [] : [`Kept: ${kept.join(', ')}`]),
      ...(written.length + kept.length > 0
        ? []
        : [`Nothing was written, because the files have this content already: ${paths.join(', ')}`]),
      // waygate is not published: npm would install whatever has its name.
      ...((await isInstalled(cwd))
        ? []
        : [`Install waygate:     npm install --save-dev ${findPackage(cwd)}`]),
      'Generate:            npx waygate generate',
      `Then import:         import { ${client} } from '${file}';`,
      `Commit:              ${[...paths, `the files in ${out}`].join(', ')}; --check compares them with the site`,
    ].join('\n')}\n`,
  );
  return 0;
}

/** Milliseconds to read the namespaces. A site that needs longer is asked for them by nobody. */
const NAMESPACES_TIMEOUT = 30_000;

/** @throws {ConfigurationError} when nobody is asked */
async function askUrl(prompts: Prompts | undefined): Promise<string> {
  if (prompts !== undefined) return prompts.askText('URL of the site', undefined, requireHttpUrl);
  throw new ConfigurationError('no site is named: give --url https://example.com (there is nobody to ask)');
}

/**
 * Asks which namespaces of the site a person wants. By default those that others have replaced are left out, and those of later
 * plugins are kept.
 */
async function askNamespaces(
  url: string,
  prompts: Prompts | undefined,
  io: CommandIo,
): Promise<RouteSelection> {
  if (prompts === undefined) return {};
  const routes = await readRoutes(url, io).catch((error: unknown) => {
    if (!(error instanceof WaygateError)) throw error;
    io.writeErr(`The namespaces are unknown, so all are kept: ${error.message}\n`);
    return [];
  });
  const successors = findSuccessors(routes);
  const names = [...new Set(routes.map(({ namespace }) => namespace))].filter((name) => name !== '');
  const legacy = names.filter((name) => successors.has(name));
  const current = names.filter((name) => !legacy.includes(name));
  if (names.length < 2) return {};
  const hints = [...current, ...legacy].map((name) => {
    const count = countOf(routes.filter(({ namespace }) => namespace === name).length, 'route');
    return [name, legacy.includes(name) ? `${count}, replaced by a later version` : count] as const;
  });
  const chosen = await prompts.choose('Namespaces to keep', new Map(hints), current);
  if (!isDeepStrictEqual([...chosen].sort(), current.toSorted())) return { include: chosen };
  return legacy.length === 0 ? {} : { exclude: legacy };
}

async function readRoutes(url: string, io: CommandIo): Promise<readonly IndexRoute[]> {
  const flags = {
    include: [],
    exclude: [],
    header: [],
    timeout: NAMESPACES_TIMEOUT,
    schemas: 'off',
  } as const;
  const { options, url: siteUrl } = await resolveDiscovery(url, flags, io);
  const { discover } = await import('../discovery/index.ts');
  const { index } = await withProgress(io, (onProgress) => discover(siteUrl, { ...options, onProgress }));
  return index.routes;
}

/** The folder of this package, as a person in a folder writes it: it lies two folders above this file in `src` and in `dist`. */
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

/** Writes the files that do not exist, and those that a person agrees to replace. Returns the paths, also of those that a person keeps. */
async function writeInitFiles(
  files: readonly InitFile[],
  isForced: boolean,
  cwd: string,
  io: CommandIo,
  prompts: Prompts | undefined,
): Promise<{ readonly written: readonly string[]; readonly kept: readonly string[] }> {
  const chosen: InitFile[] = [];
  const kept: string[] = [];
  for (const file of files) {
    const { content, path } = file;
    const current = await readFileIfPresent(resolve(cwd, path));
    if (current === content) continue;
    if (current !== null && !isForced) {
      const difference = describeDifference(current, content);
      if (prompts === undefined) {
        throw new ConfigurationError(
          `${path} exists. Nothing was written; --force replaces it:\n${difference}`,
        );
      }
      io.writeErr(`${path} exists. It would change:\n${difference}\n`);
      if (!(await prompts.askYesNo(`Replace ${path}?`, false))) {
        kept.push(path);
        continue;
      }
    }
    chosen.push(file);
  }
  for (const { content, path } of chosen) {
    await writeFiles(resolve(cwd, dirname(path)), new Map([[basename(path), () => [content]]]));
  }
  return { written: chosen.map(({ path }) => path), kept };
}

function findFile<Name extends string>(cwd: string, names: readonly Name[]): Name | undefined {
  return names.find((name) => existsSync(resolve(cwd, name)));
}

/** Whether the project's package.json names waygate. */
async function isInstalled(cwd: string): Promise<boolean> {
  const text = await readFileIfPresent(resolve(cwd, 'package.json'));
  const manifest = parseJson(text ?? '');
  return ['dependencies', 'devDependencies'].some(
    (section) => memberAt(manifest, section, 'waygate') !== undefined,
  );
}

/** Number of lines that are shown. The rest are counted. */
const MAX_LINES = 12;

/** Lists the lines that a file loses (`-`) and gains (`+`), for a person. Lines that only move are left out. */
function describeDifference(current: string, replacement: string): string {
  const [before, after] = [current.split('\n'), replacement.split('\n')];
  const lines = [
    ...before.filter((line) => !after.includes(line)).map((line) => `  - ${line.trim()}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `  + ${line.trim()}`),
  ];
  const more = lines.length - MAX_LINES;
  if (lines.length === 0) return '  the order of its lines, or empty lines';
  return [...lines.slice(0, MAX_LINES), ...(more > 0 ? [`  and ${more} more lines`] : [])].join('\n');
}

/** Creates the content of `waygate.config.ts`. */
function createConfigFile(answers: InitAnswers & RouteSelection): string {
  const { client, exclude, include, name, out, url } = answers;
  const globs = Object.entries({ include, exclude }).flatMap(([member, names]) =>
    names === undefined ? [] : [`\n      ${member}: [${names.map(toLiteral).join(', ')}],`],
  );
  return `import { defineConfig } from 'waygate';

// waygate generate reads this file. waygate serve has another, in YAML: waygate serve --help-config.
export default defineConfig({
  sites: [
    {
      url: ${toLiteral(url)},
      out: ${toLiteral(out)},
      name: ${toLiteral(name)},
      client: ${client},${globs.join('')}
      // The name of the variable with an application password (user:password), if the index depends on the user:
      // authVariable: 'WAYGATE_AUTH',
    },
  ],
});
`;
}

const INSTALL_STEPS: readonly (readonly [lockFile: string, command: string])[] = [
  ['package-lock.json', 'npm ci'],
  ['pnpm-lock.yaml', 'corepack enable && pnpm install --frozen-lockfile'],
  ['yarn.lock', 'corepack enable && yarn install --immutable'],
];

/** The names of the files that decide how dependencies are installed. */
const LOCK_FILES: readonly string[] = INSTALL_STEPS.map(([lockFile]) => lockFile);

/**
 * Creates the content of `.github/workflows/waygate.yml`.
 *
 * @param lockFile the lock file of the project; `undefined` if it has none
 */
function createWorkflowFile(lockFile: string | undefined): string {
  const install = INSTALL_STEPS.find(([name]) => name === lockFile)?.[1] ?? 'npm install';
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
      - run: ${install}
      - run: npx --no -- waygate generate --check
        # If waygate.config.ts has an authVariable:
        # env:
        #   WAYGATE_AUTH: \${{ secrets.WAYGATE_AUTH }}
`;
}
