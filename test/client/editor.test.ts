import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import { toClient } from '../../src/client/index.ts';
import { createPageFinder } from '../../src/docs/reference.ts';
import { recordedDocument } from '../types/documents.ts';

/** What an editor shows in a program with the client of WordPress 7.1, by the service of TypeScript that editors use. */
const PROGRAM = `import { batch, byPath, createClient } from './site.client.ts';
const client = createClient({ baseUrl: 'https://example.com/wp-json' });
const { error } = await client.POST('/wp/v2/categories', { body: { name: 'A' } });
if (error?.code === '') console.log();
if (error) console.log(error.data.params);
await batch(client, [['POST', '']]);
await byPath(client)['/wp/v2/posts'].GET({ query: { context: '' } });
`;

const FOLDER = dirname(fileURLToPath(import.meta.url));
const PROGRAM_FILE = join(FOLDER, 'program.ts');

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
};

let service: ts.LanguageService;
beforeAll(async () => {
  const document = recordedDocument();
  const pageOf = createPageFinder(document, 'http://127.0.0.1:8080/docs/');
  const files: Readonly<Record<string, string>> = {
    [PROGRAM_FILE]: PROGRAM,
    [join(FOLDER, 'site.client.ts')]: await toClient(document, { pageOf }),
  };
  const read = (name: string): string | undefined => files[name] ?? ts.sys.readFile(name);
  service = ts.createLanguageService({
    getScriptFileNames: () => Object.keys(files),
    getScriptVersion: () => '1',
    getScriptSnapshot(name) {
      const text = read(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => FOLDER,
    getCompilationSettings: () => OPTIONS,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (name) => Object.hasOwn(files, name) || ts.sys.fileExists(name),
    readFile: read,
  });
});

/** What is offered where the program has a text, at its end. */
function complete(before: string): readonly string[] {
  const at = PROGRAM.indexOf(before) + before.length;
  return service.getCompletionsAtPosition(PROGRAM_FILE, at, {})?.entries.map(({ name }) => name) ?? [];
}

test('the codes of an operation are offered where a code is compared', () => {
  const codes = complete(`error?.code === '`);
  expect(codes).toEqual(
    expect.arrayContaining(['rest_invalid_param', 'term_exists', 'network_failure', 'client_html_response']),
  );
  expect(codes).not.toContain('rest_post_invalid_id');
}, 60_000);

test('the paths that a batch accepts for the method are offered', () => {
  const paths = complete(`['POST', '`);
  expect(paths).toEqual(expect.arrayContaining(['/wp/v2/posts', '/wp/v2/posts/{id}']));
  expect(paths).not.toContain('/wp/v2/media');
});

test('the parameters of an error can be read before its code is compared', () => {
  const shown = service.getQuickInfoAtPosition(PROGRAM_FILE, PROGRAM.indexOf('params);'));
  expect(ts.displayPartsToString(shown?.displayParts)).toContain('params: Readonly<Record<string, string>>');
});

test('a path shows the summaries of its operations, and links to their sections of the reference', () => {
  const at = PROGRAM.indexOf('/wp/v2/posts');
  const shown = service.getQuickInfoAtPosition(PROGRAM_FILE, at);
  const text = ts.displayPartsToString(shown?.documentation);
  expect(text).toContain('List posts');
  expect(text).toContain('{@link http://127.0.0.1:8080/docs/wp/v2/posts#list-posts Reference}');
  expect(text).toContain('docs/wp/v2/posts#create-a-post');
  expect(complete(`context: '`)).toEqual(expect.arrayContaining(['edit', 'embed', 'view']));
});
