import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import {
  claimStateFolder,
  createFolder,
  findCrashedWriter,
  prepareStateFolder,
  stateFolder,
} from '../../src/node/state-folder.ts';
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

describe('two gateways that write one folder', () => {
  const collect = () => {
    const lines: { readonly facts: object; readonly message: string }[] = [];
    return { lines, warn: (facts: object, message: string): void => void lines.push({ facts, message }) };
  };

  test('are both told so, once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const [first, second] = [collect(), collect()];
    const releaseFirst = await claimStateFolder(folder(), first);
    const releaseSecond = await claimStateFolder(folder(), second);
    for (let looks = 0; looks < 3; looks++) {
      vi.advanceTimersByTime(10_000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    vi.useRealTimers();
    for (const { lines } of [first, second]) {
      expect(lines).toEqual([
        {
          facts: { host: hostname(), pid: process.pid },
          message: expect.stringContaining('another gateway'),
        },
      ]);
    }
    await releaseFirst();
    expect(await readdir(folder())).toEqual(['.gateway']);
    await releaseSecond();
    expect(await readdir(folder())).toEqual([]);
  });

  test.each([
    ['a gateway that has ended', JSON.stringify({ id: 'a', host: hostname(), pid: 2 ** 22 + 1 })],
    ['one that had the same number', JSON.stringify({ id: 'a', host: hostname(), pid: process.pid })],
    ['a gateway of another host that has ended', JSON.stringify({ id: 'a', host: 'b', pid: 1 })],
    ['anything else', '[]'],
    ['no JSON', '{'],
  ])('a note of %s is no reason to warn', async (_, note) => {
    const path = join(folder(), '.gateway');
    await writeFile(path, note);
    await utimes(path, 0, 0);
    const log = collect();
    await (await claimStateFolder(folder(), log))();
    expect(log.lines).toEqual([]);
  });

  test.each([
    ['a gateway that was killed', { id: 'a', host: hostname(), pid: 2 ** 22 + 1 }, 'a'],
    ['one that runs', { id: 'a', host: hostname(), pid: process.ppid }, undefined],
    ['one of another host', { id: 'a', host: 'b', pid: 1 }, undefined],
    ['nobody', [], ''],
  ])('a note of %s says who has crashed', async (_, note, id) => {
    await writeFile(join(folder(), '.gateway'), JSON.stringify(note));
    expect(await findCrashedWriter(folder())).toBe(id);
  });

  test('a note of a running gateway of another host is one', async () => {
    await writeFile(join(folder(), '.gateway'), JSON.stringify({ id: 'a', host: 'b', pid: 1 }));
    const log = collect();
    await (await claimStateFolder(folder(), log))();
    expect(log.lines).toMatchObject([{ facts: { host: 'b', pid: 1 } }]);
  });
});

describe('a folder with links and foreign files', () => {
  test.each<[string, (path: string) => Promise<unknown>]>([
    ['a pipe', (path) => promisify(execFile)('mkfifo', [path])],
    ['a link to a device without an end', (path) => symlink('/dev/zero', path)],
    ['a folder', (path) => mkdir(path)],
    ['a link to itself', (path) => symlink(path, path)],
  ])('is read without an end to wait for: %s', async (_, create) => {
    await create(join(folder(), 'document.json'));
    await expect(stateFolder(folder()).read('document')).rejects.toThrow(/is no file|ELOOP/);
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
});
