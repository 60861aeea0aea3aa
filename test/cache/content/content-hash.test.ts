import { expect, test } from 'vitest';
import { hashBytes } from '../../../src/cache/content/content-hash.ts';

const bytes = Uint8Array.from({ length: 64 }, (_, index) => index * 37);

test('equal bytes have the same hash, at any offset of their buffer', () => {
  for (let length = 0; length <= bytes.length; length += 1) {
    const expected = hashBytes(bytes.slice(0, length));
    expect(Number.isSafeInteger(expected)).toBe(true);
    for (const offset of [0, 1, 2, 3]) {
      const buffer = Buffer.alloc(offset + length + 5);
      buffer.set(bytes.subarray(0, length), offset);
      expect(hashBytes(buffer.subarray(offset, offset + length))).toBe(expected);
    }
  }
});

test('a change of one byte, of the length or of the seed changes the hash', () => {
  const hashes = new Set([hashBytes(bytes), hashBytes(bytes, 1), hashBytes(bytes.subarray(1))]);
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = bytes.slice();
    changed[index] = (changed[index] ?? 0) ^ 1;
    hashes.add(hashBytes(changed));
  }
  expect(hashes.size).toBe(3 + bytes.length);
});
