/** Multipart bodies with the boundary `b`, for PHP's `$_POST`. */

export function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (unit) => unit.charCodeAt(0));
}

export function disposition(parameters: string): string {
  return `Content-Disposition: form-data; ${parameters}`;
}

function part(name: string, value: string, filename?: string): string {
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  return `--b\r\n${disposition(`name="${name}"${file}`)}\r\n\r\n${value}\r\n`;
}

function whole(...parts: readonly string[]): string {
  return `${parts.join('')}--b--\r\n`;
}

/** A body with one part and the given header section. */
const withHeader = (header: string): string => whole(`--b\r\n${header}\r\n\r\n1\r\n`);
const named = (parameters: string): string => withHeader(disposition(parameters));

/** Pieces of bodies, for random ones. */
export const MULTIPART_PIECES: readonly string[] =
  '--b|\r\n|\n|--|Content-Disposition: |form-data|; |name=|filename=|"a"|a[b]|"|\'|\\|:| |\0|x|\r|\t|[|]|='.split(
    '|',
  );

/** A body, and the variables that PHP registers: `a`, or others, of which those with special characters are left out. */
type MultipartCase = [about: string, body: string, names?: string];

export const MULTIPART_CASES: MultipartCase[] = [
  ['fields', whole(part('a', '1'), part('b', 'x y+z%41')), 'a b'],
  ['an empty body', '', ''],
  ['no parts', '--b--\r\n', ''],
  ['an empty value', whole(part('a', ''))],
  ['line breaks in a value', whole(part('a', '1\r\n2\n3\r'))],
  ['text that starts like a boundary', whole(part('a', '\r\n--\r\n-- b\r\n'))],
  ['names of array elements', whole(part('a[]', '1'), part('a[]', '2'), part('b[k][j]', '3')), 'a b'],
  ['a repeated field', whole(part('a', '1'), part('a', '2'))],
  ['names that PHP mangles', whole(part('a.b c', '1'), part(' d', '2'), part('[e]', '3')), 'a_b_c d'],
  ['whitespace in subscripts', whole(part('a[ k]', '1'), part('a[\tj', '2'), part('a[x]y', '3'))],
  ['names with percent-encoding', whole(part('a%5Bb%5D', '1')), ''],
  ['`__proto__`', whole(part('__proto__', '1'), part('a[__proto__]', '2')), '__proto__ a'],
  ['bare line feeds', whole(part('a', '1')).replaceAll('\r', '')],
  ['no closing delimiter', `--b\r\n${disposition('name=a')}\r\n\r\nvalue`],
  ['an incomplete closing delimiter', `--b\r\n${disposition('name=a')}\r\n\r\nvalue\r\n--`],
  ['an incomplete header section', `--b\r\n${disposition('name=a')}`, ''],
  ['a header without a body', `--b\r\n${disposition('name=a')}\r\n`],
  ['a preamble', `hello\r\n${whole(part('a', '1'))}`],
  ['parts after the closing delimiter', `${whole(part('a', '1'))}${whole(part('b', '2'))}`, 'a b'],
  [
    'a longer boundary, which ends a value',
    `--b\r\n${disposition('name=a')}\r\n\r\n1\r\n--bx\r\nlost\r\n${part('c', '2')}`,
    'a c',
  ],
  ['a boundary with whitespace, which is ignored', `--b \r\n${part('a', '1')}`],
  ['a boundary cut by NUL', `--b\0 x\r\n${disposition('name=a')}\r\n\r\n1\r\n--b--`],
  [
    'a boundary directly after the header section',
    `--b\r\n${disposition('name=a')}\r\n\r\n--b\r\n${disposition('name=c')}\r\n\r\n2\r\n--b--`,
  ],
  ['a file', whole(part('f', 'data', 'x.txt'), part('a', '1'))],
  ['a file without a name', whole(part('f', 'data', ''), part('a', '1'))],
  ['a file that contains text like the boundary', whole(part('f', '\r\n--b-\r\n--', 'x'), part('a', '1'))],
  ['a file without a field name', named('filename="x"'), ''],
  [
    'fields with the name of a file',
    whole(part('a', 'data', 'x'), part('a', '1'), part('a[x]', '2'), part('c', '3')),
    'a c',
  ],
  ['a file after the field', whole(part('a', '1'), part('a', 'data', 'x'))],
  ['a file with unbalanced brackets in its name', whole(part('a[', 'data', 'x'), part('a[', '1')), 'a_'],
  ['a part without a header', `--b\r\n\r\nlost\r\n${whole(part('a', '1'))}`],
  [
    'a part without Content-Disposition',
    whole('--b\r\nContent-Type: text/plain\r\n\r\nlost\r\n', part('a', '1')),
  ],
  [
    'a part without a name, which ends the form',
    whole(part('a', '1'), '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n', part('c', '2')),
  ],
  ['a name in single quotes', named("name='a;b'"), ''],
  ['a name without quotes', named('name=a b')],
  ['an escaped quote', named(String.raw`name="a\"b\\c\d"`), ''],
  ['an unclosed quote', named('name="a; x=y'), ''],
  ['a repeated name parameter', named('name=a; name=c'), 'c'],
  ['a repeated Content-Disposition', withHeader(`${disposition('name=a')}\r\n${disposition('name=c')}`)],
  ['whitespace before the equals sign', named('name =a; name=c'), 'c'],
  ['whitespace after the equals sign', named('name= "a b"'), 'a_b'],
  ['several equals signs', named('name=="a=b"'), ''],
  ['header names in any case', withHeader('cOnTeNt-DiSpOsItIoN: x; NAME=a')],
  ['any type of disposition', withHeader('Content-Disposition:attachment;name=a')],
  ['a disposition without a type', withHeader('Content-Disposition: name=a')],
  ['a folded header', withHeader('Content-Disposition: form-data;\r\n name=a')],
  ['a folded header without whitespace', withHeader('Content-Disposition: form-data;\r\nname=a')],
  [
    'whitespace before the colon',
    withHeader(`Content-Disposition : form-data; name=c\r\n${disposition('name=a')}`),
  ],
  ['NUL in a header', named('name="a\0b"')],
  ['NUL in a value', whole(part('a', '1\x002'))],
  ['bytes above ASCII', whole(part('\xc3\xa9', '\xff\xfe')), ''],
  ['a long value', whole(part('a', 'x'.repeat(20_000)))],
  ['a long value of lines', whole(part('a', '\r\nx'.repeat(9000)))],
  [
    'a value that fills the window',
    whole(part('a', 'x'.repeat(5119)), part('c', 'x'.repeat(5120)), part('d', 'x'.repeat(5118))),
    'a c d',
  ],
  ['a preamble without lines', `${'x'.repeat(5120)}--b\r\n${disposition('name=a')}\r\n\r\n1\r\n--b--`],
  ['deep names', whole(part(`a${'[x]'.repeat(65)}`, '1'), part('c', '2')), 'c'],
];
