import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXPORTS } from './exports.ts';
import { ROOT } from './modules.ts';

const run = promisify(execFile);

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** What somebody writes who has only the package: every entry, its values and its types. */
const PROGRAM = `import { createGateway, type DiscoveredSite, DiscoveryError, discover, toOpenApi, toTypes } from 'waygate';
import { type RunningServer, serve } from 'waygate/node';

/** What the README shows, as somebody would write it who has only the package. */
export async function describe(url: string): Promise<string> {
  try {
    const site: DiscoveredSite = await discover(url);
    const { document, report } = toOpenApi(site);
    return \`\${JSON.stringify(report)}\n\${await toTypes(document)}\`;
  } catch (error) {
    if (error instanceof DiscoveryError) return error.message;
    throw error;
  }
}

export const gateway = createGateway({ sites: [{ url: 'https://example.com/' }] });
export const start: typeof serve = serve;
export type Server = RunningServer;
`;

/** A project of somebody else's that depends on the package as it would be published. */
const folder = mkdtempSync(join(tmpdir(), 'waygate-package-'));
const project = join(folder, 'project');
let packed: Packed;
let tarball: string;

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: ROOT });
  // `prepare` speaks first, and npm's later versions name the package beside what they made of it.
  const [answer]: readonly Packed[] = Object.values(JSON.parse(stdout.slice(stdout.search(/^[[{]/m))));
  if (answer === undefined) throw new Error(`npm pack made nothing: ${stdout}`);
  packed = answer;
  tarball = join(folder, packed.filename);
  mkdirSync(project);
  writeFileSync(join(project, 'program.ts'), PROGRAM);
  const manifest = { name: 'consumer', private: true, type: 'module' };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await run('npm', ['install', ...flags, tarball, `@types/node@${installed('@types/node')}`], {
    cwd: project,
  });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function installed(name: string): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'));
  return version;
}

describe('the packed package', () => {
  test('holds the program, its types and its licence, and nothing that only we need', () => {
    const paths = packed.files.map(({ path }) => path);
    const needed = ['dist/index.js', 'dist/index.d.ts', 'dist/cli/main.js', 'dist/docs/static/manifest.json'];
    expect([...needed, 'LICENSE', 'README.md'].filter((path) => !paths.includes(path))).toEqual([]);
    expect(
      paths.filter((path) => !/^(dist\/|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/.test(path)),
    ).toEqual([]);
    expect(packed.size).toBeLessThan(4 * 1024 ** 2);
  });

  test('publint finds nothing to say', async () => {
    const { messages, pkg } = await publint({
      pack: { tarball: buffer(readFileSync(tarball)) },
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test('its types resolve for whoever imports it as a module', async () => {
    const attw = join(ROOT, 'node_modules/.bin/attw');
    // It ends with 1 for any problem that the profile does not leave out, and says which.
    const { stdout } = await run(attw, [tarball, '--profile', 'esm-only', '--format', 'json']).catch(
      (error) => error,
    );
    const { analysis } = JSON.parse(stdout);
    expect(Object.keys(analysis.entrypoints).sort()).toEqual(['.', './example', './node', './package.json']);
    const problems: readonly { kind: string; resolutionKind?: string }[] = analysis.problems;
    // A CommonJS program has to use import(), and Node 10's resolution knows no `exports`.
    const left = problems.filter(
      ({ resolutionKind }) => !['node10', 'node16-cjs'].includes(resolutionKind ?? ''),
    );
    expect(left).toEqual([]);
  });
});

describe('installed into a project', () => {
  test.each(Object.entries(EXPORTS))('%s exports its values', async (entry, { values }) => {
    const program = `console.log(JSON.stringify(Object.keys(await import('${entry}')).sort()))`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: project });
    expect(JSON.parse(stdout)).toEqual(values);
  });

  test('`npx waygate --help` names every command', async () => {
    const { stdout } = await run('npx', ['--no-install', 'waygate', '--help'], { cwd: project });
    for (const command of ['generate', 'serve', 'example']) expect(stdout).toContain(command);
  });

  test('`npx waygate --version` is the version of the package', async () => {
    const { stdout } = await run('npx', ['--no-install', 'waygate', '--version'], { cwd: project });
    expect(stdout.trim()).toBe(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version);
  });

  test('`waygate example` runs from the package, and generate from what it serves', async () => {
    const command = join(project, 'node_modules/.bin/waygate');
    const example = spawn(command, ['example', '--port', '0'], { cwd: project });
    try {
      const told = await new Promise<string>((resolve, reject) => {
        let text = '';
        example.stdout.on('data', (chunk: Buffer) => {
          text += chunk;
          if (text.includes('Ctrl-C')) resolve(text);
        });
        example.once('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
      });
      const [gateway = ''] = /http:\/\/127\.0\.0\.1:\d+\/boards/.exec(told) ?? [];
      const { stdout } = await run(command, ['generate', gateway, '--json', '--out', 'api'], {
        cwd: project,
      });
      expect(JSON.parse(stdout).counts.operations).toBe(163);
    } finally {
      example.kill('SIGINT');
    }
  });

  test('a program that uses it compiles under --strict', async () => {
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const flags = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      'node',
      '--skipLibCheck',
    ];
    const { stdout } = await run(tsc, [...flags, 'program.ts'], { cwd: project }).catch((error) => error);
    expect(stdout).toBe('');
  });

  test('the documentation page finds its files', async () => {
    const module = pathToFileURL(join(project, 'node_modules/waygate/dist/docs/assets.js')).href;
    const program = `const { loadDocsAssets } = await import('${module}');
      const assets = loadDocsAssets();
      console.log((await assets.find(assets.reference).read('identity')).length);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: project });
    expect(Number(stdout)).toBeGreaterThan(1_000_000);
  });
});

/** The bytes of a Buffer alone, which may share its memory with others. */
function buffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
