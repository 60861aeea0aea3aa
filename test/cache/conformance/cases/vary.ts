import type { Case, Fields, SecondOutcome } from '../case.ts';

const FRESH = 'max-age=60';

/** Two requests, and whether the second gets the response to the first. */
function pair(
  name: string,
  vary: string | readonly string[],
  first: Fields,
  second: Fields,
  comes: SecondOutcome,
): Case {
  return {
    name,
    rfc: 'RFC 9111 §4.1',
    steps: [
      { headers: first, site: { headers: { 'Cache-Control': FRESH, Vary: vary } } },
      { headers: second, ...(comes === 'store' ? { servedFrom: 1 } : {}) },
    ],
  };
}

const varied = (vary: string) => ({ headers: { 'Cache-Control': FRESH, Vary: vary } });

/** Selection among several stored responses (RFC 9111 §4.1). */
export const VARY: readonly Case[] = [
  pair('the same value is the same response', 'Foo', { Foo: '1' }, { Foo: '1' }, 'store'),
  pair('another value is another', 'Foo', { Foo: '1' }, { Foo: '2' }, 'site'),
  pair('no value is another', 'Foo', { Foo: '1' }, {}, 'site'),
  pair('a value where there was none is another', 'Foo', {}, { Foo: '1' }, 'site'),
  pair('an empty value is not none', 'Foo', { Foo: '' }, {}, 'site'),
  pair('none twice is the same', 'Foo', {}, {}, 'store'),
  pair('case of the name does not matter', 'fOO', { Foo: '1' }, { FOO: '1' }, 'store'),
  pair('case of a value does', 'Foo', { Foo: 'a' }, { Foo: 'A' }, 'site'),
  pair('what is not named does not matter', 'Foo', { Foo: '1', Bar: '1' }, { Foo: '1', Bar: '2' }, 'store'),
  pair('two names, both alike', 'Foo, Bar', { Foo: '1', Bar: 'a' }, { Bar: 'a', Foo: '1' }, 'store'),
  pair('two names, the first unlike', 'Foo, Bar', { Foo: '1', Bar: 'a' }, { Foo: '2', Bar: 'a' }, 'site'),
  pair('two names, the second unlike', 'Foo, Bar', { Foo: '1', Bar: 'a' }, { Foo: '1', Bar: 'b' }, 'site'),
  pair('two names, one left out', 'Foo, Bar', { Foo: '1' }, { Bar: '1' }, 'site'),
  pair('two names, values changed over', 'Foo, Bar', { Foo: '1', Bar: '2' }, { Foo: '2', Bar: '1' }, 'site'),
  pair('names on two lines', ['Foo', 'Bar'], { Foo: '1', Bar: 'a' }, { Foo: '1', Bar: 'b' }, 'site'),
  pair('three names, one left out both times', 'A, B, C', { A: '1', C: '2' }, { A: '1', C: '2' }, 'store'),
  pair(
    'three names, in another order',
    'A, B, C',
    { A: '1', B: '2', C: '3' },
    { A: '1', C: '3', B: '4' },
    'site',
  ),
  pair('*', '*', { Foo: '1' }, { Foo: '1' }, 'site'),
  pair('*, *', '*, *', {}, {}, 'site'),
  pair('* on two lines', ['*', '*'], {}, {}, 'site'),
  pair('nothing, then *', ', *', {}, {}, 'site'),
  pair('an empty line, then *', ['', '*'], {}, {}, 'site'),
  pair('*, Foo', '*, Foo', { Foo: '1' }, { Foo: '1' }, 'site'),
  pair('Foo, *', 'Foo, *', { Foo: '1' }, { Foo: '1' }, 'site'),
  pair('an empty Vary names nothing', '', { Foo: '1' }, { Foo: '2' }, 'store'),
  pair('space about a value is none', 'Foo', { Foo: '1,2' }, { Foo: '1, 2' }, 'store'),
  pair('several lines are one list', 'Foo', { Foo: '1, 2' }, { Foo: ['1', '2'] }, 'store'),
  pair('in a quoted string space is space', 'Foo', { Foo: '"a,b"' }, { Foo: '"a, b"' }, 'site'),
  pair('order counts where nobody knows better', 'Foo', { Foo: '1, 2' }, { Foo: '2, 1' }, 'site'),
  pair(
    'languages: case',
    'Accept-Language',
    { 'Accept-Language': 'en, de' },
    { 'Accept-Language': 'eN, De' },
    'store',
  ),
  pair(
    'languages: space',
    'Accept-Language',
    { 'Accept-Language': 'en, de' },
    { 'Accept-Language': 'en ,   de' },
    'store',
  ),
  pair(
    'languages: order says nothing',
    'Accept-Language',
    { 'Accept-Language': 'en, de' },
    { 'Accept-Language': 'de, en' },
    'store',
  ),
  pair(
    'languages: preference does',
    'Accept-Language',
    { 'Accept-Language': 'en, de;q=0.5' },
    { 'Accept-Language': 'de, en;q=0.5' },
    'site',
  ),
  pair(
    'languages: space about a preference',
    'Accept-Language',
    { 'Accept-Language': 'en;q=0.5' },
    { 'Accept-Language': 'en; q=0.5' },
    'store',
  ),
  pair(
    'types: case and order',
    'Accept',
    { Accept: 'text/html, Application/JSON' },
    { Accept: 'application/json,text/html' },
    'store',
  ),
  pair(
    'an origin is what it is',
    'Origin',
    { Origin: 'https://a.example.com' },
    { Origin: 'https://b.example.com' },
    'site',
  ),
  pair('a cookie is what it is', 'Cookie', { Cookie: 'a=1' }, { Cookie: 'a=2' }, 'site'),
  pair('a request with a cookie nobody named is like any', '', {}, { Cookie: 'a=2' }, 'store'),
  {
    name: 'responses for several values are stored side by side',
    rfc: 'RFC 9111 §4.1',
    steps: [
      { headers: { Foo: '1' }, site: varied('Foo') },
      { headers: { Foo: '2' }, site: varied('Foo') },
      { headers: { Foo: '1' }, servedFrom: 1 },
      { headers: { Foo: '2' }, servedFrom: 2 },
    ],
  },
  {
    name: 'an expired variant is replaced, the others stay',
    rfc: 'RFC 9111 §4.1',
    steps: [
      { headers: { Foo: '1' }, site: { headers: { 'Cache-Control': 'max-age=10', Vary: 'Foo' } } },
      { headers: { Foo: '2' }, site: varied('Foo') },
      { after: 20, headers: { Foo: '1' }, site: varied('Foo') },
      { headers: { Foo: '1' }, servedFrom: 3 },
      { headers: { Foo: '2' }, servedFrom: 2 },
    ],
  },
  {
    name: 'responses with different Vary fields are selected by their own',
    rfc: 'RFC 9111 §4.1',
    steps: [
      { headers: { Foo: '1', Bar: '1' }, site: varied('Foo') },
      { headers: { Foo: '2', Bar: '1' }, site: varied('Foo, Bar') },
      { headers: { Foo: '2', Bar: '2' }, site: varied('Foo, Bar') },
      { headers: { Foo: '1', Bar: '9' }, servedFrom: 1 },
      { headers: { Foo: '2', Bar: '2' }, servedFrom: 3 },
    ],
  },
  {
    name: 'a matching variant is preferred to a newer response without Vary',
    rfc: 'RFC 9111 §4.1',
    steps: [
      { headers: { Foo: '1' }, site: varied('Foo') },
      { headers: { Foo: '2' }, site: { headers: { 'Cache-Control': FRESH } } },
      { headers: { Foo: '1' }, servedFrom: 1 },
      { headers: { Foo: '3' }, servedFrom: 2 },
    ],
  },
  {
    name: 'a key that no longer varies is served again',
    rfc: 'RFC 9111 §4.1',
    steps: [
      { headers: { Foo: '1' }, site: { headers: { 'Cache-Control': 'max-age=10', Vary: 'Foo' } } },
      { after: 20, headers: { Foo: '1' }, site: { headers: { 'Cache-Control': FRESH } } },
      { headers: { Foo: '1' }, servedFrom: 2 },
    ],
  },
  {
    name: 'a key that starts to vary is not served for other values',
    rfc: 'RFC 9111 §4.1',
    steps: [
      { headers: { Foo: '1' }, site: { headers: { 'Cache-Control': FRESH } } },
      { headers: { Foo: '1', 'Cache-Control': 'no-cache' }, site: varied('Foo') },
      { headers: { Foo: '2' } },
    ],
  },
  {
    name: 'revalidation uses the validator of the matching variant',
    rfc: 'RFC 9111 §4.3.1',
    steps: [
      {
        headers: { Foo: '1' },
        site: { headers: { 'Cache-Control': 'max-age=1', Vary: 'Foo', ETag: '"a"' } },
      },
      {
        after: 2,
        headers: { Foo: '1' },
        servedFrom: 1,
        forwards: true,
        forwardedFields: { Foo: '1', 'If-None-Match': '"a"' },
        site: { status: 304 },
      },
    ],
  },
  {
    name: 'and none for another variant',
    rfc: 'RFC 9111 §4.3.1',
    steps: [
      {
        headers: { Foo: '1' },
        site: { headers: { 'Cache-Control': 'max-age=1', Vary: 'Foo', ETag: '"a"' } },
      },
      { after: 2, headers: { Foo: '2' }, forwardedFields: { 'If-None-Match': null } },
    ],
  },
];
