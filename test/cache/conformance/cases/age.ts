import { at, type Case, reuse } from '../case.ts';

const HOUR = { 'Cache-Control': 'max-age=3600' };

/** The received `Age` (RFC 9111 §5.1), and clocks that differ (§4.2.3). */
const INCOMING = reuse([
  [
    'the received Age shortens the remaining lifetime',
    'RFC 9111 §4.2.3',
    { ...HOUR, Age: 3000 },
    601,
    'site',
  ],
  ['the received Age is counted once', 'RFC 9111 §4.2.3', { ...HOUR, Age: 3000 }, 599, 'store'],
  [
    'a response older than its lifetime is stale on arrival',
    'RFC 9111 §4.2.3',
    { ...HOUR, Age: 7200 },
    0,
    'site',
  ],
  [
    'the received Age counts against s-maxage',
    'RFC 9111 §4.2.3',
    { 'Cache-Control': 's-maxage=60', Age: 61 },
    0,
    'site',
  ],
  [
    'the received Age counts against Expires',
    'RFC 9111 §4.2.3',
    { Date: at(0), Expires: at(20), Age: 25 },
    0,
    'site',
  ],
  [
    'Age counts against Expires with a slow Date',
    'RFC 9111 §4.2.3',
    { Date: at(-10), Expires: at(10), Age: 25 },
    0,
    'site',
  ],
  [
    'Age counts against Expires with a fast Date',
    'RFC 9111 §4.2.3',
    { Date: at(10), Expires: at(20), Age: 15 },
    0,
    'site',
  ],
  ['an Age of zero changes nothing', 'RFC 9111 §5.1', { ...HOUR, Age: 0 }, 3599, 'store'],
  ['an Age of 2^31 - 1 is stale', 'RFC 9111 §1.2.2', { ...HOUR, Age: '2147483647' }, 0, 'site'],
  ['an Age of 2^31 is stale', 'RFC 9111 §1.2.2', { ...HOUR, Age: '2147483648' }, 0, 'site'],
  ['an Age above 2^31 is stale', 'RFC 9111 §1.2.2', { ...HOUR, Age: '2147483649' }, 0, 'site'],
  ['an Age of forty digits is stale', 'RFC 9111 §1.2.2', { ...HOUR, Age: '9'.repeat(40) }, 0, 'site'],
  ['letters in Age are ignored', 'RFC 9111 §5.1', { ...HOUR, Age: 'abc' }, 3599, 'store'],
  ['a negative Age is ignored', 'RFC 9111 §5.1', { ...HOUR, Age: '-7200' }, 3599, 'store'],
  ['a fractional Age is ignored', 'RFC 9111 §5.1', { ...HOUR, Age: '7200.0' }, 3599, 'store'],
  ['an empty Age is ignored', 'RFC 9111 §5.1', { ...HOUR, Age: '' }, 3599, 'store'],
  ['the first member of a list counts', 'RFC 9111 §5.1', { ...HOUR, Age: '7200, 0' }, 0, 'site'],
  ['only the first member of a list counts', 'RFC 9111 §5.1', { ...HOUR, Age: '0, 7200' }, 0, 'store'],
  ['the first of two lines counts', 'RFC 9111 §5.1', { ...HOUR, Age: ['7200', '0'] }, 0, 'site'],
  ['only the first of two lines counts', 'RFC 9111 §5.1', { ...HOUR, Age: ['0', '7200'] }, 0, 'store'],
  ['repeated equal values count once', 'RFC 9111 §5.1', { ...HOUR, Age: ['1000', '1000'] }, 2000, 'store'],
  [
    'a list with an invalid first member is ignored',
    'RFC 9111 §5.1',
    { ...HOUR, Age: 'x, 7200' },
    0,
    'store',
  ],
  [
    'a Date two hours ago makes the response two hours old',
    'RFC 9111 §4.2.3',
    { ...HOUR, Date: at(-7200) },
    0,
    'site',
  ],
  [
    'a Date in the future does not extend the lifetime',
    'RFC 9111 §4.2.3',
    { ...HOUR, Date: at(7200) },
    3600,
    'site',
  ],
  [
    'a Date in the future does not shorten the lifetime',
    'RFC 9111 §4.2.3',
    { ...HOUR, Date: at(7200) },
    3599,
    'store',
  ],
  [
    'the greater of Age and apparent age counts',
    'RFC 9111 §4.2.3',
    { ...HOUR, Date: at(-100), Age: 3500 },
    101,
    'site',
  ],
  ['an invalid Date is ignored', 'RFC 9110 §6.6.1', { ...HOUR, Date: 'soon' }, 3599, 'store'],
]);

