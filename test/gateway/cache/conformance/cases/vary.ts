import { type Case, scenario } from '../case.ts';

/** Two requests: a rule, `Vary`, the fields of both, and where the second response comes from. */
const PAIRS: readonly (readonly [
  rule: string,
  vary: string,
  first: string,
  second: string,
  source: 'store' | 'site',
])[] = [
  ['an equal value selects the stored response', 'Foo', 'Foo: 1', 'Foo: 1', 'store'],
  ['another value does not match', 'Foo', 'Foo: 1', 'Foo: 2', 'site'],
  ['a value does not match a missing field', 'Foo', '', 'Foo: 1', 'site'],
  ['a field that is missing in both requests matches', 'Foo', '', '', 'store'],
  ['values are case-sensitive', 'Foo', 'Foo: a', 'Foo: A', 'site'],
  ['fields that Vary does not list are ignored', 'Foo', 'Foo: 1 | Bar: 1', 'Foo: 1 | Bar: 2', 'store'],
  ['both listed fields count: the second', 'Foo, Bar', 'Foo: 1 | Bar: a', 'Foo: 1 | Bar: b', 'site'],
  ['two listed fields: each missing once does not match', 'Foo, Bar', 'Foo: 1', 'Bar: 1', 'site'],
  ['Vary: * never matches', '*', 'Foo: 1', 'Foo: 1', 'site'],
  ['Vary: Foo, * never matches', 'Foo, *', 'Foo: 1', 'Foo: 1', 'site'],
  ['whitespace after a comma is ignored', 'Foo', 'Foo: 1,2', 'Foo: 1, 2', 'store'],
  ['several field lines are combined into one list', 'Foo', 'Foo: 1, 2', 'Foo: 1 | Foo: 2', 'store'],
  ['whitespace inside a quoted string is significant', 'Foo', 'Foo: "a,b"', 'Foo: "a, b"', 'site'],
  ...(
    [
      ['case is ignored', 'en, de', 'eN, De', 'store'],
      ['whitespace is ignored', 'en, de', 'en ,   de', 'store'],
      ['order is ignored', 'en, de', 'de, en', 'store'],
      ['quality values are significant', 'en, de;q=0.5', 'de, en;q=0.5', 'site'],
      ['whitespace around a quality value is ignored', 'en;q=0.5', 'en; q=0.5', 'store'],
    ] as const
  ).map(([rule, first, second, source]) => {
    const name = 'Accept-Language';
    return [`${name}: ${rule}`, name, `${name}: ${first}`, `${name}: ${second}`, source] as const;
  }),
  ['Origin is not normalized', 'Origin', 'Origin: http://a.example', 'Origin: http://A.example', 'site'],
];

/** Selection among several stored responses (RFC 9111 §4.1). */
export const VARY: readonly Case[] = [
  ...PAIRS.map(([name, vary, first, second, source]) =>
    scenario(name, '§4.1', [
      { request: first, site: `max-age=60 | Vary: ${vary}` },
      { request: second, ...(source === 'store' ? { from: 1 } : {}) },
    ]),
  ),
  scenario('responses for several values are stored side by side', '§4.1', [
    { request: 'Foo: 1', site: 'max-age=60 | Vary: Foo' },
    { request: 'Foo: 2', site: 'max-age=60 | Vary: Foo' },
    { request: 'Foo: 1', from: 1 },
    { request: 'Foo: 2', from: 2 },
  ]),
  scenario('an expired variant is replaced, the others stay', '§4.1', [
    { request: 'Foo: 1', site: 'max-age=10 | Vary: Foo' },
    { request: 'Foo: 2', site: 'max-age=60 | Vary: Foo' },
    { after: 20, request: 'Foo: 1', site: 'max-age=60 | Vary: Foo' },
    { request: 'Foo: 1', from: 3 },
    { request: 'Foo: 2', from: 2 },
  ]),
  scenario('each response is selected by its own Vary fields', '§4.1', [
    { request: 'Foo: 1 | Bar: 1', site: 'max-age=60 | Vary: Foo' },
    { request: 'Foo: 2 | Bar: 1', site: 'max-age=60 | Vary: Foo, Bar' },
    { request: 'Foo: 2 | Bar: 2', site: 'max-age=60 | Vary: Foo, Bar' },
    { request: 'Foo: 1 | Bar: 9', from: 1 },
    { request: 'Foo: 2 | Bar: 2', from: 3 },
  ]),
  scenario('a matching variant is preferred to a newer response without Vary', '§4.1', [
    { request: 'Foo: 1', site: 'max-age=60 | Vary: Foo' },
    { request: 'Foo: 2', site: 'max-age=60' },
    { request: 'Foo: 1', from: 1 },
    { request: 'Foo: 3', from: 2 },
  ]),
  scenario('a key that starts to vary is not served for other values', '§4.1', [
    { request: 'Foo: 1', site: 'max-age=60' },
    { request: 'Foo: 1 | no-cache', site: 'max-age=60 | Vary: Foo' },
    { request: 'Foo: 2' },
  ]),
  scenario('revalidation uses the validator of the matching variant', '§4.3.1', [
    { request: 'Foo: 1', site: 'max-age=1 | Vary: Foo | ETag: "a"' },
    { after: 2, request: 'Foo: 1', confirms: 1, forwardedFields: { Foo: '1', 'If-None-Match': '"a"' } },
  ]),
  scenario('revalidation sends no validator of another variant', '§4.3.1', [
    { request: 'Foo: 1', site: 'max-age=1 | Vary: Foo | ETag: "a"' },
    { after: 2, request: 'Foo: 2', forwardedFields: { 'If-None-Match': null } },
  ]),
];
