import { describe, expect, test } from 'vitest';
import { encodeByteString, parseQueryParameters } from '../../../../src/base/php/request.ts';
import {
  type BodyParameters,
  planBody,
  toPathParameters,
} from '../../../../src/generator/validation/request/validator.ts';

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';
const JSON_TYPE = 'application/json';

describe('how a body is parsed depends on its media type and the methods', () => {
  test.each([
    ['JSON', 'POST', 'POST', JSON_TYPE, 'buffered'],
    ['a form', 'POST', 'POST', URLENCODED, 'buffered'],
    ['a PATCH without Content-Type', 'PATCH', 'PATCH', null, 'buffered'],
    ['a multipart form', 'POST', 'POST', MULTIPART, 'multipart'],
    ['a multipart form of PUT', 'PUT', 'PUT', MULTIPART, 'ignored'],
    ['a multipart form without a boundary', 'POST', 'POST', 'multipart/form-data', 'ignored'],
    ['a POST without Content-Type', 'POST', 'POST', null, 'ignored'],
    ['a form of GET', 'GET', 'GET', URLENCODED, 'ignored'],
    ['a form of GET with the method POST', 'GET', 'POST', URLENCODED, 'ignored'],
    ['an OPTIONS request', 'OPTIONS', 'OPTIONS', JSON_TYPE, 'ignored'],
  ])('%s', (_, requestMethod, method, contentType, kind) => {
    expect(planBody({ requestMethod, method, contentType }).kind).toBe(kind);
  });
});

function parse(contentType: string, body: string, method = 'POST'): BodyParameters {
  const reading = planBody({ requestMethod: method, method, contentType });
  const bytes = Uint8Array.from(encodeByteString(body), (unit) => unit.charCodeAt(0));
  if (reading.kind !== 'buffered') throw new Error('nothing is parsed');
  return reading.parse(bytes);
}

describe('the parameters of a body', () => {
  test('malformed JSON has the error of the site', () => {
    expect(parse(JSON_TYPE, '{"a":1,}')).toEqual({
      kind: 'invalid',
      status: 400,
      code: 'rest_invalid_json',
      message: 'Invalid JSON body passed.',
      data: { json_error_code: 4, json_error_message: 'Syntax error' },
      brokenRules: [],
    });
  });

  test('it is uncertain what the site parses of a form of 1000 variables', () => {
    expect(parse(URLENCODED, 'a=1&'.repeat(1000)).kind).toBe('uncertain');
  });
});

test.each([['a&'.repeat(1000)], ['&'.repeat(100_000)]])(
  'a query with more variables than PHP reads is uncertain',
  (raw) => {
    expect(parseQueryParameters(raw)).toBeNull();
  },
);

test('groups of a route are strings', () => {
  expect([...toPathParameters({ id: '7', name: '\xc3\xa4' })]).toEqual([
    ['id', '7'],
    ['name', 'ä'],
  ]);
});
