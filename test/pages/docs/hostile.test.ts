import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { createReference } from '../../../src/generator/reference/reference.ts';
import { createFlatDocument } from '../../support/documents.ts';
import { ATTACK, poisonDocument } from '../../support/hostile-document.ts';
import { createTestDocs } from '../../support/rendered-docs.ts';

describe('a hostile document', () => {
  /** The tags of a page without their texts. */
  const shapeOf = (html: string): string => html.replace(/>[^<]*</g, '><').replace(/="[^"]*"/g, '=""');

  async function renderAll(document: JsonObject): Promise<readonly string[]> {
    const render = createTestDocs(document);
    const paths = ['', '.md', '/search.json'];
    for (const { address } of createReference(document, 'x').pages)
      paths.push(`/${address}`, `/${address}.json`);
    return Promise.all(paths.map(async (path) => (await render(path))?.text ?? ''));
  }

  test('adds no tag and no attribute to a page', async () => {
    const isPage = (text: string): boolean => text.startsWith('<!doctype');
    const pages = (await renderAll(poisonDocument(ATTACK))).filter(isPage);
    const plain = (await renderAll(poisonDocument(ATTACK.replace(/[<>"'&]/g, 'x')))).filter(isPage);
    expect(pages.length).toBeGreaterThanOrEqual(3);
    for (const page of pages) {
      expect(page.match(/<script[^>]*>/g)).toEqual([
        expect.stringMatching(/src="(?:\.\.\/|\.\/)+docs\/assets\//),
      ]);
      expect(page).not.toMatch(/<img|<[^>"]* on\w+=|javascript:/);
    }
    expect(shapeOf(pages.at(-1) ?? '')).toBe(shapeOf(plain.at(-1) ?? ''));
  });

  test('adds no control character to any output', async () => {
    for (const text of await renderAll(poisonDocument(ATTACK))) {
      const [found] =
        /.{0,60}[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.exec(text) ?? [];
      expect(found).toBeUndefined();
    }
  });

  test('adds no line to Markdown', async () => {
    const count = async (text: string): Promise<readonly number[]> =>
      (await renderAll(poisonDocument(text)))
        .filter((page) => page.startsWith('#'))
        .map((page) => page.replace(/^(`{3,})[^`\n]*\n[\s\S]*?^\1$/gm, '').split('\n').length);
    expect(await count(ATTACK)).toEqual(await count(ATTACK.replace(/[^/\w]/g, 'x')));
  });

  test.each(['x\n# y', '[x](y)', '- x', '1. x', '---'])(
    'begins no block and no link with %j',
    async (text) => {
      for (const page of await renderAll(poisonDocument(text))) {
        if (!page.startsWith('#')) continue;
        const outsideOfCode = page.replace(/^(`{3,})[\s\S]*?^\1$/gm, '').replace(/`[^`\n]*`/g, '');
        expect(outsideOfCode).not.toMatch(/^# y|(?<!\\)\[x|^- x|^1\. x|^---/m);
      }
    },
  );

  test.each([
    ...['__proto__', 'constructor', 'toString', '', ' ', '\0', '{}', '🙂'.repeat(3), 'a'.repeat(250_000)],
    // Halves of surrogate pairs.
    ...['\ud800', 'a\udc00b'],
  ])('can consist of the text %#', async (text) => {
    const pages = await renderAll(poisonDocument(text));
    for (const page of pages) expect(page.length, page.slice(0, 200)).toBeLessThan(400_000);
  });

  test('can have schemas that refer to themselves, deeply and widely', async () => {
    let deep: Json = { type: 'string' };
    for (let depth = 0; depth < 2_000; depth += 1) deep = { type: 'object', properties: { a: deep } };
    const wide = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { type: 'string' }]),
    );
    const loop = { $ref: '#/components/schemas/Loop' };
    const contentOf = (schema: Json): JsonObject => ({ content: { 'application/json': { schema } } });
    const properties = { again: loop, all: { type: 'array', items: loop } };
    const document: JsonObject = {
      ...createFlatDocument(['/a/v1/b'], ['a/v1']),
      paths: {
        '/a/v1/b': {
          post: {
            requestBody: contentOf(loop),
            responses: {
              200: contentOf(deep),
              201: contentOf({ type: 'object', properties: wide }),
              202: contentOf(loop),
            },
          },
        },
      },
      components: { schemas: { Loop: { type: 'object', allOf: [loop], properties } } },
    };
    for (const page of await renderAll(document)) expect(page.length).toBeLessThan(400_000);
  });

  test('of any form renders', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
        const operation = value as Json;
        await renderAll({
          ...createFlatDocument([], ['a']),
          paths: { '/a/b': { get: operation, parameters: operation } },
        });
        await renderAll({ paths: operation, info: operation, components: operation, 'x-waygate': operation });
      }),
      { numRuns: 30 },
    );
  });
});
