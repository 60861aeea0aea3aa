import type { Case, Fields, SecondOutcome } from '../case.ts';

const FRESH = 'max-age=60';

const varied = (vary: string) => ({ headers: { 'Cache-Control': FRESH, Vary: vary } });

/** Two requests: a rule, `Vary`, the fields of both, and where the second response comes from. */
const PAIRS: readonly (readonly [
  rule: string,
  vary: string | readonly string[],
  first: string,
  second: string,
  comes: SecondOutcome,
])[] = [
  ['an equal value selects the stored response', 'Foo', 'Foo: 1', 'Foo: 1', 'store'],
  ['another value does not match', 'Foo', 'Foo: 1', 'Foo: 2', 'site'],
  ['a missing field does not match a value', 'Foo', 'Foo: 1', '', 'site'],
  ['a value does not match a missing field', 'Foo', '', 'Foo: 1', 'site'],
  ['a missing field does not match an empty value', 'Foo', 'Foo: ', '', 'site'],
  ['a field that is missing in both requests matches', 'Foo', '', '', 'store'],
  ['field names are case-insensitive', 'fOO', 'Foo: 1', 'FOO: 1', 'store'],
  ['values are case-sensitive', 'Foo', 'Foo: a', 'Foo: A', 'site'],
  ['fields that Vary does not list are ignored', 'Foo', 'Foo: 1 | Bar: 1', 'Foo: 1 | Bar: 2', 'store'],
  ['two listed fields with equal values match', 'Foo, Bar', 'Foo: 1 | Bar: a', 'Bar: a | Foo: 1', 'store'],
  [
    'two listed fields: a different first value does not match',
    'Foo, Bar',
    'Foo: 1 | Bar: a',
    'Foo: 2 | Bar: a',
    'site',
  ],
  [
    'two listed fields: a different second value does not match',
    'Foo, Bar',
    'Foo: 1 | Bar: a',
    'Foo: 1 | Bar: b',
    'site',
  ],
  ['two listed fields: each missing once does not match', 'Foo, Bar', 'Foo: 1', 'Bar: 1', 'site'],
  [
    'two listed fields with swapped values do not match',
    'Foo, Bar',
    'Foo: 1 | Bar: 2',
    'Foo: 2 | Bar: 1',
    'site',
  ],
  [
    'fields listed on two Vary lines are compared',
    ['Foo', 'Bar'],
    'Foo: 1 | Bar: a',
    'Foo: 1 | Bar: b',
    'site',
  ],
  [
    'three listed fields, one missing in both requests, match',
    'A, B, C',
    'A: 1 | C: 2',
    'A: 1 | C: 2',
    'store',
  ],
  [
    'three listed fields: one different value does not match',
    'A, B, C',
    'A: 1 | B: 2 | C: 3',
    'A: 1 | C: 3 | B: 4',
    'site',
  ],
  ['Vary: * never matches', '*', 'Foo: 1', 'Foo: 1', 'site'],
  ['Vary: *, * never matches', '*, *', '', '', 'site'],
  ['Vary: * on two lines never matches', ['*', '*'], '', '', 'site'],
  ['Vary with an empty member and * never matches', ', *', '', '', 'site'],
  ['Vary with an empty line and * never matches', ['', '*'], '', '', 'site'],
  ['Vary: *, Foo never matches', '*, Foo', 'Foo: 1', 'Foo: 1', 'site'],
  ['Vary: Foo, * never matches', 'Foo, *', 'Foo: 1', 'Foo: 1', 'site'],
  ['an empty Vary compares no field', '', 'Foo: 1', 'Foo: 2', 'store'],
  ['whitespace after a comma is ignored', 'Foo', 'Foo: 1,2', 'Foo: 1, 2', 'store'],
  ['several field lines are combined into one list', 'Foo', 'Foo: 1, 2', 'Foo: 1 | Foo: 2', 'store'],
  ['whitespace inside a quoted string is significant', 'Foo', 'Foo: "a,b"', 'Foo: "a, b"', 'site'],
  ['the order of an unknown list field is significant', 'Foo', 'Foo: 1, 2', 'Foo: 2, 1', 'site'],
  [
    'Accept-Language: case is ignored',
    'Accept-Language',
    'Accept-Language: en, de',
    'Accept-Language: eN, De',
    'store',
  ],
  [
    'Accept-Language: whitespace is ignored',
    'Accept-Language',
    'Accept-Language: en, de',
    'Accept-Language: en ,   de',
    'store',
  ],
  [
    'Accept-Language: order is ignored',
    'Accept-Language',
    'Accept-Language: en, de',
    'Accept-Language: de, en',
    'store',
  ],
  [
    'Accept-Language: quality values are significant',
    'Accept-Language',
    'Accept-Language: en, de;q=0.5',
    'Accept-Language: de, en;q=0.5',
    'site',
  ],
  [
    'Accept-Language: whitespace around a quality value is ignored',
    'Accept-Language',
    'Accept-Language: en;q=0.5',
    'Accept-Language: en; q=0.5',
    'store',
  ],
  [
    'Accept: case and order are ignored',
    'Accept',
    'Accept: text/html, Application/JSON',
    'Accept: application/json,text/html',
    'store',
  ],
  [
    'Origin is compared unchanged',
    'Origin',
    'Origin: https://a.example.com',
    'Origin: https://b.example.com',
    'site',
  ],
  ['Cookie is compared unchanged', 'Cookie', 'Cookie: a=1', 'Cookie: a=2', 'site'],
];

/** Parses lines of fields, separated by ` | `. A name of several lines has a list. */
function parseFields(text: string): Fields {
  const fields: Record<string, string | string[]> = {};
  for (const line of text === '' ? [] : text.split(' | ')) {
    const [name = '', value = ''] = line.split(': ');
    const known = fields[name];
    fields[name] = known === undefined ? value : [known, value].flat();
  }
  return fields;
}

/** Selection among several stored responses (RFC 9111 §4.1). */
export const VARY: readonly Case[] = [
  ...PAIRS.map(
    ([name, vary, first, second, comes]): Case => ({
      name,
      rfc: 'RFC 9111 §4.1',
      steps: [
        { headers: parseFields(first), site: { headers: { 'Cache-Control': FRESH, Vary: vary } } },
        { headers: parseFields(second), ...(comes === 'store' ? { servedFrom: 1 } : {}) },
      ],
    }),
  ),
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
    name: 'each response is selected by its own Vary fields',
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
    name: 'revalidation sends no validator of another variant',
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
