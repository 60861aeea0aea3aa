import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFolder, prepareStateFolder, stateFolder } from '../../src/node/state-folder.ts';
import { useFolder } from '../support/folder.ts';

const folder = useFolder();

test('a written state is read by its name, and the folder is created', async () => {
  const store = stateFolder(join(folder(), 'new'));
  await store.write('validation.blog', 'one');
  await store.write('validation.blog', 'two');
  expect(await store.read('validation.blog')).toBe('two');
  expect(await readdir(join(folder(), 'new'))).toEqual(['validation.blog.json']);
});

test('a state that was never written is null', async () => {
  expect(await stateFolder(folder()).read('validation')).toBeNull();
  expect(await stateFolder(join(folder(), 'none')).read('validation')).toBeNull();
});

test('a read error is not an empty state', async () => {
  await writeFile(join(folder(), 'file'), '');
  await expect(stateFolder(join(folder(), 'file')).read('validation')).rejects.toThrow('ENOTDIR');
});

test('an unreadable state is renamed and kept', async () => {
  const store = stateFolder(folder(), () => Date.UTC(2026, 0, 2, 3, 4, 5));
  await store.write('validation', 'broken');
  const aside = await store.putAside('validation');
  expect(aside).toBe(join(folder(), 'validation.json.20260102T030405000Z.unreadable'));
  expect(await readFile(aside, 'utf8')).toBe('broken');
  expect(await store.read('validation')).toBeNull();
});

describe('a folder', () => {
  test('is created with those above it, and used if it is there', async () => {
    await createFolder(join(folder(), 'a', 'b', 'c'));
    await createFolder(join(folder(), 'a', 'b'));
    await mkdir(join(folder(), 'd'));
    await symlink(join(folder(), 'd'), join(folder(), 'link'));
    await createFolder(join(folder(), 'link', 'e'));
    expect((await stat(join(folder(), 'a', 'b', 'c'))).isDirectory()).toBe(true);
    expect(await readdir(join(folder(), 'd'))).toEqual(['e']);
  });

  test.each([
    ['file', 'it is a file'],
    ['file/below', 'it is below a file'],
    ['file/far/below', 'it is below a file'],
  ])('at %s is an error that says so', async (path, reason) => {
    await writeFile(join(folder(), 'file'), '');
    const state = join(folder(), path);
    await expect(prepareStateFolder(state)).rejects.toThrow(
      `state: ${state} cannot be used: ${reason}. Give a folder that this user may read and write.`,
    );
  });

  // `mkdir` of Node with `recursive` takes a processor for ever there.
  test.runIf(existsSync('/proc/self'))('below one that takes no entries is an error', async () => {
    await expect(prepareStateFolder('/proc/waygate/state')).rejects.toThrow(
      'the folder above it takes no entries',
    );
    await expect(stateFolder('/proc/waygate').write('validation', '{}')).rejects.toThrow('ENOENT');
  });
});