/** `Age`, `Date` and `Expires` of responses to clients. */
const OUTGOING: readonly Case[] = [
  {
    name: 'a stored response has Age',
    rfc: 'RFC 9111 §4',
    steps: [
      { site: { headers: HOUR }, absentFields: ['Age'] },
      { after: 7, servedFrom: 1, expectedFields: { Age: 7 } },
    ],
  },
  {
    name: 'Age is in whole seconds',
    rfc: 'RFC 9111 §5.1',
    steps: [{ site: { headers: HOUR } }, { after: 7.9, servedFrom: 1, expectedFields: { Age: 7 } }],
  },
  {
    name: 'Age includes the received Age',
    rfc: 'RFC 9111 §4.2.3',
    steps: [
      { site: { headers: { ...HOUR, Age: 30 } }, expectedFields: { Age: 30 } },
      { after: 5, servedFrom: 1, expectedFields: { Age: 35 } },
    ],
  },
  {
    name: 'a response has one Age field',
    rfc: 'RFC 9111 §5.1',
    steps: [
      { site: { headers: { ...HOUR, Age: ['30', '40'] } } },
      { after: 5, servedFrom: 1, expectedFields: { Age: 35 } },
    ],
  },
  {
    name: 'Age counts against Expires',
    rfc: 'RFC 9111 §4.2.3',
    steps: [
      { site: { headers: { Expires: at(3600), Age: 30 } } },
      { after: 5, servedFrom: 1, expectedFields: { Age: 35 } },
    ],
  },
  {
    name: 'Age includes the delay of the site',
    rfc: 'RFC 9111 §4.2.3',
    steps: [{ site: { headers: HOUR, delay: 5 } }, { after: 10, servedFrom: 1, expectedFields: { Age: 15 } }],
  },
  {
    name: 'the delay of the site shortens the remaining lifetime',
    rfc: 'RFC 9111 §4.2.3',
    steps: [{ site: { headers: { 'Cache-Control': 'max-age=10' }, delay: 6 } }, { after: 5 }],
  },
  {
    name: 'Date is not changed',
    rfc: 'RFC 9110 §6.6.1',
    steps: [
      { site: { headers: { ...HOUR, Date: at(0) } } },
      { after: 60, servedFrom: 1, expectedFields: { Date: at(0) } },
    ],
  },
  {
    name: 'Expires is not changed',
    rfc: 'RFC 9111 §5.3',
    steps: [
      { site: { headers: { Expires: at(600) } } },
      { after: 60, servedFrom: 1, expectedFields: { Expires: at(600) } },
    ],
  },
  {
    name: 'a response without Date gets its time of arrival',
    rfc: 'RFC 9110 §6.6.1',
    steps: [
      { site: { headers: { ...HOUR, Date: null } } },
      { after: 60, servedFrom: 1, expectedFields: { Date: at(0) } },
    ],
  },
  {
    name: 'a 304 restarts the age',
    rfc: 'RFC 9111 §4.3.4',
    steps: [
      { site: { headers: { 'Cache-Control': 'max-age=10', ETag: '"a"' } } },
      { after: 20, servedFrom: 1, forwards: true, site: { status: 304, headers: { ETag: '"a"' } } },
      { after: 5, servedFrom: 1, expectedFields: { Age: 5 } },
    ],
  },
  {
    name: 'the Age of a 304 is counted',
    rfc: 'RFC 9111 §4.3.4',
    steps: [
      { site: { headers: { 'Cache-Control': 'max-age=10', ETag: '"a"' } } },
      { after: 20, servedFrom: 1, forwards: true, site: { status: 304, headers: { ETag: '"a"', Age: 8 } } },
      { after: 1, servedFrom: 1, expectedFields: { Age: 9 } },
    ],
  },
  {
    name: 'a 304 without Date gets its time of arrival',
    rfc: 'RFC 9110 §6.6.1',
    steps: [
      { site: { headers: { 'Cache-Control': 'max-age=10', ETag: '"a"' } } },
      {
        after: 20,
        servedFrom: 1,
        forwards: true,
        site: { status: 304, headers: { ETag: '"a"', Date: null } },
      },
      { after: 9, servedFrom: 1, expectedFields: { Date: at(20) } },
    ],
  },
];

export const AGE: readonly Case[] = [...INCOMING, ...OUTGOING];
