import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSteps } from '../../src/base/steps.ts';
import { toClient } from '../../src/generator/client/index.ts';
import { discover } from '../../src/generator/discovery/index.ts';
import { applyOverlayToGeneration, toOpenApi } from '../../src/generator/openapi/index.ts';
import { reconcile } from '../../src/generator/reconcile/index.ts';
import { compileFolder, STRICT } from '../support/compile.ts';
import { useWordPress } from '../support/wordpress.ts';

const PROGRAMS = fileURLToPath(new URL('core', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

const listPrograms = async (kind: 'works' | 'fails'): Promise<readonly string[]> =>
  (await readdir(join(PROGRAMS, kind))).sort().map((file) => `${kind}/${file}`);
const works = await listPrograms('works');
const all = [...works, ...(await listPrograms('fails'))];

/** What each program has. One that does not state its client has that of an administrator. */
const HEAD = `import assert from 'node:assert/strict';
import { connect } from '../setup.ts';
`;
const CLIENT = 'const client = connect();\n';

const EMITTED: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
};

const site = useWordPress();
/** A folder below node_modules, so that programs resolve packages as in any repository, and git ignores it. */
let folder: string;
let errors: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  const { url, users } = site();
  const { user, password } = users.administrator;
  const baseUrl = JSON.stringify(`${url}wp-json`);
  const setup = `import { type Client, type ClientOptions, createClient } from './client.ts';

type Options<Throw extends boolean> = Partial<Omit<ClientOptions, 'throw'>> & { readonly throw?: Throw };

export function connect<const Throw extends boolean = false>(options: Options<Throw> = {}): Client<Throw> {
  return createClient<Throw>({ baseUrl: ${baseUrl}, auth: ${JSON.stringify({ username: user, password })}, ...options });
}
`;
  await mkdir(join(MODULES, '.cache'), { recursive: true });
  folder = await mkdtemp(join(MODULES, '.cache/waygate-corpus-'));
  const write = (file: string, text: string): Promise<void> => writeFile(join(folder, file), text);
  for (const kind of ['works', 'fails']) await mkdir(join(folder, kind));
  for (const program of all) {
    const text = await readFile(join(PROGRAMS, program), 'utf8');
    const client = /^const client\b/m.test(text) ? '' : CLIENT;
    await write(program, HEAD + client + text.replaceAll("'../../", "'../"));
  }
  await write('package.json', '{ "type": "module" }');
  await write('tsconfig.json', JSON.stringify({ compilerOptions: STRICT, include: ['.'] }));
  await write('setup.ts', setup);
  await write('setup.js', ts.transpile(setup, EMITTED));
  // Programs run with a client that knows no operation of the site: types do not exist at run time.
  await write('client.js', ts.transpile(await toClient({ openapi: '3.1.1', paths: {} }), EMITTED));
  const { overlay } = await reconcile(url, { auth: { user, password } });
  const generated = toOpenApi(await discover(url));
  const client = await toClient(runSteps(applyOverlayToGeneration(generated, overlay)).document);
  // Projects of users do not check the client. Here it is checked.
  await write('client.ts', client.replace('// @ts-nocheck', '//'));
  errors = compileFolder(folder);
}, 300_000);

afterAll(() => rm(folder, { recursive: true }));

test('the client compiles', () => {
  expect([...errors].filter(([file]) => !all.includes(file))).toEqual([]);
});

test.each(all)('%s compiles, but for its stated error', (program) => {
  expect(errors.get(program)?.join('\n') ?? '').toBe('');
});

test.each(works)('%s runs', async (program) => {
  const script = join(folder, program.replace(/\.ts$/, '.js'));
  await writeFile(script, ts.transpile(await readFile(join(folder, program), 'utf8'), EMITTED));
  await import(/* @vite-ignore */ pathToFileURL(script).href);
});
