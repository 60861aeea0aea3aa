import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { toClient } from '../../src/generator/client/index.ts';
import { compileFolder, STRICT } from '../support/compile.ts';
import { listIgnoredFieldsOfTexts } from '../support/echoed-fields.ts';

const CORPUS = fileURLToPath(new URL('.', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** A site that programs are compiled and run against. */
export interface CorpusSite {
  /** Folder of the programs. */
  readonly name: string;
  /** The REST root. */
  readonly baseUrl: string;
  readonly user: { readonly username: string; readonly password: string };
}

/** A folder with the programs and `setup.ts` of some sites, and their generated clients. */
export interface CorpusFolder {
  /**
   * Runs a program with a client that knows no operation of the site: types do not exist at run time.
   *
   * @throws what the program throws, or an error with the fields of its writes that the site has accepted and ignored
   */
  run(program: string): Promise<void>;
  /** Writes the client of a site, for `compile`. */
  writeClient(site: string, document: JsonObject): Promise<void>;
  /**
   * Compiles all programs, and the clients themselves.
   *
   * @returns the errors by file, `core/works/06-fields.ts`; errors elsewhere by the compiler's line
   */
  compile(): ReadonlyMap<string, readonly string[]>;
  remove(): Promise<void>;
}

/** Lists the programs of a site: `core/works/06-fields.ts`. */
export async function listPrograms(site: string, kind: 'works' | 'fails'): Promise<readonly string[]> {
  const files = await readdir(join(CORPUS, site, kind));
  return files.sort().map((file) => `${site}/${kind}/${file}`);
}

/** Creates the folder below node_modules, so that programs resolve packages as in any repository, and git ignores it. */
export async function createCorpusFolder(sites: readonly CorpusSite[]): Promise<CorpusFolder> {
  await mkdir(join(MODULES, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(MODULES, '.cache/waygate-corpus-'));
  const write = (file: string, text: string) => writeFile(join(folder, file), text);
  await write('package.json', '{ "type": "module" }');
  await write('tsconfig.json', JSON.stringify({ compilerOptions: STRICT, include: ['.'] }));
  for (const site of sites) {
    for (const kind of ['works', 'fails'] as const) {
      await mkdir(join(folder, site.name, kind), { recursive: true });
      for (const program of await listPrograms(site.name, kind)) {
        const text = await readFile(join(CORPUS, program), 'utf8');
        const client = /^const client\b/m.test(text) ? '' : CLIENT;
        await write(program, HEAD + client + text.replaceAll("'../../", "'../"));
      }
    }
    await write(`${site.name}/setup.ts`, setupText(site));
    const client = await toClient({ openapi: '3.1.1', paths: {} });
    await write(`${site.name}/client.js`, ts.transpile(client, EMITTED));
    await write(`${site.name}/setup.js`, ts.transpile(setupText(site, ECHO_OPTIONS), EMITTED));
  }
  return {
    async run(program) {
      const script = program.replace(/\.ts$/, '.js');
      await write(script, ts.transpile(await readFile(join(folder, program), 'utf8'), EMITTED));
      const { href } = pathToFileURL(join(folder, script));
      ignoredFields.splice(0);
      await import(/* @vite-ignore */ href);
      const ignored = ignoredFields.filter((text) => NO_ECHOES[program]?.test(text) !== true);
      if (ignored.length > 0) throw new Error(`fields that the site ignores: ${ignored.join('; ')}`);
    },
    async writeClient(site, document) {
      const client = await toClient(document, { name: site });
      // Projects of users do not check the client. Here it is checked.
      await write(`${site}/client.ts`, client.replace('// @ts-nocheck', '//'));
    },
    compile: () => compileFolder(folder),
    remove: () => rm(folder, { recursive: true }),
  };
}

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

/** Fields of the response that have the name of a field of the request, and are not its echo. */
const NO_ECHOES: Readonly<Record<string, RegExp>> = {
  // The program sends all that it has read, with members that the site ignores.
  'core/works/33-read-edit-write.ts': /^/,
};
/** Differences between the writes of the programs and the responses. */
const ignoredFields: string[] = [];
/** Names in `globalThis` of what the client of a running program calls. */
const ECHO_HOOK = 'waygateCorpusEcho';
Object.assign(globalThis, {
  [ECHO_HOOK]: (sent: string, received: string) =>
    void ignoredFields.push(...listIgnoredFieldsOfTexts(sent, received)),
});

/** Options that compare the fields of each write with the response of the site, before the program's own hooks see it. */
const ECHO_OPTIONS = `middleware: [...(options.middleware ?? []), {
    async onRequest({ request }) {
      const isJson = request.headers.get('content-type')?.includes('json') === true;
      if (isJson) bodies.set(request, await request.clone().text());
    },
    async onResponse({ request, response }) {
      const body = bodies.get(request);
      if (body !== undefined && response.ok) globalThis.${ECHO_HOOK}(body, await response.clone().text());
    },
  }],`;

function setupText({ baseUrl, user }: CorpusSite, more = ''): string {
  return `import { type Client, type ClientOptions, createClient } from './client.ts';

const bodies = new WeakMap<Request, string>();

type Options<Throw extends boolean> = Partial<Omit<ClientOptions, 'throw'>> & { readonly throw?: Throw };

export function connect<const Throw extends boolean = false>(options: Options<Throw> = {}): Client<Throw> {
  return createClient<Throw>({ baseUrl: ${JSON.stringify(baseUrl)}, auth: ${JSON.stringify(user)}, ...options, ${more} });
}
`;
}

/** Tests that the programs of `works` compile, those of `fails` have their error only, and nothing else has one. */
export function describeCompilation(
  folder: () => CorpusFolder,
  works: readonly string[],
  fails: readonly string[],
): void {
  describe('compiled', () => {
    let errors: ReturnType<CorpusFolder['compile']>;
    beforeAll(() => {
      errors = folder().compile();
    }, 120_000);

    test('the clients and nothing but programs compile', () => {
      expect([...errors].filter(([file]) => !works.includes(file) && !fails.includes(file))).toEqual([]);
    });
    test.each([...works, ...fails])('%s compiles, but for its stated error', (program) => {
      expect(errors.get(program)?.join('\n') ?? '').toBe('');
    });
  });
}
