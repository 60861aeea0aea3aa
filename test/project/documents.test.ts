import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './source-files.ts';

/** Matches a code span or link target that is a path of this repository. A path with a placeholder or glob is skipped. */
const REPOSITORY_PATH = /(?:`|\]\()((?:src|test|scripts)\/[\w./-]*)(?:`|#[\w-]*\)|\))/g;

describe.each([
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/security.md',
  'docs/caching.md',
  'docs/client.md',
  'docs/commands.md',
  'docs/operating.md',
])('%s', (document) => {
  test('contains only paths that exist', () => {
    const text = readFileSync(join(ROOT, document), 'utf8');
    const paths = [...text.matchAll(REPOSITORY_PATH)].map(([, path = '']) => path);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

test('the documents contain paths of this repository', () => {
  const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
  expect([...text.matchAll(REPOSITORY_PATH)].length).toBeGreaterThan(5);
});
