import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { loadDocsAssets } from '../../../src/pages/ui/packaged-assets.ts';

// The build, which `npm ci` runs, makes the assets. Without them every test fails with a message.
const assets = await loadDocsAssets();
const read = (name: string): Buffer => Buffer.from(assets.find(name)?.text ?? '');

test.each([
  '',
  '.',
  '..',
  '../assets.js',
  'manifest.json',
  'docs.js',
  '__proto__',
  'constructor',
  'docs-1.js\0',
])('there is no asset %j', (name) => {
  expect(assets.find(name)).toBeUndefined();
});

test('the integrity of the script is that of its content', () => {
  const hash = createHash('sha256').update(read(assets.scriptName)).digest('base64');
  expect(assets.scriptIntegrity).toBe(`sha256-${hash}`);
});

test('the script has less than 40 kB, and neither it nor the style sheet contains an address', () => {
  const script = read(assets.scriptName).toString();
  const text = script + read(assets.styleName).toString();
  expect(script.length).toBeLessThan(40_000);
  expect(text.length).toBeLessThan(60_000);
  expect(text.match(/https?:\/\/[\w.]+/g) ?? []).toEqual([]);
});

test('the licences name the package that the script contains, and its terms', () => {
  const text = read(assets.licencesName).toString();
  for (const part of ['minisearch 7.', 'Permission is hereby granted']) expect(text).toContain(part);
});
