import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stateFolder } from '../../src/node/state-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waygate-state-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a written state is read by its name, and the folder is created', async () => {
  const store = stateFolder(join(folder, 'new'));
  await store.write('validation.blog', 'one');
  await store.write('validation.blog', 'two');
  expect(await store.read('validation.blog')).toBe('two');
  expect(await readdir(join(folder, 'new'))).toEqual(['validation.blog.json']);
});

test('a state that was never written is null', async () => {
  expect(await stateFolder(folder).read('validation')).toBeNull();
  expect(await stateFolder(join(folder, 'none')).read('validation')).toBeNull();
});

test('a read error is not an empty state', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(stateFolder(join(folder, 'file')).read('validation')).rejects.toThrow('ENOTDIR');
});

test('an unreadable state is renamed and kept', async () => {
  const store = stateFolder(folder, () => Date.UTC(2026, 0, 2, 3, 4, 5));
  await store.write('validation', 'broken');
  const aside = await store.putAside('validation');
  expect(aside).toBe(join(folder, 'validation.json.20260102T030405000Z.unreadable'));
  expect(await readFile(aside, 'utf8')).toBe('broken');
  expect(await store.read('validation')).toBeNull();
});
