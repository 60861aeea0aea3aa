import { expect, it } from 'vitest';
import { parseMediaType } from '../../src/http/fields.ts';

it.each([
  ['application/json', { essence: 'application/json' }],
  ['Application/JSON; charset=UTF-8', { essence: 'application/json', charset: 'utf-8' }],
  ['text/html;charset="iso-8859-1"', { essence: 'text/html', charset: 'iso-8859-1' }],
  ['text/html; a=b ;charset=utf-8', { essence: 'text/html', charset: 'utf-8' }],
  ['application/problem+json;', { essence: 'application/problem+json' }],
  ['json', { essence: '' }],
  ['a/b/c', { essence: '' }],
  ['', { essence: '' }],
  [null, { essence: '' }],
])('%j is parsed', (header, mediaType) => {
  expect(parseMediaType(header)).toEqual(mediaType);
});
