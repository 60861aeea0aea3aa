import { at, type Case, type Fields, type Step } from '../case.ts';

const FRESH = 'max-age=3600';
const MODIFIED = { 'Cache-Control': FRESH, 'Last-Modified': at(-3000) };
const tagged = (tag: string) => ({ 'Cache-Control': FRESH, ETag: tag });

/** A stored response, and a conditional request that it is used for. */
function judged(
  name: string,
  rfc: string,
  stored: Fields,
  request: Fields,
  status: 200 | 304,
  more: Step = {},
): Case {
  return {
    name,
    rfc,
    steps: [
      { site: { headers: stored } },
      { after: 1, headers: request, servedFrom: 1, ...(status === 304 ? { status } : {}), ...more },
    ],
  };
}

const inm = (value: string | readonly string[]) => ({ 'If-None-Match': value });

/** The client's conditions, evaluated against the stored response (RFC 9111 §4.3.2, RFC 9110 §13). */
export const CONDITIONS: readonly Case[] = [
  judged('the same strong tag', 'RFC 9110 §13.1.2', tagged('"a"'), inm('"a"'), 304),
  judged('another entity tag', 'RFC 9110 §13.1.2', tagged('"a"'), inm('"b"'), 200),
  judged('the same weak tag', 'RFC 9110 §13.1.2', tagged('W/"a"'), inm('W/"a"'), 304),
  judged('weak where it is strong', 'RFC 9110 §13.1.2', tagged('"a"'), inm('W/"a"'), 304),
  judged('strong where it is weak', 'RFC 9110 §13.1.2', tagged('W/"a"'), inm('"a"'), 304),
  judged('tags compare by case', 'RFC 9110 §8.8.3.2', tagged('"a"'), inm('"A"'), 200),
  judged('a small w is part of the text', 'RFC 9110 §8.8.3', tagged('"a"'), inm('w/"a"'), 200),
  judged('the first of several', 'RFC 9110 §13.1.2', tagged('"a"'), inm('"a", "b", "c"'), 304),
  judged('one in the middle', 'RFC 9110 §13.1.2', tagged('"b"'), inm('"a", "b", "c"'), 304),
  judged('the last', 'RFC 9110 §13.1.2', tagged('"c"'), inm('"a","b","c"'), 304),
  judged('on another line', 'RFC 9110 §5.3', tagged('"c"'), inm(['"a"', '"c"']), 304),
  judged('none of several', 'RFC 9110 §13.1.2', tagged('"d"'), inm('"a", "b", "c"'), 200),
  judged('a comma in a tag is of the tag', 'RFC 9110 §8.8.3', tagged('"a,b"'), inm('"x", "a,b"'), 304),
  judged('half a tag is none', 'RFC 9110 §8.8.3', tagged('"b"'), inm('"a,b"'), 200),
  judged('a star is whatever there is', 'RFC 9110 §13.1.2', tagged('"a"'), inm('*'), 304),
  judged('also where it has no tag', 'RFC 9110 §13.1.2', { 'Cache-Control': FRESH }, inm('*'), 304),
  judged('a tag where there is none', 'RFC 9110 §13.1.2', { 'Cache-Control': FRESH }, inm('"a"'), 200),
  judged('a tag without quotes, as it is', 'RFC 9110 §8.8.3', tagged('a'), inm('a'), 304),
  judged(
    'a tag beats a date',
    'RFC 9111 §4.3.2',
    { ...MODIFIED, ETag: '"a"' },
    { ...inm('"a"'), 'If-Modified-Since': at(-9000) },
    304,
  ),
  judged(
    '…also to its harm',
    'RFC 9111 §4.3.2',
    { ...MODIFIED, ETag: '"a"' },
    { ...inm('"b"'), 'If-Modified-Since': at(0) },
    200,
  ),
  judged('the same date', 'RFC 9111 §4.3.2', MODIFIED, { 'If-Modified-Since': at(-3000) }, 304),
  judged('a later date', 'RFC 9111 §4.3.2', MODIFIED, { 'If-Modified-Since': at(-2000) }, 304),
  judged('an earlier date', 'RFC 9111 §4.3.2', MODIFIED, { 'If-Modified-Since': at(-3001) }, 200),
  judged(
    'the date as RFC 850 wrote it',
    'RFC 9110 §5.6.7',
    { ...tagged('"a"'), 'Last-Modified': 'Sun, 06 Nov 1994 08:49:37 GMT' },
    { 'If-Modified-Since': 'Sunday, 06-Nov-94 08:49:37 GMT' },
    304,
  ),
  judged(
    'the date as asctime wrote it',
    'RFC 9110 §5.6.7',
    { ...tagged('"a"'), 'Last-Modified': 'Sun, 06 Nov 1994 08:49:37 GMT' },
    { 'If-Modified-Since': 'Sun Nov  6 08:49:37 1994' },
    304,
  ),
  judged('a date that is none', 'RFC 9110 §13.1.3', MODIFIED, { 'If-Modified-Since': 'yesterday' }, 200),
  judged(
    'without Last-Modified, Date counts',
    'RFC 9111 §4.3.2',
    { 'Cache-Control': FRESH },
    { 'If-Modified-Since': at(0) },
    304,
  ),
  judged(
    '…and an earlier one is earlier',
    'RFC 9111 §4.3.2',
    { 'Cache-Control': FRESH },
    { 'If-Modified-Since': at(-1) },
    200,
  ),
  judged('of HEAD too', 'RFC 9110 §13.1.2', tagged('"a"'), inm('"a"'), 304, { method: 'HEAD' }),
  {
    name: 'conditions only apply to successful responses',
    rfc: 'RFC 9110 §13.2.1',
    steps: [{ site: { status: 404, headers: tagged('"a"') } }, { headers: inm('"a"'), servedFrom: 1 }],
  },
  {
    name: 'a 304 contains the fields that a cache needs, and none that describe content',
    rfc: 'RFC 9110 §15.4.5',
    steps: [
      {
        site: {
          headers: {
            ...MODIFIED,
            ETag: '"a"',
            Vary: 'Accept',
            Expires: at(600),
            Date: at(0),
            'Content-Location': '/here',
            'Content-Type': 'application/json',
            'Content-Language': 'en',
            'Access-Control-Allow-Origin': '*',
            'X-WP-Total': '7',
          },
        },
      },
      {
        after: 3,
        headers: inm('"a"'),
        servedFrom: 1,
        status: 304,
        expectedFields: {
          ETag: '"a"',
          'Cache-Control': FRESH,
          Vary: 'Accept',
          Expires: at(600),
          Date: at(0),
          Age: 3,
          'Content-Location': '/here',
          'Access-Control-Allow-Origin': '*',
          'X-WP-Total': '7',
        },
        absentFields: ['Content-Type', 'Content-Language', 'Content-Length', 'Last-Modified'],
      },
    ],
  },
  judged(
    'without a tag it has Last-Modified',
    'RFC 9110 §15.4.5',
    MODIFIED,
    { 'If-Modified-Since': at(0) },
    304,
    {
      expectedFields: { 'Last-Modified': at(-3000) },
    },
  ),
  {
    name: 'without a stored response the site evaluates the conditions',
    rfc: 'RFC 9111 §4.3.2',
    steps: [
      {
        headers: inm('"a"'),
        forwardedFields: { 'If-None-Match': '"a"' },
        site: { status: 304, headers: tagged('"a"') },
      },
    ],
  },
  {
    name: 'a 304 without a stored response is not stored',
    rfc: 'RFC 9111 §3',
    steps: [{ headers: inm('"a"'), site: { status: 304, headers: tagged('"a"') } }, {}],
  },
  {
    name: 'a complete response to a conditional request is stored',
    rfc: 'RFC 9111 §3',
    steps: [{ headers: inm('"a"'), site: { headers: tagged('"b"') } }, { servedFrom: 1 }],
  },
  ...['If-Match', 'If-Unmodified-Since'].map(
    (name): Case => ({
      name: `${name} is for the site to judge`,
      rfc: 'RFC 9111 §4.3.2',
      steps: [
        { site: { headers: tagged('"a"') } },
        { headers: { [name]: '"a"' }, forwardedFields: { [name]: '"a"' } },
      ],
    }),
  ),
];
