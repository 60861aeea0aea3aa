import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFormScan, parseMultipartBoundary } from '../../../src/base/php/form-scan.ts';
import { bytes, disposition, MULTIPART_CASES, MULTIPART_PIECES } from './multipart-cases.ts';

const MULTIPART = 'multipart/form-data; boundary=b';

function scan(body: string, variable: string, size = Number.POSITIVE_INFINITY, type = MULTIPART): string {
  const form = createFormScan(type, variable);
  const input = bytes(body);
  for (let offset = 0; offset < input.length; offset += size) {
    const result = form?.write(input.subarray(offset, offset + size)) ?? '';
    if (result !== 'absent') return result;
  }
  return form?.end() ?? '';
}

test.each(MULTIPART_CASES)('each variable that PHP registers is found: %s', (_, body, names = 'a') => {
  for (const name of names.match(/\w+/g) ?? [])
    for (const size of [1, 2, 7, 64, Number.POSITIVE_INFINITY])
      expect(scan(body, name, size), `${name}, ${size} bytes`).not.toBe('absent');
});

test.each([
  ['a value', `--b\r\n${disposition('name=a')}\r\n\r\nname="rest_route"\r\n--b--`],
  ['a file', `--b\r\n${disposition('name=a; filename=f')}\r\n\r\n\n\nname="rest_route"\r\n--b--`],
  ['another name', `--b\r\n${disposition('name="rest_routes"')}\r\n\r\n1\r\n--b--`],
  ['a name of many lines, in linear time', `--b\r\nname=${'\n '.repeat(8_000)}\r\n\r\n1\r\n--b--`],
])('%s is no variable', (_, body) => {
  expect(scan(body, 'rest_route')).toBe('absent');
});

test.each([
  ['rest_route=/a', 'found'],
  ['a=1&rest.route=/a', 'found'],
  ['+%20 %72est%5froute=/a', 'found'],
  ['a&REST_ROUTE=/a&rest_routes=1&xrest_route=1&a=rest_route', 'absent'],
  ['rest_route', 'absent'],
  ['rest%20route[]=/a', 'found'],
  [`rest+route%5b${'a'.repeat(200)}]=/a`, 'found'],
  [`${'a=1&'.repeat(1_500)}rest%2Eroute%00x=/a`, 'found'],
  [`a[rest_route]=/a&${'%20'.repeat(200)}rest[route=/a`, 'found'],
  ['rest_route[=/a', 'absent'],
])('a pair of an urlencoded form is found as PHP names it: %s', (body, expected) => {
  for (const size of [1, 2, 7, 64, Number.POSITIVE_INFINITY])
    expect(scan(body, 'rest_route', size, 'application/x-www-form-urlencoded')).toBe(expected);
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
  test('a file of 128 MiB is skipped in constant memory', () => {
    const form = createFormScan(MULTIPART, 'after');
    form?.write(bytes(`--b\r\n${disposition('name="f"; filename="x"')}\r\n\r\n`));
    const chunk = new Uint8Array(64 * 1024).map((_, offset) => offset * 7);
    form?.write(chunk);
    const before = process.memoryUsage().arrayBuffers;
    for (let sent = 0; sent < 2 ** 27; sent += chunk.length) form?.write(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
    expect(form?.write(bytes(`\r\n--b\r\n${disposition('name="after"')}\r\n\r\n1`))).toBe('found');
  });

  test.each([
    ['a header of one long line', `--b\r\n${disposition(`name="x"${';a=b'.repeat(5000)}`)}\r\n\r\n1\r\n--b`],
    ['a header of many fields', `--b\r\n${'a:b\r\n'.repeat(5000)}${disposition('name="x"')}\r\n\r\n1\r\n--b`],
    ['a form of many parts', '--b\n\n'.repeat(20_001)],
    ['a header of many lines', `--b\r\nContent-Disposition: form-data\r\n${' x\r\n'.repeat(65_536)}`],
  ])('%s is unclear', (_, body) => {
    expect(scan(body, 'rest_route')).toBe('unclear');
  });

  test('many partial boundaries take linear time', () => {
    const head = `--b\r\n${disposition('name="f"; filename="x"')}\r\n\r\n`;
    expect(scan(head + '\r\n--'.repeat(500_000), 'rest_route')).toBe('absent');
  });
});

test('the result does not depend on chunk boundaries', () => {
  const piece = fc.constantFrom(...MULTIPART_PIECES);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (pieces, size) => {
      const body = pieces.join('');
      expect(scan(body, 'a', size)).toEqual(scan(body, 'a'));
    }),
  );
});
