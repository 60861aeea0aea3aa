import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { toClient } from '../../src/client/index.ts';
import { documentWith, getting, recordedDocument } from '../types/documents.ts';
import { createTypeChecker } from '../types/type-checker.ts';

const check = createTypeChecker();

/** The client with its own errors, as a project with the strictest options would see them without `@ts-nocheck`. */
async function checkedClient(document: Parameters<typeof toClient>[0]): Promise<string> {
  return (await toClient(document)).replace('// @ts-nocheck', '//');
}

describe('the client of WordPress 7.1', () => {
  test('compiles alone with the library of ES2022 and the DOM, and types requests and responses', async () => {
    const program = await readFile(new URL('fixtures/program.txt', import.meta.url), 'utf8');
    const { errors } = check(
      { 'client.ts': await checkedClient(recordedDocument()), 'program.ts': program },
      { erasableSyntaxOnly: true, isolatedModules: true, isolatedDeclarations: false },
    );
    expect(errors).toEqual([]);
  }, 60_000);
});

test('names of a hostile site neither replace types of the runtime nor leave their text', async () => {
  const hostile = ['Client', 'Promise', 'Response', '__proto__', '*/ alert(1) /*', 'constructor', 'Error'];
  const schema = { type: 'object', properties: { [`'];alert(1)//`]: { type: 'string' } } };
  const paths = Object.fromEntries(
    hostile.map((name, at) => [
      `/${name}${at}`,
      {
        get: {
          operationId: name,
          summary: '*/ alert(1) /*',
          'x-waygate-error-codes': [`"; alert(1); "`],
          responses: {
            200: {
              content: {
                'application/json': {
                  schema: {
                    $ref: `#/components/schemas/${encodeURIComponent(name).replaceAll('%2F', '~1')}`,
                  },
                },
              },
            },
          },
        },
      },
    ]),
  );
  const document = documentWith(
    JSON.parse(`{${hostile.map((name) => `${JSON.stringify(name)}:${JSON.stringify(schema)}`).join()}}`),
    paths,
  );
  const { errors } = check({ 'client.ts': await checkedClient(document) }, { isolatedDeclarations: false });
  expect(errors).toEqual([]);
}, 60_000);

test('a route that shares a path and names a part of it differently has a path and values of its own', async () => {
  const id = { name: 'id', in: 'path', required: true, 'x-waygate-slashes': true };
  const slug = { ...id, schema: { enum: ['a/b'] }, 'x-waygate-name': 'slug' };
  const routes = [[id], [slug]].map((parameters) => ({ parameters }));
  const document = documentWith(
    {},
    { '/x/{id}': getting({ parameters: [id], 'x-waygate-alternatives': routes }) },
  );
  const client = await toClient(document);
  expect(client).toMatch(/^ {2}"\/x\/\{id\}": \{\n {4}input: [^}]*\bid: unknown/m);
  expect(client).toMatch(/^ {2}"\/x\/\{slug\}": \{\n {4}input: [^}]*\bslug: "a\/b"/m);
  expect(client).toContain('  "/x/{id}",\n  "/x/{slug}",\n');
});
