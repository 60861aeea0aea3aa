import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generate } from '../../src/generate.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { useWordPress } from '../support/wordpress.ts';

/** A folder below node_modules: programs in it resolve openapi-fetch as in any repository, and git ignores it. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

const STRICT: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
};

const site = useWordPress();
let folder: string;
let running: RunningGateway;

beforeAll(async () => {
  await mkdir(CACHE, { recursive: true });
  folder = await mkdtemp(join(CACHE, 'waygate-client-'));
  running = await startNodeGateway({ sites: [{ url: site().url }] });
});
afterAll(async () => {
  await running.stop();
  await rm(folder, { recursive: true });
});

test('a program with openapi-fetch and the generated `paths` compiles, and reads posts of WordPress through the gateway', async () => {
  const { files } = await generate(site().url, { name: 'site', server: running.origin });
  const program = await readFile(new URL('fixtures/program.txt', import.meta.url), 'utf8');
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'site.ts'), files.get('site.ts') ?? '');
  await writeFile(join(folder, 'program.ts'), program);

  const compiled = ts.createProgram([join(folder, 'program.ts')], STRICT);
  const faults = ts.getPreEmitDiagnostics(compiled);
  expect(
    ts.formatDiagnostics(faults, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => folder,
      getNewLine: () => '\n',
    }),
  ).toBe('');

  const { outputText } = ts.transpileModule(program, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const script = join(folder, 'program.mjs');
  await writeFile(script, outputText);
  const { readPosts } = await import(/* @vite-ignore */ pathToFileURL(script).href);

  const { titles, first, missing } = await readPosts(running.origin);
  expect(titles).toHaveLength(3);
  expect(titles.every((title: string) => title !== '')).toBe(true);
  expect(first).toMatch(/^[a-z0-9-]+$/);
  expect(missing).toBe('rest_post_invalid_id');
});
