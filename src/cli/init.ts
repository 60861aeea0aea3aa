import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { CONFIG_FILE_NAMES } from '../config/generate-config.ts';
import { ConfigurationError } from '../errors.ts';
import { isJsonObject } from '../json.ts';
import type { InitFlags } from '../option-types.ts';
import { requireHttpUrl } from './flags.ts';
import type { CommandIo, ExitCode } from './io.ts';
import { createCommand } from './options.ts';
import {
  readFileIfPresent,
  requireFileName,
  requireFolder,
  toImportPath,
  writeFiles,
} from './output-files.ts';

const DEFAULT_OUT = 'src/api';
const WORKFLOW_FOLDER = join('.github', 'workflows');
const WORKFLOW_FILE = 'waygate.yml';

/** A file that the command writes. */
interface InitFile {
  readonly folder: string;
  readonly name: string;
  readonly content: string;
}

export function createInitCommand(io: CommandIo, done: (code: ExitCode) => void): Command {
  return createCommand('init').action(async (flags: InitFlags) => {
    await init(flags, io);
    done(0);
  });
}

async function init(flags: InitFlags, io: CommandIo): Promise<void> {
  const cwd = io.cwd ?? process.cwd();
  const questions = new Questions(flags.yes === true, io);
  const url = flags.url === undefined ? await questions.askUrl() : requireHttpUrl(flags.url);
  requireNoCredentials(url);
  const out = requireFolder(
    flags.out ?? (await questions.askText('Folder of the generated files:', DEFAULT_OUT)),
  );
  const ci =
    flags.ci ?? (await questions.askYesNo('Check in GitHub Actions that the types match the site?', true));
  const name = requireFileName(flags.name);
  const config = createConfigFile(url, out, name, flags.client);
  const files: InitFile[] = [
    { folder: '.', name: findFile(cwd, CONFIG_FILE_NAMES) ?? CONFIG_FILE_NAMES[0], content: config },
  ];
  if (ci) {
    const content = createWorkflowFile(findFile(cwd, LOCK_FILES));
    files.push({ folder: WORKFLOW_FOLDER, name: WORKFLOW_FILE, content });
  }
  const { kept, written } = await writeInitFiles(files, flags.force === true, cwd, io, questions);
  const client = flags.client ? 'createClient' : 'type paths';
  const file = toImportPath(join(out, flags.client ? `${name}.client.ts` : `${name}.ts`));
  io.writeOut(
    `${[
      ...(written.length === 0 ? [] : [`Written: ${written.join(', ')}`]),
      ...(kept.length === 0 ? [] : [`Kept: ${kept.join(', ')}`]),
      ...(written.length + kept.length > 0
        ? []
        : [
            `Nothing was written, because the files have this content already: ${files.map(pathOf).join(', ')}`,
          ]),
      ...((await isInstalled(cwd)) ? [] : ['Install waygate:     npm install --save-dev waygate']),
      'Generate:            npx waygate generate',
      `Then import:         import { ${client} } from '${file}';`,
    ].join('\n')}\n`,
  );
}

/** The configuration is committed, so it must not contain a password. */
function requireNoCredentials(url: string): void {
  const { password, username } = new URL(url);
  if (username === '' && password === '') return;
  throw new ConfigurationError(
    'the URL contains credentials, and the configuration is usually committed. Give the URL without them, and set authVariable',
  );
}

function pathOf({ folder, name }: InitFile): string {
  return join(folder, name);
}

/** Writes the files that do not exist, and those that a person agrees to replace. Returns the paths, also of those that a person keeps. */
async function writeInitFiles(
  files: readonly InitFile[],
  isForced: boolean,
  cwd: string,
  io: CommandIo,
  questions: Questions,
): Promise<{ readonly written: readonly string[]; readonly kept: readonly string[] }> {
  const chosen: InitFile[] = [];
  const kept: string[] = [];
  for (const file of files) {
    const path = pathOf(file);
    const current = await readFileIfPresent(resolve(cwd, path));
    if (current === file.content) continue;
    if (current !== null && !isForced) {
      const difference = describeDifference(current, file.content);
      if (questions.isSilent) {
        throw new ConfigurationError(
          `${path} exists. Nothing was written; --force replaces it:\n${difference}`,
        );
      }
      io.writeErr(`${path} exists. It would change:\n${difference}\n`);
      if (!(await questions.askYesNo(`Replace ${path}?`, false))) {
        kept.push(path);
        continue;
      }
    }
    chosen.push(file);
  }
  for (const { content, folder, name } of chosen) {
    await writeFiles(resolve(cwd, folder), new Map([[name, () => [content]]]));
  }
  return { written: chosen.map(pathOf), kept };
}

