import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { DocsAsset, DocsCoding } from '../../src/ui/assets.ts';
import { loadDocsAssets } from '../../src/ui/packaged-assets.ts';

const read = async (asset: DocsAsset, coding: DocsCoding) => Buffer.from((await asset.read(coding)) ?? []);

// `npm run build`, which `npm ci` runs, builds the assets. Without them every test fails with a message.
const roles = ['styleName', 'scriptName', 'searchWorkerName', 'licencesName'] as const;

describe.each(roles)('the asset of %s', (role) => {
  const load = () => {
    const assets = loadDocsAssets();
    const asset = assets.find(assets[role]);
    if (asset === undefined) throw new Error(`no ${role}`);
    return asset;
  };

  test('has the same content in every coding', async () => {
    const asset = load();
    const plain = await read(asset, 'identity');
    expect(plain.length).toBeGreaterThan(0);
    expect(plain.equals(brotliDecompressSync(await read(asset, 'br')))).toBe(true);
    expect(plain.equals(gunzipSync(await read(asset, 'gzip')))).toBe(true);
  });
});

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
  expect(loadDocsAssets().find(name)).toBeUndefined();
});

test('the integrity of the script is that of its content', async () => {
  const assets = loadDocsAssets();
  const bytes = (await assets.find(assets.scriptName)?.read('identity')) ?? new Uint8Array();
  expect(assets.scriptIntegrity).toBe(`sha256-${createHash('sha256').update(bytes).digest('base64')}`);
});

test('the script has less than 40 kB, and neither it nor the style sheet contains an address', async () => {
  const assets = loadDocsAssets();
  const texts = await Promise.all(
    [assets.scriptName, assets.styleName].map(async (name) =>
      Buffer.from((await assets.find(name)?.read('identity')) ?? []).toString(),
    ),
  );
  expect(texts.join('').length).toBeLessThan(60_000);
  expect((await assets.find(assets.scriptName)?.read('identity'))?.byteLength).toBeLessThan(40_000);
  expect(texts.join('').match(/https?:\/\/[\w.]+/g) ?? []).toEqual([]);
});

test('the licences name the package that the script contains, and its terms', async () => {
  const assets = loadDocsAssets();
  const text = Buffer.from((await assets.find(assets.licencesName)?.read('identity')) ?? []).toString();
  for (const part of ['minisearch 7.', 'Permission is hereby granted']) expect(text).toContain(part);
});
