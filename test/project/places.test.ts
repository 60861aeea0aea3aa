import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './source-files.ts';

test('docs/internals/places.md names the places of `npm run places`, each with its command, and no other', () => {
  const table = readFileSync(join(ROOT, 'docs/internals/places.md'), 'utf8');
  const rows = [...table.matchAll(/^\| (\S+) \|.*\| `npm run places -- --only (\S+)` \|/gm)];
  const script = readFileSync(join(ROOT, 'scripts/places/places.mjs'), 'utf8');
  const names = Array.from(script.matchAll(/^ {4}name: '(\S+)',$/gm), ([, name]) => name);
  expect(names.length).toBeGreaterThan(2);
  expect(rows.map(([, place]) => place)).toEqual(names);
  expect(rows.map(([, , only]) => only)).toEqual(names);
  const files = Array.from(table.matchAll(/--project \w+ (\S+)`/g), ([, file = '']) => file);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
