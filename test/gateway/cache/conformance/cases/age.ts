import { type Case, reuse, scenario } from '../case.ts';

/** The received `Age` (RFC 9111 §5.1), and clocks that differ (§4.2.3). */
const INCOMING = reuse([
  ['the received Age shortens the remaining lifetime', '§4.2.3', 'max-age=3600 | Age: 3000', 601, 'site'],
  ['the received Age is counted once', '§4.2.3', 'max-age=3600 | Age: 3000', 599, 'store'],
  ['a response older than its lifetime is stale on arrival', '§4.2.3', 'max-age=3600 | Age: 7200', 0, 'site'],
  ['the received Age counts against Expires', '§4.2.3', 'Date: @0 | Expires: @20 | Age: 25', 0, 'site'],
  ['Age counts against Expires with a slow Date', '§4.2.3', 'Date: @-10 | Expires: @10 | Age: 25', 0, 'site'],
  ['Age counts against Expires with a fast Date', '§4.2.3', 'Date: @10 | Expires: @20 | Age: 15', 0, 'site'],
  ['an Age of forty digits is stale', '§1.2.2', `max-age=3600 | Age: ${'9'.repeat(40)}`, 0, 'site'],
  ['letters in Age are ignored', '§5.1', 'max-age=3600 | Age: abc', 3599, 'store'],
  ['a negative Age is ignored', '§5.1', 'max-age=3600 | Age: -7200', 3599, 'store'],
  ['a fractional Age is ignored', '§5.1', 'max-age=3600 | Age: 7200.0', 3599, 'store'],
  ['an empty Age is ignored', '§5.1', 'max-age=3600 | Age: ', 3599, 'store'],
  ['the first member of a list counts', '§5.1', 'max-age=3600 | Age: 7200, 0', 0, 'site'],
  ['only the first member of a list counts', '§5.1', 'max-age=3600 | Age: 0, 7200', 0, 'store'],
  ['the first of two lines counts', '§5.1', 'max-age=3600 | Age: 7200 | Age: 0', 0, 'site'],
  ['only the first of two lines counts', '§5.1', 'max-age=3600 | Age: 0 | Age: 7200', 0, 'store'],
  ['a list with an invalid first member is ignored', '§5.1', 'max-age=3600 | Age: x, 7200', 0, 'store'],
  ['a Date two hours ago makes a response stale', '§4.2.3', 'max-age=3600 | Date: @-7200', 0, 'site'],
  ['a future Date does not extend the lifetime', '§4.2.3', 'max-age=3600 | Date: @7200', 3600, 'site'],
  ['a future Date does not shorten the lifetime', '§4.2.3', 'max-age=3600 | Date: @7200', 3599, 'store'],
  ['the greater of Age and Date counts', '§4.2.3', 'max-age=3600 | Date: @-100 | Age: 3500', 101, 'site'],
  ['an invalid Date is ignored', '9110 §6.6.1', 'max-age=3600 | Date: soon', 3599, 'store'],
]);

/** `Age`, `Date` and `Expires` of responses to clients. */
const OUTGOING: readonly Case[] = [
  scenario('a stored response has Age', '§4', [
    { site: 'max-age=3600', absentFields: ['Age'] },
    { after: 7, from: 1, expects: 'Age: 7' },
  ]),
  scenario('Age is in whole seconds', '§5.1', ['max-age=3600', { after: 7.9, from: 1, expects: 'Age: 7' }]),
  scenario('Age includes the received Age', '§4.2.3', [
    { site: 'max-age=3600 | Age: 30', expects: 'Age: 30' },
    { after: 5, from: 1, expects: 'Age: 35' },
  ]),
  scenario('Age includes the delay of the site', '§4.2.3', [
    { site: 'max-age=3600', delay: 5 },
    { after: 10, from: 1, expects: 'Age: 15' },
  ]),
  scenario('the delay of the site shortens the remaining lifetime', '§4.2.3', [
    { site: 'max-age=10', delay: 6 },
    { after: 5 },
  ]),
  scenario('Expires is not changed', '§5.3', [
    'Expires: @600',
    { after: 60, from: 1, expects: 'Expires: @600' },
  ]),
  scenario('a response without Date gets its time of arrival', '9110 §6.6.1', [
    'max-age=3600 | Date: -',
    { after: 60, from: 1, expects: 'Date: @0' },
  ]),
  scenario('a 304 restarts the age', '§4.3.4', [
    'max-age=10 | ETag: "a"',
    { after: 20, confirms: 1, site: '304 | ETag: "a"' },
    { after: 5, from: 1, expects: 'Age: 5' },
  ]),
  scenario('the Age of a 304 is counted', '§4.3.4', [
    'max-age=10 | ETag: "a"',
    { after: 20, confirms: 1, site: '304 | ETag: "a" | Age: 8' },
    { after: 1, from: 1, expects: 'Age: 9' },
  ]),
  scenario('a 304 without Date gets its time of arrival', '9110 §6.6.1', [
    'max-age=10 | ETag: "a"',
    { after: 20, confirms: 1, site: '304 | ETag: "a" | Date: -' },
    { after: 9, from: 1, expects: 'Date: @20' },
  ]),
];

export const AGE: readonly Case[] = [...INCOMING, ...OUTGOING];
