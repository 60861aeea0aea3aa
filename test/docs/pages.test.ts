import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { readIndex } from '../../src/discovery/index.ts';
import { createReference } from '../../src/docs/reference/reference.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import { toOpenApi } from '../../src/openapi/index.ts';
import { createLargeIndex } from '../corpus/large-site.ts';
import { createFlatDocument, readSeed } from '../support/documents.ts';
import { createTestDocs, renderTestPage } from '../support/rendered-docs.ts';
import { PRETTY_ADDRESS } from '../support/site.ts';

describe('the page of a resource', () => {
  let html: string;
  beforeAll(async () => {
    html = await renderTestPage(readSeed('content'), '/core/v2/posts');
  });

  test('has its operations with method, path and anchor', () => {
    expect(html).toContain('<title>Posts · core/v2 · A site</title>');
    for (const anchor of ['list-posts', 'create-a-post', 'get-a-post', 'update-a-post', 'delete-a-post']) {
      expect(html).toContain(`id="${anchor}"`);
      expect(html).toContain(`href="#${anchor}"`);
    }
    expect(html).toContain('<code>/core/v2/posts/{id}</code>');
  });

  test('shows operations that differ in their method once, with an anchor for each', () => {
    expect(html).toContain('PUT and PATCH on the same path do the same.');
    expect(html).toContain('id="update-a-post-patch"');
    expect(html.match(/data-operation=/g)).toHaveLength(5);
  });

  test.each([
    ['the name of a parameter', '<code class="name">per_page</code>'],
    ['its place', '<span class="type">integer</span> in query'],
    ['its bounds', 'Maximum: <code>100</code>'],
    ['its default', 'Default: <code>10</code>'],
    ['its allowed values', 'Allowed: <code>&quot;asc&quot;</code>, <code>&quot;desc&quot;</code>'],
    ['the content types of the body', '<code>application/x-www-form-urlencoded</code>'],
    ['an example of the body', '&quot;status&quot;: &quot;publish&quot;'],
    ['the response in a context', '<code>context=edit</code>'],
    ['the schema of the response', 'href="#schema-postedit"'],
    ['the spellings of the path', '<code>/index.php?rest_route=/core/v2/posts</code>'],
    ['whether a batch may contain it', 'A request to /batch/v1 may contain this operation.'],
    ['how it is cached', 'Never stored.'],
    ['code samples', 'wp_remote_request('],
    ['breadcrumbs', '<a href="../../../docs/core/v2">core/v2</a>'],
    ['the previous page', 'rel="prev"'],
    ['the next page', 'rel="next" href="../../../docs/core/v2/posts/revisions"'],
  ])('shows %s', (_, part) => {
    expect(html).toContain(part);
  });

  test('loads one style sheet and one script, by hash, and nothing else', () => {
    expect([...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<script type="module" src="../../../docs/assets/docs-1.js" integrity="sha256-test">',
    ]);
    expect(html).not.toMatch(/ style=|<style| on[a-z]+=|<iframe|<img/);
    expect([...html.matchAll(/(?:src|href)="(https?:[^"]*)"/g)]).toEqual([]);
  });

  test('links only to pages and anchors that exist', async () => {
    const render = createTestDocs(readSeed('content'));
    const { pages } = createReference(readSeed('content'), 'A site');
    for (const { address } of pages) {
      const page = (await render(`/${address}`))?.text ?? '';
      for (const [, path = '', anchor] of page.matchAll(/href="[./]+\/docs\/([^"#]*)(?:#([^"]*))?"/g)) {
        if (path.startsWith('assets/') || path.endsWith('.md') || path === 'llms.txt') continue;
        const target = pages.find((candidate) => candidate.address === path);
        expect(target, path).toBeDefined();
        if (anchor !== undefined)
          expect(target?.operations.map((operation) => operation.anchor)).toContain(anchor);
      }
      for (const [, anchor = ''] of page.matchAll(/href="#([^"]*)"/g))
        expect(page).toContain(` id="${anchor}"`);
    }
  });
});

test('the overview lists all namespaces and resources', async () => {
  const html = await renderTestPage(readSeed('boards'), '');
  expect(html).toContain('163 operations in 3 namespaces');
  expect(html).toContain('href="./docs/boards/v2/projects"');
  expect(html).toContain('href="./openapi.json?openapi=3.0"');
});

test('every page of both seeds has one heading of level 1 and unique ids', async () => {
  for (const name of ['boards', 'content'] as const) {
    const seed = readSeed(name);
    const render = createTestDocs(seed);
    for (const { address } of createReference(seed, name).pages) {
      const html = (await render(`/${address}`))?.text ?? '';
      expect(html.match(/<h1>/g), address).toHaveLength(1);
      const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
      expect(new Set(ids).size, address).toBe(ids.length);
    }
  }
});

describe('a hostile document', () => {
  const attack = '"\'><script>globalThis.ran = 1</script><img src=x onerror=alert(1)>\u202e\u001b[31m${x}`';
  /** Replaces every text of the operation. */
  const poison = (text: string): JsonObject => ({
    openapi: '3.1.1',
    info: { title: text, version: '1', description: text },
    'x-waygate': { namespaces: ['a/v1', text] },
    paths: {
      [`/a/v1/${text}/{${text}}`]: {
        post: {
          operationId: text,
          summary: text,
          description: text,
          'x-waygate-error-codes': [text],
          parameters: [
            {
              name: text,
              in: text,
              description: text,
              schema: { type: text, enum: [text], pattern: text, default: text },
            },
          ],
          requestBody: {
            content: {
              [text]: {
                schema: { type: 'object', properties: { [text]: { description: text, default: text } } },
              },
            },
          },
          responses: { [text]: { description: text, content: { [text]: { schema: { $ref: text } } } } },
        },
      },
    },
  });

  /** The tags of a page without their texts. */
  const shapeOf = (html: string): string => html.replace(/>[^<]*</g, '><').replace(/="[^"]*"/g, '=""');

  async function renderAll(document: JsonObject): Promise<readonly string[]> {
    const render = createTestDocs(document);
    const paths = ['', '.md', '/llms.txt', '/search.json'];
    for (const { address } of createReference(document, 'x').pages)
      paths.push(`/${address}`, `/${address}.md`);
    return Promise.all(paths.map(async (path) => (await render(path))?.text ?? ''));
  }

  test('adds no tag and no attribute to a page', async () => {
    const [, , , , ...pages] = await renderAll(poison(attack));
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages.filter((text) => text.startsWith('<!doctype'))) {
      expect(page).not.toMatch(
        /<script(?! type="module" src="(?:\.\.\/)+docs\/assets\/)|<img|onerror=alert\(1\)>(?!&)/,
      );
    }
    const plain = await renderAll(poison('plain'));
    expect(shapeOf(pages.filter((text) => text.startsWith('<!doctype')).at(-1) ?? '')).toBe(
      shapeOf(plain.filter((text) => text.startsWith('<!doctype')).at(-1) ?? ''),
    );
  });

  test('adds no markup to Markdown', async () => {
    const pages = await renderAll(poison(attack));
    for (const page of pages.filter((text) => text.startsWith('#'))) {
      const outsideOfCode = page
        .replace(/^(`{3,})[\s\S]*?^\1$/gm, '')
        .replace(/(?<![`\\])(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
      expect(outsideOfCode).not.toMatch(/(?<!\\)<(?:script|img)/);
    }
  });

  test.each([
    '__proto__',
    'constructor',
    'toString',
    '',
    ' ',
    '\0',
    '{}',
    '🙂'.repeat(3),
    'a'.repeat(1_000_000),
  ])('can consist of the text %#', async (text) => {
    const started = performance.now();
    const pages = await renderAll(poison(text));
    expect(Math.max(...pages.map((page) => page.length))).toBeLessThan(400_000);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('can have schemas that refer to themselves, deeply and widely', async () => {
    let deep: Json = { type: 'string' };
    for (let depth = 0; depth < 2_000; depth += 1) deep = { type: 'object', properties: { a: deep } };
    const wide = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { type: 'string' }]),
    );
    const document: JsonObject = {
      ...createFlatDocument(['/a/v1/b'], ['a/v1']),
      paths: {
        '/a/v1/b': {
          post: {
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Loop' } } },
            },
            responses: {
              200: { content: { 'application/json': { schema: deep } } },
              201: { content: { 'application/json': { schema: { type: 'object', properties: wide } } } },
              202: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Loop' } } } },
            },
          },
        },
      },
      components: {
        schemas: {
          Loop: {
            type: 'object',
            allOf: [{ $ref: '#/components/schemas/Loop' }],
            properties: {
              again: { $ref: '#/components/schemas/Loop' },
              all: { type: 'array', items: { $ref: '#/components/schemas/Loop' } },
            },
          },
        },
      },
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
      { numRuns: 60 },
    );
  });
});

test('the pages of a document with 1,200 operations are small', async () => {
  const index = readIndex(JSON.stringify(createLargeIndex('https://example.com'))).index;
  const { document } = toOpenApi({ address: PRETTY_ADDRESS, index, diagnostics: [] });
  const content: JsonObject = JSON.parse(JSON.stringify(document));
  const render = createTestDocs(content);
  const { pages } = createReference(content, 'Large');
  expect(pages.length).toBeGreaterThan(200);
  const overview = (await render(''))?.text.length ?? 0;
  expect(overview).toBeLessThan(150_000);
  for (const { address } of pages.filter((_, at) => at % 40 === 0)) {
    expect((await render(`/${address}`))?.text.length).toBeLessThan(400_000);
  }
});

test('a document with 10,000 operations has pages that grow with their resource alone', async () => {
  const paths = Array.from({ length: 2_000 }, (_, at) => [
    `/n${at % 40}/v1/r${at}`,
    `/n${at % 40}/v1/r${at}/{id}`,
  ]).flat();
  const flat = createFlatDocument(
    paths,
    Array.from({ length: 40 }, (_, at) => `n${at}/v1`),
  );
  const operation = { responses: {} };
  const large: JsonObject = {
    ...flat,
    paths: Object.fromEntries(
      paths.map((path) => [
        path,
        path.endsWith('}')
          ? { get: operation, post: operation, delete: operation }
          : { get: operation, post: operation },
      ]),
    ),
  };
  const render = createTestDocs(large);
  expect(createReference(large, 'Large').operationCount).toBe(10_000);
  const page = (await render('/n1/v1/r1'))?.text ?? '';
  expect(page.length).toBeLessThan(60_000);
  expect((await render(''))?.text.length).toBeLessThan(400_000);
});
