import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claimStateFolder, prepareStateFolder, stateFolder } from '../../src/node/state-folder.ts';
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

test('a failed write leaves nothing behind', async () => {
  await mkdir(join(folder(), 'validation.json'));
  await expect(stateFolder(folder()).write('validation', 'one')).rejects.toThrow('EISDIR');
  expect(await readdir(folder())).toEqual(['validation.json']);
});

test.each([
  ['a file', 'file'],
  ['below a file', 'file/below'],
])('a folder that is %s is an error that says so', async (_, path) => {
  await writeFile(join(folder(), 'file'), '');
  await expect(prepareStateFolder(join(folder(), path))).rejects.toThrow(
    /^state: .* Give a folder that this user can read and write\.$/,
  );
});

describe('two gateways that write one folder', () => {
  const collect = () => {
    const lines: { readonly facts: object; readonly message: string }[] = [];
    return { lines, warn: (facts: object, message: string): void => void lines.push({ facts, message }) };
  };

  test('are told so when the second one starts', async () => {
    const [first, second] = [collect(), collect()];
    const claims = [await claimStateFolder(folder(), first), await claimStateFolder(folder(), second)];
    expect(first.lines).toEqual([]);
    expect(second.lines).toEqual([
      { facts: { pid: process.pid }, message: expect.stringContaining('another gateway') },
    ]);
    expect(claims.map(({ hasCrashed }) => hasCrashed)).toEqual([false, false]);
    await claims[0]?.release();
    expect(await readdir(folder())).toEqual(['.gateway']);
    await claims[1]?.release();
    expect(await readdir(folder())).toEqual([]);
  });

  const noteOf = (pid: number, host = hostname()): string => JSON.stringify({ id: 'a', host, pid });
  test.each([
    ['a gateway that was killed', noteOf(2 ** 22 + 1)],
    ['one that had the same number', noteOf(process.pid)],
    ['one of another host', noteOf(1, 'b')],
    ['nobody, as it is no JSON', '{'],
  ])('a note of %s says that it has crashed, and is no reason to warn', async (_, note) => {
    const path = join(folder(), '.gateway');
    await writeFile(path, note);
    await utimes(path, 0, 0);
    const log = collect();
    const { hasCrashed, release } = await claimStateFolder(folder(), log);
    await release();
    expect([hasCrashed, log.lines]).toEqual([true, []]);
  });
});

test('a write replaces a link, and not what it leads to', async () => {
  const target = join(folder(), 'foreign');
  await writeFile(target, 'foreign');
  await symlink(target, join(folder(), 'document.json'));
  await symlink(target, join(folder(), `document.json.${process.pid}.part`));
  const store = stateFolder(folder());
  expect(await store.read('document')).toBe('foreign');
  await store.write('document', 'own');
  expect([await readFile(target, 'utf8'), await store.read('document')]).toEqual(['foreign', 'own']);
});
