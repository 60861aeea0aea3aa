import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXPORTS } from './exports.ts';
import { ROOT } from './source-files.ts';

const run = promisify(execFile);

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** A project that depends on the package as published. */
const folder = mkdtempSync(join(tmpdir(), 'waygate-package-'));
const project = join(folder, 'project');
const commandPath = join(project, 'node_modules/.bin/waygate');
let packed: Packed;
let tarball: string;
let installed: { readonly stderr: string };

const FLAGS = ['--no-audit', '--no-fund', '--prefer-offline'];

beforeAll(async () => {
  // Without a build in CI: the package has just been built, and suites that run beside this one use it.
  const isBuilt = process.env['CI'] === 'true';
  const prepare = (...args: readonly string[]) =>
    isBuilt ? run(process.execPath, ['scripts/build/manifest.mjs', ...args], { cwd: ROOT }) : undefined;
  const pack = ['pack', '--json', '--pack-destination', folder, ...(isBuilt ? ['--ignore-scripts'] : [])];
  await prepare();
  const { stdout } = await run('npm', pack, { cwd: ROOT }).finally(() => prepare('--restore'));
  // The output of `prepare` comes first. Newer versions of npm print an object keyed by package name.
  const [result]: readonly Packed[] = Object.values(JSON.parse(stdout.slice(stdout.search(/^[[{]/m))));
  if (result === undefined) throw new Error(`npm pack created no package: ${stdout}`);
  packed = result;
  tarball = join(folder, packed.filename);
  mkdirSync(project);
  const manifest = { name: 'consumer', private: true, type: 'module' };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  installed = await run(
    'npm',
    [
      'install',
      ...FLAGS,
      tarball,
      `@types/node@${readManifest(join(ROOT, 'node_modules/@types/node')).version}`,
    ],
    { cwd: project },
  );
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function readManifest(of: string): { readonly version: string; readonly dependencies: object } {
  return JSON.parse(readFileSync(join(of, 'package.json'), 'utf8'));
}

describe('the packed package', () => {
  test('contains the program, the public types and the licence, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    const modules = [
      'dist/index.js',
      'dist/index.d.ts',
      'dist/cli/main.js',
      'dist/pages/ui/static/assets.js',
    ];
    const needed = [...modules, 'LICENSE', 'README.md'];
    expect(needed.filter((path) => !paths.includes(path))).toEqual([]);
    const allowed =
      /^(deploy\/|dist\/|docs\/(?:[\w-]+\/)?[\w-]+\.md$|examples\/|package\.json$|[A-Z]+\.md$|LICENSE$)/;
    expect(paths.filter((path) => !needed.includes(path) && !allowed.test(path))).toEqual([]);
    expect(paths.filter((path) => path.endsWith('.map'))).toEqual([]);
  });

  test('is installed without a script that npm asks its users to approve', () => {
    expect(installed.stderr.split('\n').filter((line) => line.includes('install-scripts'))).toEqual([]);
    expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts).toHaveProperty('prepare');
  });

  test('contains every file that its documents link to', () => {
    const paths = new Set(packed.files.map(({ path }) => path));
    const missing = [...paths]
      .filter((path) => /^(?:docs\/(?:[\w-]+\/)?)?[\w-]+\.md$/.test(path))
      .flatMap((path) =>
        // Images are for readers of the repository.
        [...readFileSync(join(ROOT, path), 'utf8').matchAll(/(?<!!\[[^\]]*)\]\((?!https?:)([^)#\s]+)/g)].map(
          ([, target = '']) => join(dirname(path), target),
        ),
      )
      .filter(
        (target) =>
          ![...paths].some((path) => path === target || path.startsWith(`${target}/`)) &&
          !/^docs\/images\/[\w-]+\.svg$/.test(target),
      );
    expect(missing).toEqual([]);
    expect(paths).toContain('docs/front-end/client.md');
  });

  test('publint reports nothing', async () => {
    const { messages, pkg } = await publint({
      pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });
});

describe('installed into a project', () => {
  let gateway: string;
  let example: ChildProcess;
  beforeAll(async () => {
    example = spawn(commandPath, ['example', '--port', '0'], { cwd: project });
    const output = await outputOf(example, /Ctrl-C/, 'waygate example');
    gateway = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '';
  });
  afterAll(() => void example.kill('SIGINT'));

  test('its types of settings have the texts that editors show', () => {
    const file = join(project, 'node_modules/waygate/dist/base/option-types.d.ts');
    const types = readFileSync(file, 'utf8');
    expect(types).toMatch(/\/\*\*\n +\* Port to listen on.*\n +\* @default 8080\n +\*\/\n +readonly port\?/);
    expect(types).toMatch(/\/\*\*\n +\* Any URL of the site.*\n +\*\/\n +readonly url: string/);
  });

  test.each([
    ['Node', 'nodenext', 'nodenext'],
    ['bundlers', 'esnext', 'bundler'],
  ])('each entry has the types of its values, for %s', async (_, module, resolution) => {
    const uses = Object.entries(EXPORTS).map(
      ([entry, { values }], at) =>
        `import * as entry${at} from '${entry}';\nvoid [${values.map((name) => `entry${at}.${name}`)}];`,
    );
    const unknown = '// @ts-expect-error\nvoid entry0.unknown;';
    writeFileSync(join(project, 'entries.ts'), `${uses.join('\n')}\n${unknown}\n`);
    expect(await compile(['entries.ts'], module, resolution)).toBe('');
  });

  test('each entry exports its values, to CommonJS too', async () => {
    const program = `import { createRequire } from 'node:module';
      const [found, require] = [{}, createRequire(process.cwd() + '/')];
      for (const entry of ${JSON.stringify(Object.keys(EXPORTS))})
        found[entry] = [await import(entry), require(entry)].map((each) => Object.keys(each).sort());
      console.log(JSON.stringify(found));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: project });
    const expected = Object.entries(EXPORTS).map(([entry, { values }]) => [entry, [values, values]]);
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(expected));
  });

  test('`npx waygate` has the version of the package', async () => {
    const { stdout: version } = await run('npx', ['--no-install', 'waygate', '--version'], { cwd: project });
    expect(version).toMatch(/^\S+ \(commit [\da-f]{7,40}(-dirty)?, Node \d+\.\d+\.\d+\)\n$/);
    expect(version.startsWith(`${readManifest(ROOT).version} (commit `)).toBe(true);
  });

  test('`waygate example` runs, and `waygate generate` reads its sites', async () => {
    const url = `${gateway}/boards`;
    const { stdout } = await run(commandPath, ['generate', url, '--json', '--out', 'api'], { cwd: project });
    expect(JSON.parse(stdout).counts.operations).toBe(163);
  });

  test('each command of the README and of the guides runs as it is written', async () => {
    const app = join(folder, 'app');
    mkdirSync(app);
    const manifest = { private: true, type: 'module', devDependencies: { waygate: tarball } };
    writeFileSync(join(app, 'package.json'), JSON.stringify(manifest));
    symlinkSync(join(project, 'node_modules'), join(app, 'node_modules'));
    const content = `${gateway}/content`;
    const line = '192.0.2.1 - - [22/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "Firefox"\n';
    writeFileSync(join(app, 'access.log'), line);
    writeFileSync(join(app, 'waygate.yaml'), `port: 0\nsites:\n  - url: ${content}\n`);
    // The program that npx starts, which takes as long as the commands themselves. A test above starts it by npx.
    const inShell = (command: string): readonly [string, readonly string[], object] => [
      'sh',
      [
        '-c',
        `exec ${command
          .replace(
            /npx waygate|node path\/to\/project\/node_modules\/waygate\/dist\/cli\/main\.js/,
            commandPath,
          )
          .replace(/^(?:\w+=\S+ )+/, (variables) => `env ${variables}`)}`,
      ],
      { cwd: app, env: { ...process.env, CI: 'true' } },
    ];
    const commands = documentedCommands().map((command) =>
      command
        .replaceAll(/https:\/\/(?:api\.)?example\.com/g, content)
        .replaceAll('http://127.0.0.1:8080/', `${content}/`)
        .replaceAll('http://127.0.0.1:8080', gateway),
    );
    expect(commands.length).toBeGreaterThan(12);
    for (const command of commands.filter((each) => !isServer(each))) {
      // The example gateway has a short token, which no configuration may have.
      const token = / (?:check|config) /.test(command) ? 'a-long-secret-text' : 'example';
      const complete = `env WAYGATE_ADMIN_TOKEN=${token} ${command.replace(/^\w+=\S+ /, '')}`;
      await run(...inShell(complete)).catch((error) => {
        throw new Error(`${command}: ${error.stdout}${error.stderr}`);
      });
    }
    await Promise.all(
      commands.filter(isServer).map(async (command) => {
        const own = / --config | mcp /.test(command) ? command : `${command} --port 0`;
        const [file, args, options] = inShell(
          own.replace('--state .waygate', `--state .state-${commands.indexOf(command)}`),
        );
        const child = spawn(file, args, { ...options, detached: true });
        try {
          await outputOf(child, /listening|http:\/\/127/, command);
        } finally {
          // The shell and its child.
          process.kill(-(child.pid ?? 0), 'SIGTERM');
        }
      }),
    );
  });

  test('the examples of every public function compile under --strict, and run', async () => {
    const examples = readExamples();
    expect(examples.length).toBeGreaterThan(10);
    for (const { name, code } of examples) {
      const local = code.replaceAll('https://example.com', `${gateway}/content`).replace('8080', '0');
      writeFileSync(join(project, `${name}.ts`), `${local}\nexport {};\n`);
      const { outputText } = ts.transpileModule(local, {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
      });
      writeFileSync(join(project, `${name}.mjs`), outputText);
    }
    expect(await compile(examples.map(({ name }) => `${name}.ts`))).toBe('');
    const program = `for (const name of ${JSON.stringify(examples.map(({ name }) => name))}) await import('./' + name + '.mjs');`;
    await run(process.execPath, ['--input-type=module', '-e', program], { cwd: project, timeout: 120_000 });
  });
});

/** Documents whose commands use the installed package, in the order of a reader. */
const GUIDES = [
  'README',
  'docs/front-end/client',
  'docs/front-end/vite',
  'docs/front-end/nextjs',
  'docs/agents',
];

/** The commands of the guides, without what adds them to an assistant. */
function documentedCommands(): readonly string[] {
  return GUIDES.flatMap((name) => {
    const text = readFileSync(join(ROOT, `${name}.md`), 'utf8');
    const lines = [...text.matchAll(/^```sh\n((?:.|\n)*?)^```$/gm)].flatMap(([, block = '']) =>
      block.split('\n'),
    );
    return lines
      .map((line) => line.replace(/^claude mcp add .* -- /, ''))
      .filter((line) => /^(?:\w+=\S+ )?(?:npx |node path\/)/.test(line));
  });
}

/** Whether a command runs until a signal. */
function isServer(command: string): boolean {
  return /(?: waygate|main\.js) (?:serve|mock|mcp) /.test(command);
}

/** Resolves with what a process has written once it matches; rejects if the process ends before. */
function outputOf(child: ChildProcess, pattern: RegExp, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        text += chunk;
        if (pattern.test(text)) resolve(text);
      });
    }
    child.once('exit', (code) => reject(new Error(`${name} exited with ${code}: ${text}`)));
  });
}

/** Compiles files of the project, and the declarations that they use. Returns the messages of the compiler. */
async function compile(
  files: readonly string[],
  module = 'nodenext',
  moduleResolution = module,
): Promise<string> {
  const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
  const modules = ['--module', module, '--moduleResolution', moduleResolution];
  const flags = ['--noEmit', '--strict', ...modules, '--target', 'es2022', '--types', 'node'];
  const { stdout } = await run(tsc, [...flags, ...files], { cwd: project }).catch((error) => error);
  return stdout;
}

/** The program of each `@example` in the declarations, which editors show to a user of the package. */
function readExamples(): readonly { name: string; code: string }[] {
  const dist = join(project, 'node_modules/waygate/dist');
  const declarations = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.d.ts'))
    .map((path) => readFileSync(join(dist, path), 'utf8'));
  const examples = declarations.flatMap((text) => [
    ...text.matchAll(/\* @example\n((?: \*(?! @|\/).*\n)+)/g),
  ]);
  return examples.map(([, lines = ''], index) => ({
    name: `example-${index}`,
    code: lines.replace(/^ \* ?(?:```.*)?/gm, ''),
  }));
}
