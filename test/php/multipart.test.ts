import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMultipartReader } from '../../src/php/multipart.ts';
import { parseMultipartBoundary } from '../../src/php/multipart-header.ts';
import type { PhpArray } from '../../src/php/variables.ts';
import { BODIES, bytes, disposition, part, whole } from './multipart-cases.ts';

const LIMIT = 64 * 1024;

function read(body: string, size = Number.POSITIVE_INFINITY): unknown {
  const reader = createMultipartReader('b', LIMIT);
  const given = bytes(body);
  for (let at = 0; at < given.length; at += size) reader.write(given.subarray(at, at + size));
  const { variables, complete } = reader.end();
  return complete ? plain(variables) : null;
}

function plain(values: PhpArray): unknown {
  return Object.fromEntries([...values].map(([k, v]) => [k, typeof v === 'string' ? v : plain(v)]));
}

describe('a form of parts is read by the grammar of PHP', () => {
  test.each(BODIES)('%s', (_, body, expected) => {
    expect(read(body)).toEqual(expected);
  });

  test.each(BODIES)('in whatever pieces it comes: %s', (_, body, expected) => {
    for (const size of [1, 2, 7, 64]) expect(read(body, size), `${size} bytes`).toEqual(expected);
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
])('the boundary of %s', (contentType, expected) => {
  expect(parseMultipartBoundary(contentType)).toBe(expected);
});

describe('hostile forms', () => {
  test('a file of a gibibyte goes past in constant memory', () => {
    const reader = createMultipartReader('b', LIMIT);
    reader.write(bytes(`--b\r\n${disposition('name="f"; filename="x"')}\r\n\r\n`));
    const chunk = new Uint8Array(64 * 1024).map((_, at) => at * 7);
    reader.write(chunk);
    const before = process.memoryUsage().arrayBuffers;
    for (let sent = 0; sent < 2 ** 30; sent += chunk.length) reader.write(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
    reader.write(bytes(`\r\n--b\r\n${disposition('name="after"')}\r\n\r\n1\r\n--b--`));
    expect(plain(reader.end().variables)).toEqual({ after: '1' });
  });

  test('of a million fields nothing is said', () => {
    const reader = createMultipartReader('b', LIMIT);
    const thousand = bytes(part('a', '1').repeat(1000));
    for (let sent = 0; sent < 1000; sent++) reader.write(thousand);
    expect(reader.end().complete).toBe(false);
  });

  test.each([
    ['a field that is longer than what is held', whole(part('a', 'x'.repeat(LIMIT)))],
    ['a name that is longer than what is held', whole(part('a'.repeat(LIMIT), ''))],
    ['a header of many lines', `--b\r\nContent-Disposition: form-data\r\n${' x\r\n'.repeat(LIMIT)}`],
    ['a thousand and twenty-one files', whole(part('a', '', 'f').repeat(1021))],
  ])('of %s nothing is said', (_, body) => {
    expect(read(body)).toBeNull();
  });

  test('many beginnings of a boundary take linear time', () => {
    const started = performance.now();
    read(`--b\r\n${disposition('name="f"; filename="x"')}\r\n\r\n${'\r\n--'.repeat(500_000)}`);
    expect(performance.now() - started).toBeLessThan(4000);
  });
});

test('any bytes are read without an error, and alike in any pieces', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '--b',
      '\r\n',
      '\n',
      '--',
      'Content-Disposition: ',
      'form-data',
      '; ',
      'name=',
      'filename=',
    ),
    fc.constantFrom('"a"', 'a[b]', '"', "'", '\\', ':', ' ', '\0', 'x', '\r', '\t', '[', ']', '='),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (pieces, size) => {
      const body = pieces.join('');
      expect(read(body, size)).toEqual(read(body));
    }),
  );
});