/** The first of the names that a file of the folder has. */
function findFile<Name extends string>(cwd: string, names: readonly Name[]): Name | undefined {
  return names.find((name) => existsSync(resolve(cwd, name)));
}

/** Whether the project's package.json names waygate. */
async function isInstalled(cwd: string): Promise<boolean> {
  const text = await readFileIfPresent(resolve(cwd, 'package.json'));
  if (text === null) return false;
  try {
    const manifest: unknown = JSON.parse(text);
    if (!isJsonObject(manifest)) return false;
    return ['dependencies', 'devDependencies'].some((section) => {
      const packages = manifest[section];
      return isJsonObject(packages) && Object.hasOwn(packages, 'waygate');
    });
  } catch {
    return false;
  }
}

/** Number of texts that are not a URL, after which the command ends. */
const MAX_TRIES = 3;

/** Asks a person, or takes the default if `--yes` is given, or there is no terminal. */
class Questions {
  /** Whether nobody is asked. */
  readonly isSilent: boolean;
  readonly #io: Pick<CommandIo, 'ask' | 'writeErr'>;

  constructor(acceptsDefaults: boolean, io: Pick<CommandIo, 'ask' | 'writeErr'>) {
    this.isSilent = acceptsDefaults || io.ask === undefined;
    this.#io = io;
  }

  /** Asks for a line; an empty line is the default. */
  async askText(question: string, preset: string): Promise<string> {
    return this.isSilent ? preset : (await this.#ask(`${question} [${preset}] `)) || preset;
  }

  /** Asks for yes or no; an empty line is the default. */
  async askYesNo(question: string, preset: boolean): Promise<boolean> {
    if (this.isSilent) return preset;
    const reply = await this.#ask(`${question} [${preset ? 'Y/n' : 'y/N'}] `);
    return reply === '' ? preset : /^y(?:es)?$/i.test(reply);
  }

  /**
   * Asks for the URL of the site, again after a text that is not a URL.
   *
   * @throws {ConfigurationError} when nobody is asked
   */
  async askUrl(): Promise<string> {
    if (this.isSilent) {
      throw new ConfigurationError(
        'no site is named: give --url https://example.com (there is nobody to ask)',
      );
    }
    for (let tries = 1; ; tries += 1) {
      const reply = await this.#ask('URL of the site: ');
      try {
        return requireHttpUrl(reply);
      } catch (error) {
        if (!(error instanceof ConfigurationError) || tries >= MAX_TRIES) throw error;
        this.#io.writeErr(`${error.message}\n`);
      }
    }
  }

  async #ask(question: string): Promise<string> {
    return ((await this.#io.ask?.(question)) ?? '').trim();
  }
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
function createConfigFile(url: string, out: string, name: string, client: boolean): string {
  return `import { defineConfig } from 'waygate';

// waygate generate reads this file. waygate serve has another, in YAML: waygate serve --help-config.
export default defineConfig({
  sites: [
    {
      url: ${toLiteral(url)},
      out: ${toLiteral(out)},
      name: ${toLiteral(name)},
      client: ${client},
      // The name of the variable with an application password (user:password), if the index depends on the user:
      // authVariable: 'WAYGATE_AUTH',
    },
  ],
});
`;
}

/** How the dependencies of a project are installed, by the lock file that the project has. */
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
      - run: npx waygate generate --check
        # If waygate.config.ts has an authVariable:
        # env:
        #   WAYGATE_AUTH: \${{ secrets.WAYGATE_AUTH }}
`;
}

/** Prints a text as a string literal in single quotes. */
function toLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}
