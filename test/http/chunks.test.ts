import { describe, expect, test } from 'vitest';
import { BodyBuffer, prependChunks } from '../../src/http/chunks.ts';

const bytes = (length: number, from = 0): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (from + index) % 251);

function collect(lengths: readonly number[]): { readonly buffer: BodyBuffer; readonly all: number[] } {
  const buffer = new BodyBuffer();
  const all: number[] = [];
  for (const length of lengths) {
    const chunk = bytes(length, all.length);
    all.push(...chunk);
    buffer.add(chunk);
  }
  return { buffer, all };
}

describe('collected chunks', () => {
  test.each([
    ['none', []],
    ['one', [10]],
    ['small ones', [1, 2, 3000, 4000, 1]],
    ['large ones', [5000, 70_000, 4096]],
    ['small ones between large ones', [1, 5000, 2, 3, 70_000, 4]],
    ['single bytes', Array.from({ length: 200_000 }, () => 1)],
  ])('%s are joined in order', (_, lengths) => {
    const { all, buffer } = collect(lengths);
    expect(buffer.length).toBe(all.length);
    expect([...buffer.bytes()]).toEqual(all);
    expect([...buffer.bytes()]).toEqual(all);
  });

  test('are read in parts while they arrive, and a part that was read never changes', () => {
    const { all, buffer } = collect([3, 5000, 2, 3]);
    const read: Uint8Array[] = [];
    let position = 0;
    const readAll = (): void => {
      for (let part = buffer.read(position); part.length > 0; part = buffer.read(position)) {
        read.push(part);
        position += part.length;
      }
    };
    readAll();
    const known = [...(read.at(-1) ?? [])];
    buffer.add(bytes(4, all.length));
    expect([...(read.at(-1) ?? [])]).toEqual(known);
    readAll();
    expect(read.flatMap((part) => [...part])).toEqual([...all, ...bytes(4, all.length)]);
  });

  test('a chunk that would exceed the limit is not added', () => {
    const buffer = new BodyBuffer(10);
    expect([buffer.add(bytes(6)), buffer.add(bytes(5)), buffer.add(bytes(4))]).toEqual([true, false, true]);
    expect(buffer.bytes().length).toBe(10);
  });

  test('chunks that were read before are dropped as they are read again', async () => {
    const readBefore = [bytes(1), bytes(2)];
    const all = prependChunks(readBefore, (async function* () {})());
    await all.next();
    expect(readBefore.length).toBe(1);
  });
});
