import { type Case, type Step, scenario } from '../case.ts';

const TAGGED = 'max-age=2 | ETag: "a"';

/** Validators of a stale response, and the conditions of the request that revalidates it. */
const SENT: readonly (readonly [rule: string, validators: string, NonNullable<Step['forwardedFields']>])[] = [
  ['a strong entity tag is sent', 'ETag: "a"', { 'If-None-Match': '"a"', 'If-Modified-Since': null }],
  ['Last-Modified is sent', 'Last-Modified: @-60', { 'If-Modified-Since': '@-60', 'If-None-Match': null }],
  [
    'both are sent',
    'ETag: "a" | Last-Modified: @-60',
    { 'If-None-Match': '"a"', 'If-Modified-Since': '@-60' },
  ],
];

/** A stored field, and its value in a 304. */
const UPDATES: readonly (readonly [field: string, stored: string, received: string])[] = [
  ['X-Test', 'A', 'B'],
  ['Content-Foo', 'A', 'B'],
];

/** Revalidation of stored responses (RFC 9111 §4.3). */
export const VALIDATION: readonly Case[] = [
  ...SENT.map(([rule, validators, forwardedFields]) =>
    scenario(rule, '§4.3.1', [
      `max-age=2 | ${validators}`,
      { after: 3, confirms: 1, forwardedFields },
      { after: 1, from: 1 },
    ]),
  ),
  ...UPDATES.map(([field, stored, received]) => {
    const expects = `${field}: ${received}`;
    return scenario(`${field} is updated by a 304`, '§3.2', [
      `max-age=2 | ETag: "a" | ${field}: ${stored}`,
      { after: 3, confirms: 1, site: `304 | max-age=60 | ETag: "a" | ${field}: ${received}`, expects },
      { after: 3, from: 1, expects },
    ]);
  }),
  scenario('a 304 restores freshness', '§4.3.4', [
    'max-age=10 | ETag: "a"',
    { after: 11, confirms: 1 },
    { after: 9, from: 1 },
    { after: 2, confirms: 1 },
  ]),
  scenario('a weak tag matches a strong one with the same text', '9110 §13.1.2', [
    TAGGED,
    { after: 3, confirms: 1, site: '304 | ETag: W/"a"' },
  ]),
  scenario('a complete response replaces the stored response', '§4.3.3', [
    TAGGED,
    { after: 3, site: 'max-age=60 | ETag: "b"', forwardedFields: { 'If-None-Match': '"a"' } },
    { after: 3, from: 2, expects: 'ETag: "b"' },
  ]),
  scenario('a field that is missing in a 304 stays stored', '§3.2', [
    'max-age=2 | Last-Modified: @-60 | X-Total: 7',
    { after: 3, confirms: 1, site: '304 | Last-Modified: @-60', expects: 'X-Total: 7' },
  ]),
  scenario('all lines of a field are replaced', '§3.2', [
    'max-age=2 | ETag: "a" | X-Part: 1 | X-Part: 2',
    { after: 3, confirms: 1, site: '304 | X-Part: 3', expects: 'X-Part: 3' },
  ]),
  scenario("the client's conditions are not forwarded if a response is stored", '§4.3.1', [
    TAGGED,
    { after: 3, request: 'If-None-Match: "mine"', confirms: 1, forwardedFields: { 'If-None-Match': '"a"' } },
  ]),
  scenario("the client's conditions are evaluated against the freshened response", '§4.3.2', [
    TAGGED,
    { after: 3, request: 'If-None-Match: "a"', confirms: 1, status: 304 },
  ]),
  scenario('a client that already has the new response gets a 304', '§4.3.2', [
    TAGGED,
    { after: 3, request: 'If-None-Match: "b"', site: 'max-age=60 | ETag: "b"', status: 304 },
    { after: 3, from: 2 },
  ]),
];
