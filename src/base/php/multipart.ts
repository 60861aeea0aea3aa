import { omitUndefined } from '../omit-undefined.ts';

/** Parses `Content-Disposition` without its type, as php_ap_getword() and php_ap_getword_conf() do. */
export function parsePartDisposition(header: string): Partial<Record<'name' | 'filename', string>> {
  const found = new Map<string, string>();
  let rest = header.replace(LEADING_SPACE, '');
  while (rest !== '') {
    const [pair, after] = cutWord(rest, ';');
    rest = after.replace(LEADING_SPACE, '');
    if (!pair.includes('=')) continue;
    const [key, value] = cutWord(pair, '=');
    found.set(key.toLowerCase(), unquote(value));
  }
  return omitUndefined({ name: found.get('name'), filename: found.get('filename') });
}

const LEADING_SPACE = /^[ \t\n\v\f\r]+/;

/** php_ap_getword(): splits at the first `stop` outside of quotes; repeated stops count as one. */
function cutWord(text: string, stop: string): readonly [word: string, rest: string] {
  let at = 0;
  while (at < text.length && text[at] !== stop) {
    const quote = text[at];
    at += 1;
    if (quote !== '"' && quote !== "'") continue;
    while (at < text.length && text[at] !== quote) at += text[at] === '\\' && text[at + 1] === quote ? 2 : 1;
    at += 1;
  }
  let end = at;
  while (text[end] === stop) end += 1;
  return [text.slice(0, at), text.slice(end)];
}

function unquote(value: string): string {
  const text = value.replace(LEADING_SPACE, '');
  const [quote = ''] = text;
  if (quote !== '"' && quote !== "'") return removeEscapes(/^[^ \t\n\v\f\r]*/.exec(text)?.[0] ?? '', '');
  return removeEscapes(text.slice(1), quote);
}

function removeEscapes(text: string, quote: string): string {
  let plain = '';
  for (let at = 0; at < text.length && (quote === '' || text[at] !== quote); at++) {
    const next = text[at + 1];
    if (text[at] === '\\' && (next === '\\' || (quote !== '' && next === quote))) at += 1;
    plain += text[at];
  }
  return plain;
}

export function parseMultipartBoundary(contentType: string): string | null {
  const declared = contentType.indexOf('boundary');
  const word = declared < 0 ? contentType.toLowerCase().indexOf('boundary') : declared;
  const equals = word < 0 ? -1 : contentType.indexOf('=', word);
  if (equals < 0) return null;
  const value = contentType.slice(equals + 1);
  if (!value.startsWith('"')) return /^[^,;]*/.exec(value)?.[0] ?? '';
  const quote = value.indexOf('"', 1);
  return quote < 0 ? null : value.slice(1, quote);
}
