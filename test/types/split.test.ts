import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { toClient } from '../../src/client/index.ts';
import { getNamespaces } from '../../src/document-extensions.ts';
import type { JsonObject } from '../../src/json.ts';
import { toTypes } from '../../src/types/index.ts';
import { splitModule } from '../../src/types/split.ts';
import { documentWith, getting, recordedDocument } from './documents.ts';
import { HOSTILE_NAMES } from './hostile-names.ts';
import { listErrors, openEditor } from './type-checker.ts';

const PRINTERS = { types: toTypes, client: toClient };

/** The files of both modules of a document, by name, without `@ts-nocheck`. */
async function split(document: JsonObject): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for (const kind of ['types', 'client'] as const) {
    const module = (await PRINTERS[kind](document)).replace('// @ts-nocheck', '//');
    for (const [file, text] of splitModule(module, kind, kind, new Set(getNamespaces(document)))) {
      files[file] = text;
    }
  }
  return files;
}

/** A document with a list in each namespace, whose items have a type of their own and one that all share. */
function documentOf(namespaces: readonly string[]): JsonObject {
  const keyOf = (name: string): string => `Item${Buffer.from(name, 'utf16le').toString('hex')}`;
  const paths = namespaces.map((name) => {
    const schema = { type: 'array', items: { $ref: `#/components/schemas/${keyOf(name)}` } };
    return [
      `/${name}/things`,
      getting({
        operationId: `list ${name}`,
        parameters: [{ name: 'search', in: 'query', schema: { type: 'string' } }],
        responses: { 200: { content: { 'application/json': { schema } } } },
      }),
    ] as const;
  });
  const item = { type: 'object', properties: { link: { $ref: '#/components/schemas/Link' } } };
  const link = { type: 'object', properties: { id: { type: 'integer' } } };
  const schemas = { Link: link, ...Object.fromEntries(namespaces.map((name) => [keyOf(name), item])) };
  return {
    ...documentWith(schemas, Object.fromEntries(paths)),
    'x-waygate': { namespaces: [...namespaces] },
  };
}

const exportsOf = (text: string): readonly string[] => {
  const names = text.matchAll(/^export (?:interface|type|function|async function\*?|class|const) (\w+)/gm);
  return [...new Set(Array.from(names, ([, name = '']) => name))].sort();
};

describe('a module in parts', () => {
  const parts = split(recordedDocument());

  test('has types alone, but for the entry of the client, and nothing twice', async () => {
    const files = Object.entries(await parts);
    expect(files.map(([file]) => file)).toEqual(
      expect.arrayContaining(['types/wp-v2.ts', 'client/shared.ts', 'client.ts']),
    );
    for (const [file, text] of files) {
      const emitted = ts.transpile(text, { verbatimModuleSyntax: true, module: ts.ModuleKind.ESNext });
      expect(/^import|^export (?!\{\};)/m.test(emitted), file).toBe(file === 'client.ts');
    }
    const declared = files
      .filter(([file]) => file.startsWith('client'))
      .flatMap(([, text]) => exportsOf(text));
    const twice = declared.filter((name, at) => declared.indexOf(name) !== at);
    expect(twice.filter((name) => !name.endsWith('Operations'))).toEqual([]);
  });
});

test('a foreign namespace changes the entries and its own part alone', async () => {
  const [before, after] = [
    await split(documentOf(['a/v1', 'c/v1'])),
    await split(documentOf(['a/v1', 'b/v1', 'c/v1'])),
  ];
  const changed = Object.keys(after).filter((file) => before[file] !== after[file]);
  // `components` is in the shared part.
  expect(changed).toEqual(['types/b-v1.ts', 'types/shared.ts', 'types.ts', 'client/b-v1.ts', 'client.ts']);
});

test('namespaces of every kind have files of safe names, and lose no operation', async () => {
  const namespaces = [
    '../x',
    'con',
    'wp/v2',
    'wp-v2',
    'WP/v2',
    'shared',
    'カート/v1',
    'a'.repeat(300),
    ...HOSTILE_NAMES,
  ];
  const document = documentOf([...new Set(namespaces)]);
  const files = await split(document);
  const names = Object.keys(files)
    .filter((file) => file.startsWith('client/'))
    .map((file) => file.slice(7));
  expect(names).toEqual(
    expect.arrayContaining(['x.ts', '_con.ts', 'wp-v2.ts', '_shared.ts', 'shared.ts', 'v1.ts']),
  );
  expect(names.filter((name) => !/^_?[a-z0-9-]{1,80}\.ts$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  const all = {
    ...files,
    'all.ts':
      "export type Paths = Exclude<keyof import('./client.ts').GetOperations, never>;\nexport type Types = Exclude<keyof import('./types.ts').paths, never>;\nexport type Ids = Exclude<keyof import('./types.ts').operations, never>;",
  };
  expect(listErrors(all, { isolatedDeclarations: false })).toEqual([]);
  const { typeOf } = openEditor(all);
  const count = Object.keys(Object(document['paths'])).length;
  for (const name of ['Paths', 'Types', 'Ids'])
    expect(typeOf('all.ts', name).split(/(?<=") \| (?=")/)).toHaveLength(count);
}, 60_000);
