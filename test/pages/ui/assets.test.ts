import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { findAsset, loadDocsAssets } from '../../../src/pages/ui/packaged-assets.ts';

// The build, which `npm ci` runs, makes the assets. Without them every test fails with a message.
const { licences, script, style } = await loadDocsAssets();

test.each(['', '../assets.js', 'docs.js', 'script', '__proto__'])('there is no asset %j', async (name) => {
  expect(await findAsset(name)).toBeUndefined();
});

test('the integrity of the script is that of its content', () => {
  const hash = createHash('sha256').update(script.text).digest('base64');
  expect(script.integrity).toBe(`sha256-${hash}`);
});

test('the script has less than 40 kB, and neither it nor the style sheet contains an address', () => {
  const text = script.text + style.text;
  expect(script.text.length).toBeLessThan(40_000);
  expect(text.length).toBeLessThan(60_000);
  expect(text.match(/https?:\/\/[\w.]+/g) ?? []).toEqual([]);
});

test('the licences name the package that the script contains, and its terms', () => {
  for (const part of ['minisearch 7.', 'Permission is hereby granted']) expect(licences.text).toContain(part);
});
