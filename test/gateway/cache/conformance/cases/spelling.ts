import { type Case, reuse } from '../case.ts';

/** Valid and invalid spellings of directives (RFC 9111 §5.2, §4.2.1). */
const DIRECTIVES = reuse([
  ['directive names are case-insensitive', '§5.2', 'MaX-aGe=60', 59, 'store'],
  ['no-store is case-insensitive', '§5.2', 'No-StOrE, max-age=60', 1, 'site'],
  ['private is case-insensitive', '§5.2', 'PRIVATE, max-age=60', 1, 'site'],
  ['a quoted number is a number', '§5.2', 'max-age="60"', 59, 'store'],
  ['an escaped number is a number', '9110 §5.6.4', 'max-age="\\6\\0"', 59, 'store'],
  ['single quotes are part of the value', '§4.2.1', "max-age='60'", 1, 'site'],
  ['a fractional max-age is invalid', '§1.2.2', 'max-age=60.5', 1, 'site'],
  ['a negative max-age is invalid', '§4.2.1', 'max-age=-60', 0, 'site'],
  ['a max-age with a plus sign is invalid', '§1.2.2', 'max-age=+60', 1, 'site'],
  ['a max-age with leading letters is invalid', '§4.2.1', 'max-age=a60', 1, 'site'],
  ['a max-age with trailing letters is invalid', '§4.2.1', 'max-age=60s', 1, 'site'],
  ['a hexadecimal max-age is invalid', '§4.2.1', 'max-age=0x60', 1, 'site'],
  ['a max-age without an argument is invalid', '§4.2.1', 'max-age', 1, 'site'],
  ['an empty max-age is invalid', '§4.2.1', 'max-age=', 1, 'site'],
  ['an unterminated quoted max-age is invalid', '§4.2.1', 'max-age="60, public', 1, 'site'],
  ['a space before the equals sign is invalid', '§5.2', 'max-age =60', 1, 'site'],
  ['a space after the equals sign is invalid', '§5.2', 'max-age= 60', 1, 'site'],
  ['a semicolon does not separate directives', '§5.2', 'max-age=60; public', 1, 'site'],
  ['an invalid max-age hides a valid Expires', '§5.3', 'max-age=x | Expires: @60', 1, 'site'],
  ['an invalid s-maxage hides a valid max-age', '§4.2.1', 's-maxage=x, max-age=60', 1, 'site'],
  ['empty members are ignored', '9110 §5.6.1', ', ,max-age=60, ,', 59, 'store'],
  ['tabs are whitespace', '9110 §5.6.3', 'public,\tmax-age=60\t', 59, 'store'],
  ['whitespace after a comma is optional', '9110 §5.6.1', 'public,max-age=60', 59, 'store'],
  ['several field lines are combined into one list', '9110 §5.3', 'public | max-age=60', 59, 'store'],
  ['an empty field is ignored', '9110 §5.6.1', 'Cache-Control:  | Expires: @60', 59, 'store'],
  ['the first of two max-age applies if it is longer', '§4.2.1', 'max-age=60, max-age=1', 30, 'store'],
  ['the first of two max-age applies if it is shorter', '§4.2.1', 'max-age=1, max-age=60', 30, 'site'],
  ['text inside a quoted string is not a directive', '§5.2', 'x="max-age=3600", max-age=1', 2, 'site'],
  ['text inside a quoted string repeats none', '§5.2', 'max-age=1, x="max-age=3600"', 2, 'site'],
  ['no-store inside a quoted string is ignored', '§5.2', 'x="no-store", max-age=60', 1, 'store'],
  ['an escaped quote ends no quoted string', '9110 §5.6.4', 'x="\\", no-store", max-age=60', 1, 'store'],
  ['no-store with an argument is no-store', '§5.2', 'no-store=x, max-age=60', 1, 'site'],
  ['private with an empty list of fields is unqualified', '§5.2.2.7', 'private="", max-age=60', 1, 'site'],
  ['no-cache with an empty list of fields is unqualified', '§5.2.2.4', 'no-cache="", max-age=60', 1, 'site'],
  ['a directive is not matched by its prefix', '§5.2', 'no-storex, max-age=60', 1, 'store'],
]);

/** Other spellings of dates are those of `test/base/http/date.test.ts`. */
const DATES = reuse([
  [
    'an Expires in RFC 850 format is accepted',
    '9110 §5.6.7',
    'Expires: Thursday, 18-Aug-50 02:01:18 GMT',
    1,
    'store',
  ],
  ['an Expires of zero is in the past', '§5.3', 'Expires: 0', 1, 'site'],
]);

export const SPELLING: readonly Case[] = [...DIRECTIVES, ...DATES];
