import { describe, expect, test } from 'vitest';
import { ChunkCollector, prependChunks } from '../../src/http/chunks.ts';

const bytes = (length: number, from = 0): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (from + index) % 251);

function collect(lengths: readonly number[]): { readonly collector: ChunkCollector; readonly all: number[] } {
  const collector = new ChunkCollector();
  const all: number[] = [];
  for (const length of lengths) {
    const chunk = bytes(length, all.length);
    all.push(...chunk);
    collector.push(chunk);
  }
  return { collector, all };
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
    const { all, collector } = collect(lengths);
    expect(collector.length).toBe(all.length);
    expect([...collector.concat()]).toEqual(all);
    expect(collector.length).toBe(0);
  });

  test('single bytes take blocks of memory instead of an object each', () => {
    const { collector } = collect(Array.from({ length: 200_000 }, () => 1));
    expect(collector.take().length).toBeLessThan(10);
  });

  test('the first block of a short body is small', () => {
    const { collector } = collect([10, 10]);
    expect(collector.take()[1]?.buffer.byteLength).toBe(4096);
  });

  test('a single chunk is not copied', () => {
    const collector = new ChunkCollector();
    const chunk = bytes(10);
    collector.push(chunk);
    expect(collector.concat()).toBe(chunk);
  });

  test('chunks that were read before are dropped as they are read again', async () => {
    const readBefore = [bytes(1), bytes(2)];
    const all = prependChunks(readBefore, (async function* () {})());
    await all.next();
    expect(readBefore.length).toBe(1);
  });
});
