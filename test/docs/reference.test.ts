import { describe, expect, test } from 'vitest';
import { createReference } from '../../src/docs/reference.ts';
import type { JsonObject } from '../../src/json.ts';
import { createFlatDocument, readSeed } from '../support/documents.ts';

const boards = createReference(readSeed('boards'), 'Boards');
const content = createReference(readSeed('content'), 'Content');

describe('the tree of resources', () => {
  test.each([
    [
      'GET',
      '/boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks',
      'boards/v2/projects/tasks/time-tracks',
    ],
    ['PUT', '/boards/v2/projects/{board_id}/archive-board', 'boards/v2/projects'],
    ['GET', '/boards/v2/roadmaps/{board_id}/popular-ideas', 'boards/v2/roadmaps'],
  ])('%s %s belongs to %s', (method, path, address) => {
    const page = boards.pages.find(({ operations }) =>
      operations.some((operation) => operation.method === method && operation.path === path),
    );
    expect(page?.address).toBe(address);
  });

  test('has the largest namespaces first, and what no namespace contains last', () => {
    const titles = content.namespaces.map(({ title }) => title);
    expect(titles.slice(0, 2)).toEqual(['core/v2', 'ext-a/v1']);
    expect(titles.at(-1)).toBe('Site');
  });
});

describe('addresses', () => {
  test('are the same for the same document, whatever else it has', () => {
    const seed = readSeed('content');
    const more: JsonObject = {
      '/core/v2/zebras': { get: { operationId: 'listZebras', summary: 'List zebras' } },
    };
    const paths = seed['paths'];
    const grown = createReference({ ...seed, paths: { ...more, ...(paths as JsonObject) } }, 'Content');
    const known = content.pages.map(({ address }) => address);
    expect(known.filter((address) => grown.find(address) === undefined)).toEqual([]);
  });

  test('are unique, also without regard to case, and need no encoding', () => {
    const paths = ['b', 'B', 'b%20', '../x', '🙂', '__proto__', 'x.md'].map((name) => `/a/v1/${name}`);
    const reference = createReference(createFlatDocument(paths, ['a/v1']), 'Hostile');
    const all = reference.pages.map(({ address }) => address);
    expect(new Set(all.map((address) => address.toLowerCase())).size).toBe(all.length);
    for (const address of all) expect(address).toMatch(/^[A-Za-z0-9_.~/-]+(?<!\.md)$/);
    for (const page of reference.pages) expect(reference.find(page.address)).toBe(page);
  });

  test('of a namespace has precedence over a resource', () => {
    const shop = createFlatDocument(['/wc/v3', '/wc/v3/a', '/wc/x'], ['wc', 'wc/v3']);
    expect(createReference(shop, 'Shop').find('wc/v3')?.kind).toBe('namespace');
  });
});

test('older versions of a namespace follow the others, and name the current one', () => {
  const names = ['wc/v1', 'wc/v2', 'wc/v3', 'wc/store', 'wc/store/v1', 'wp/v2'];
  // wp/v3 has fewer routes than wp/v2, so it replaces nothing.
  const paths = names.flatMap((name) => [`/${name}/orders`, `/${name}/orders/{id}`]);
  const shop = createFlatDocument([...paths, '/wc/v3/more', '/wp/v3/new'], [...names, 'wp/v3']);
  const { namespaces } = createReference(shop, 'Shop');
  expect(namespaces.map(({ name, successor }) => [name, successor])).toEqual([
    ['wc/v3', undefined],
    ['wc/store/v1', undefined],
    ['wp/v2', undefined],
    ['wp/v3', undefined],
    ['wc/v1', 'wc/v3'],
    ['wc/v2', 'wc/v3'],
    ['wc/store', 'wc/store/v1'],
  ]);
});
