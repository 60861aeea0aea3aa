import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFileIfPresent, writeFiles } from '../../src/cli/output-files.ts';
import { useFolder } from '../support/folder.ts';

const folder = useFolder();

const FILES: ReadonlyMap<string, () => Iterable<string>> = new Map([
  ['a.txt', () => ['new', ' a']],
  ['b.txt', () => ['new b']],
]);

describe('writing files', () => {
  test('replaces no file if the content of one cannot be written, and leaves nothing behind', async () => {
    await writeFile(join(folder(), 'a.txt'), 'old a');
    const blocked = '.b.txt.part';
    await mkdir(join(folder(), blocked));
    await expect(writeFiles(folder(), FILES)).rejects.toThrow('cannot write to');
    expect(await readFile(join(folder(), 'a.txt'), 'utf8')).toBe('old a');
    expect((await readdir(folder())).sort()).toEqual([blocked, 'a.txt']);
  });

  test('neither follows nor replaces a symbolic link, and replaces nothing then', async () => {
    const outside = join(folder(), 'outside.txt');
    const inside = join(folder(), 'out');
    await mkdir(inside);
    await writeFile(outside, 'theirs');
    await symlink(outside, join(inside, 'b.txt'));
    await expect(writeFiles(inside, FILES)).rejects.toThrow(
      `cannot write to ${inside}: b.txt is a symbolic link. Remove it, or give --out the folder that it leads to`,
    );
    expect(await readFile(outside, 'utf8')).toBe('theirs');
    expect(await readdir(inside)).toEqual(['b.txt']);
  });

  test('follows a link to the folder, and none in place of a temporary file', async () => {
    const outside = join(folder(), 'outside.txt');
    await mkdir(join(folder(), 'real'));
    await writeFile(outside, 'theirs');
    await symlink(outside, join(folder(), 'real', '.a.txt.part'));
    await symlink('real', join(folder(), 'out'));
    await writeFiles(join(folder(), 'out'), FILES);
    expect(await readFile(outside, 'utf8')).toBe('theirs');
    expect((await readdir(join(folder(), 'real'))).sort()).toEqual(['a.txt', 'b.txt']);
    expect(await readFile(join(folder(), 'real', 'a.txt'), 'utf8')).toBe('new a');
  });

  test.each(['file', 'file/below'])('says that %s is no folder', async (path) => {
    await writeFile(join(folder(), 'file'), '');
    const target = join(folder(), path);
    expect(await readFileIfPresent(join(target, 'a.txt'))).toBeNull();
    await expect(writeFiles(target, FILES)).rejects.toThrow(
      `cannot write to ${target}: it is a file, or is below one. Give --out a folder.`,
    );
  });
});
