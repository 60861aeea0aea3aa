/** PHP's codes (`json_last_error()`). */
export const JSON_ERROR_CODES = { depth: 1, syntax: 4, utf8: 5, utf16: 10 };

/** JSON texts and PHP's error for each; `null` for valid ones. */
export const JSON_CASES: readonly (readonly [
  about: string,
  text: string | Uint8Array,
  error: keyof typeof JSON_ERROR_CODES | null,
])[] = [
  ['an object', '{"a":1}', null],
  ['white space around it', ' \t\r\n{"a" : [ 1 , true ] } \n', null],
  ['a repeated member', '{"a":1,"b":2,"a":3}', null],
  ['names of inherited properties', '{"__proto__":{"a":1},"constructor":2,"toString":3}', null],
  ['names that are numbers', '{"0":"a","1":"b","-1":"c","01":"d"}', null],
  ['an empty name', '{"":1}', null],
  ['a name that begins with NUL', '{"\\u0000a":1}', null],
  ['huge numbers', '{"a":1e400,"b":-1e400,"c":12345678901234567890,"d":0.1e-400}', null],
  ['a pair of surrogates', '{"a":"\\ud83d\\ude00","b":"\\uD83D\\uDE00"}', null],
  ['an escaped backslash before u', '{"a":"\\\\ud800"}', null],
  ['511 brackets', '['.repeat(511) + ']'.repeat(511), null],
  ['600 brackets in a string', JSON.stringify({ a: '['.repeat(600) }), null],
  ['600 sibling lists', JSON.stringify(Array(600).fill([])), null],
  ['DEL and higher characters', '{"a":"\\u007f\u007f\u0080\uffff"}', null],
  ['512 brackets', '['.repeat(512) + ']'.repeat(512), 'depth'],
  ['100,000 brackets', '['.repeat(100_000) + ']'.repeat(100_000), 'depth'],
  ['100,000 objects', '{"a":'.repeat(100_000) + 1 + '}'.repeat(100_000), 'depth'],
  ['a lone high surrogate', '{"a":"\\ud800"}', 'utf16'],
  ['a lone low surrogate', '{"a":"\\uDC00"}', 'utf16'],
  ['a high surrogate before a letter', '{"a":"\\ud83d\\u0041"}', 'utf16'],
  ['a lone surrogate before invalid UTF-8', bytes('["\\ud800" \xff'), 'utf8'],
  ['an invalid byte', bytes('{"a":"\xff"}'), 'utf8'],
  ['a surrogate encoded in UTF-8', bytes('{"a":"\xed\xa0\x80"}'), 'utf8'],
  ['an overlong encoding', bytes('{"a":"\xc0\xaf"}'), 'utf8'],
  ['a text that ends within a character', bytes('{"a":"\xc3'), 'utf8'],
  ['a letter outside of a string', '{"a":é}', 'syntax'],
  ['a byte order mark', '\ufeff{"a":1}', 'syntax'],
  ['a line feed in a string', '{"a":"\n"}', 'syntax'],
  ['NUL', '{"a":1}\0', 'syntax'],
  ['NUL in a string', '{"a":"\0"}', 'syntax'],
  ['an unclosed string', '{"a":"b', 'syntax'],
  ['a control character outside of a string', '{"a":\u0001}', 'syntax'],
  ['a mismatched bracket', '{"a":[1}', 'syntax'],
  ['two values', '1 2', 'syntax'],
  ['a trailing comma', '[1,]', 'syntax'],
  ['NaN', '{"a":NaN}', 'syntax'],
  ['only white space', '  ', 'syntax'],
];

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (unit) => unit.charCodeAt(0));
}
