import { at, type Case, type Fields, type Step } from '../case.ts';

const FRESH = 'max-age=3600';
const MODIFIED = { 'Cache-Control': FRESH, 'Last-Modified': at(-3000) };
const tagged = (tag: string) => ({ 'Cache-Control': FRESH, ETag: tag });

/** Creates a case of a stored response and a conditional request that it answers. */
function evaluated(
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
  evaluated('the same strong entity tag matches', 'RFC 9110 §13.1.2', tagged('"a"'), inm('"a"'), 304),
  evaluated('another entity tag does not match', 'RFC 9110 §13.1.2', tagged('"a"'), inm('"b"'), 200),
  evaluated('the same weak entity tag matches', 'RFC 9110 §13.1.2', tagged('W/"a"'), inm('W/"a"'), 304),
  evaluated('a weak tag matches a stored strong tag', 'RFC 9110 §13.1.2', tagged('"a"'), inm('W/"a"'), 304),
  evaluated('a strong tag matches a stored weak tag', 'RFC 9110 §13.1.2', tagged('W/"a"'), inm('"a"'), 304),
  evaluated('entity tags are case-sensitive', 'RFC 9110 §8.8.3.2', tagged('"a"'), inm('"A"'), 200),
  evaluated('the weakness prefix is case-sensitive', 'RFC 9110 §8.8.3', tagged('"a"'), inm('w/"a"'), 200),
  evaluated('the first tag of a list matches', 'RFC 9110 §13.1.2', tagged('"a"'), inm('"a", "b", "c"'), 304),
  evaluated(
    'a tag in the middle of a list matches',
    'RFC 9110 §13.1.2',
    tagged('"b"'),
    inm('"a", "b", "c"'),
    304,
  ),
  evaluated('the last tag of a list matches', 'RFC 9110 §13.1.2', tagged('"c"'), inm('"a","b","c"'), 304),
  evaluated('a tag on a second field line matches', 'RFC 9110 §5.3', tagged('"c"'), inm(['"a"', '"c"']), 304),
  evaluated(
    'a list without the stored tag does not match',
    'RFC 9110 §13.1.2',
    tagged('"d"'),
    inm('"a", "b", "c"'),
    200,
  ),
  evaluated(
    'a comma inside the quotes belongs to the tag',
    'RFC 9110 §8.8.3',
    tagged('"a,b"'),
    inm('"x", "a,b"'),
    304,
  ),
  evaluated('a part of a tag does not match', 'RFC 9110 §8.8.3', tagged('"b"'), inm('"a,b"'), 200),
  evaluated('an asterisk matches any stored response', 'RFC 9110 §13.1.2', tagged('"a"'), inm('*'), 304),
  evaluated(
    'an asterisk matches a stored response without entity tag',
    'RFC 9110 §13.1.2',
    { 'Cache-Control': FRESH },
    inm('*'),
    304,
  ),
  evaluated(
    'a tag does not match a stored response without entity tag',
    'RFC 9110 §13.1.2',
    { 'Cache-Control': FRESH },
    inm('"a"'),
    200,
  ),
  evaluated('an unquoted tag matches the same unquoted tag', 'RFC 9110 §8.8.3', tagged('a'), inm('a'), 304),
  evaluated(
    'a matching If-None-Match overrides If-Modified-Since',
    'RFC 9111 §4.3.2',
    { ...MODIFIED, ETag: '"a"' },
    { ...inm('"a"'), 'If-Modified-Since': at(-9000) },
    304,
  ),
  evaluated(
    'a mismatching If-None-Match overrides If-Modified-Since',
    'RFC 9111 §4.3.2',
    { ...MODIFIED, ETag: '"a"' },
    { ...inm('"b"'), 'If-Modified-Since': at(0) },
    200,
  ),
  evaluated(
    'the date of Last-Modified matches',
    'RFC 9111 §4.3.2',
    MODIFIED,
    { 'If-Modified-Since': at(-3000) },
    304,
  ),
  evaluated(
    'a date after Last-Modified matches',
    'RFC 9111 §4.3.2',
    MODIFIED,
    { 'If-Modified-Since': at(-2000) },
    304,
  ),
  evaluated(
    'a date before Last-Modified does not match',
    'RFC 9111 §4.3.2',
    MODIFIED,
    { 'If-Modified-Since': at(-3001) },
    200,
  ),
  evaluated(
    'a date in RFC 850 format matches',
    'RFC 9110 §5.6.7',
    { ...tagged('"a"'), 'Last-Modified': 'Sun, 06 Nov 1994 08:49:37 GMT' },
    { 'If-Modified-Since': 'Sunday, 06-Nov-94 08:49:37 GMT' },
    304,
  ),
  evaluated(
    'a date in asctime format matches',
    'RFC 9110 §5.6.7',
    { ...tagged('"a"'), 'Last-Modified': 'Sun, 06 Nov 1994 08:49:37 GMT' },
    { 'If-Modified-Since': 'Sun Nov  6 08:49:37 1994' },
    304,
  ),
  evaluated(
    'an invalid date is ignored',
    'RFC 9110 §13.1.3',
    MODIFIED,
    { 'If-Modified-Since': 'yesterday' },
    200,
  ),
  evaluated(
    'without Last-Modified the date is compared with Date',
    'RFC 9111 §4.3.2',
    { 'Cache-Control': FRESH },
    { 'If-Modified-Since': at(0) },
    304,
  ),
  evaluated(
    'without Last-Modified a date before Date does not match',
    'RFC 9111 §4.3.2',
    { 'Cache-Control': FRESH },
    { 'If-Modified-Since': at(-1) },
    200,
  ),
  evaluated('a conditional HEAD is evaluated too', 'RFC 9110 §13.1.2', tagged('"a"'), inm('"a"'), 304, {
    method: 'HEAD',
  }),
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
  evaluated(
    'a 304 without an entity tag contains Last-Modified',
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
      name: `${name} is forwarded to the site`,
      rfc: 'RFC 9111 §4.3.2',
      steps: [
        { site: { headers: tagged('"a"') } },
        { headers: { [name]: '"a"' }, forwardedFields: { [name]: '"a"' } },
      ],
    }),
  ),
];
