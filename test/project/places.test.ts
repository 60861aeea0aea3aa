import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './source-files.ts';

test('docs/internals/places.md names the places of `npm run places`, and no other', () => {
  const table = readFileSync(join(ROOT, 'docs/internals/places.md'), 'utf8');
  const rows = Array.from(table.matchAll(/^\| (?!place)([\w-]+) \|/gm), ([, place]) => place);
  const script = readFileSync(join(ROOT, 'scripts/places/places.mjs'), 'utf8');
  const names = Array.from(script.matchAll(/^ {4}name: '(\S+)',$/gm), ([, name]) => name);
  expect(names.length).toBeGreaterThan(2);
  expect(rows).toEqual(names);
});
