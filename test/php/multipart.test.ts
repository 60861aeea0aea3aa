import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MultipartReader, parseMultipartBoundary } from '../../src/php/multipart.ts';
import { mangleVariableName } from '../../src/php/query.ts';
import { bytes, disposition, MULTIPART_CASES, MULTIPART_PIECES } from './multipart-cases.ts';

/** Returns the names of the variables in a body, as PHP writes them; `null` if it cannot be read. */
function findNames(body: string, size = Number.POSITIVE_INFINITY): readonly string[] | null {
  const names: string[] = [];
  const reader = new MultipartReader('b', (name) =>
    names.push(mangleVariableName(name.replace(/^ +/, '')).name),
  );
  const input = bytes(body);
  for (let offset = 0; offset < input.length; offset += size)
    reader.write(input.subarray(offset, offset + size));
  reader.end();
  return reader.isUnreadable ? null : names;
}

test.each(MULTIPART_CASES)('each variable that PHP registers is found: %s', (_, body, expected) => {
  const names = findNames(body);
  expect(names).toEqual(expect.arrayContaining(Object.keys(Object(expected))));
  for (const size of [1, 2, 7, 64]) expect(findNames(body, size), `${size} bytes`).toEqual(names);
});

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data; boundary="a;b"', 'a;b'],
  ['multipart/form-data; boundary=abc; charset=utf-8', 'abc'],
  ['multipart/form-data; boundary=abc, x', 'abc'],
  ['multipart/form-data; BOUNDARY=Abc', 'Abc'],
  ['multipart/form-data; xboundaryx=abc', 'abc'],
  ['multipart/form-data; boundary=', ''],
  ['multipart/form-data; boundary="abc', null],
  ['multipart/form-data; boundary', null],
  ['multipart/form-data', null],
])('the boundary of %s is found as in PHP', (contentType, expected) => {
  expect(parseMultipartBoundary(contentType)).toBe(expected);
});

describe('hostile forms', () => {
  test('a file of 1 GiB is skipped in constant memory', () => {
    const names: string[] = [];
    const reader = new MultipartReader('b', (name) => names.push(name));
    reader.write(bytes(`--b\r\n${disposition('name="f"; filename="x"')}\r\n\r\n`));
    const chunk = new Uint8Array(64 * 1024).map((_, offset) => offset * 7);
    reader.write(chunk);
    const before = process.memoryUsage().arrayBuffers;
    for (let sent = 0; sent < 2 ** 30; sent += chunk.length) reader.write(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
    reader.write(bytes(`\r\n--b\r\n${disposition('name="after"')}\r\n\r\n1\r\n--b--`));
    reader.end();
    expect(names).toEqual(['after']);
  });

  test.each([
    [
      'a header of one long line',
      `--b\r\n${disposition(`name="x"${';a=b'.repeat(5000)}`)}\r\n\r\n1\r\n--b--`,
    ],
    [
      'a header of many fields',
      `--b\r\n${'a:b\r\n'.repeat(5000)}${disposition('name="x"')}\r\n\r\n1\r\n--b--`,
    ],
    ['a header of many lines', `--b\r\nContent-Disposition: form-data\r\n${' x\r\n'.repeat(65_536)}`],
  ])('%s is unreadable', (_, body) => {
    expect(findNames(body)).toBeNull();
  });

  test('many partial boundaries take linear time', () => {
    const head = `--b\r\n${disposition('name="f"; filename="x"')}\r\n\r\n`;
    expect(() => findNames(head + '\r\n--'.repeat(500_000))).not.toThrow();
  });
});

test('no input throws, and the result does not depend on chunk boundaries', () => {
  const piece = fc.constantFrom(...MULTIPART_PIECES);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (pieces, size) => {
      const body = pieces.join('');
      expect(findNames(body, size)).toEqual(findNames(body));
    }),
  );
});
