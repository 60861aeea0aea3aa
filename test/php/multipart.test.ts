import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MultipartReader, parseMultipartBoundary } from '../../src/php/multipart.ts';
import type { PhpArray } from '../../src/php/query.ts';
import { bytes, disposition, MULTIPART_CASES, MULTIPART_PIECES, part, whole } from './multipart-cases.ts';

const LIMIT = 64 * 1024;

function parseMultipart(body: string, size = Number.POSITIVE_INFINITY): unknown {
  const reader = new MultipartReader('b', LIMIT);
  const input = bytes(body);
  for (let offset = 0; offset < input.length; offset += size)
    reader.write(input.subarray(offset, offset + size));
  const { variables, isComplete } = reader.end();
  return isComplete ? toPlainObject(variables) : null;
}

function toPlainObject(values: PhpArray): unknown {
  return Object.fromEntries([...values].map(([k, v]) => [k, typeof v === 'string' ? v : toPlainObject(v)]));
}

describe('a multipart body is parsed by the grammar of PHP', () => {
  test.each(MULTIPART_CASES)('with %s', (_, body, expected) => {
    expect(parseMultipart(body)).toEqual(expected);
  });

  test.each(MULTIPART_CASES)('in chunks of any size: %s', (_, body, expected) => {
    for (const size of [1, 2, 7, 64]) expect(parseMultipart(body, size), `${size} bytes`).toEqual(expected);
  });
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
    const reader = new MultipartReader('b', LIMIT);
    reader.write(bytes(`--b\r\n${disposition('name="f"; filename="x"')}\r\n\r\n`));
    const chunk = new Uint8Array(64 * 1024).map((_, offset) => offset * 7);
    reader.write(chunk);
    const before = process.memoryUsage().arrayBuffers;
    for (let sent = 0; sent < 2 ** 30; sent += chunk.length) reader.write(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
    reader.write(bytes(`\r\n--b\r\n${disposition('name="after"')}\r\n\r\n1\r\n--b--`));
    expect(toPlainObject(reader.end().variables)).toEqual({ after: '1' });
  });

  test('a million fields are reported as incomplete', () => {
    const reader = new MultipartReader('b', LIMIT);
    const thousand = bytes(part('a', '1').repeat(1000));
    for (let sent = 0; sent < 1000; sent++) reader.write(thousand);
    expect(reader.end().isComplete).toBe(false);
  });

  test.each([
    ['a field above the limit', whole(part('a', 'x'.repeat(LIMIT)))],
    ['a name above the limit', whole(part('a'.repeat(LIMIT), ''))],
    [
      'a header of one long line',
      `--b\r\n${disposition(`name="x"${';a=b'.repeat(5000)}`)}\r\n\r\n1\r\n--b--`,
    ],
    [
      'a header of many fields',
      `--b\r\n${'a:b\r\n'.repeat(5000)}${disposition('name="x"')}\r\n\r\n1\r\n--b--`,
    ],
    ['a header of many lines', `--b\r\nContent-Disposition: form-data\r\n${' x\r\n'.repeat(LIMIT)}`],
    ['1,021 files', whole(part('a', '', 'f').repeat(1021))],
  ])('%s is reported as incomplete', (_, body) => {
    expect(parseMultipart(body)).toBeNull();
  });

  test('many partial boundaries take linear time', () => {
    const head = `--b\r\n${disposition('name="f"; filename="x"')}\r\n\r\n`;
    expect(() => parseMultipart(head + '\r\n--'.repeat(500_000))).not.toThrow();
  });
});

test('no input throws, and the result does not depend on chunk boundaries', () => {
  const piece = fc.constantFrom(...MULTIPART_PIECES);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (pieces, size) => {
      const body = pieces.join('');
      expect(parseMultipart(body, size)).toEqual(parseMultipart(body));
    }),
  );
});
