import { omitUndefined } from '../omit-undefined.ts';

/** Parameters of a part's `Content-Disposition`. PHP ignores the disposition type. */
export interface PartDisposition {
  readonly name?: string;
  readonly filename?: string;
}

/** Parses `Content-Disposition` as PHP does (php_ap_getword and php_ap_getword_conf). */
export function parsePartDisposition(header: string): PartDisposition {
  const found = new Map<string, string>();
  let rest = header.replace(LEADING_SPACE, '');
  while (rest !== '') {
    const [pair, after] = cutWord(rest, ';');
    rest = after.replace(LEADING_SPACE, '');
    if (!pair.includes('=')) continue;
    const [key, value] = cutWord(pair, '=');
    // The last of several parameters with one name takes effect.
    found.set(key.toLowerCase(), unquote(value));
  }
  return omitUndefined({ name: found.get('name'), filename: found.get('filename') });
}

const LEADING_SPACE = /^[ \t\n\v\f\r]+/;

/** php_ap_getword(): splits at the first `stop` outside of single or double quotes; repeated stops count as one. */
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

/** php_ap_getword_conf(): removes quotes and escapes from a value. */
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

/** Whether PHP accepts a file field of this name: all brackets are closed, and only brackets follow a bracket. */
export function hasBalancedBrackets(name: string): boolean {
  let open = 0;
  for (let at = 0; at < name.length; at++) {
    if (name[at] === '[') open += 1;
    if (name[at] !== ']') continue;
    open -= 1;
    const next = name[at + 1];
    if (open < 0 || (next !== undefined && next !== '[')) return false;
  }
  return open === 0;
}

/** normalize_protected_variable(): the form in which PHP compares names of file fields. */
export function normalizeProtectedName(fieldName: string): string {
  const name = fieldName.replace(/^ +/, '');
  const bracket = name.indexOf('[');
  const front = bracket < 0 ? name : name.slice(0, bracket);
  let found = front.replace(/[ .]/g, '_');
  for (let at = bracket; at >= 0 && name[at] === '['; ) {
    let start = at + 1;
    while (start < name.length && ' \r\n\t'.includes(name[start] ?? '')) start += 1;
    const closed = name.indexOf(']', start);
    const end = closed < 0 ? name.length : closed + 1;
    found += `[${name.slice(start, end)}`;
    at = end;
  }
  return found;
}

/** Finds the boundary in a `Content-Type` as PHP does; `null` if there is none. */
export function parseMultipartBoundary(contentType: string): string | null {
  const stated = contentType.indexOf('boundary');
  const word = stated < 0 ? contentType.toLowerCase().indexOf('boundary') : stated;
  const equals = word < 0 ? -1 : contentType.indexOf('=', word);
  if (equals < 0) return null;
  const value = contentType.slice(equals + 1);
  if (!value.startsWith('"')) return /^[^,;]*/.exec(value)?.[0] ?? '';
  const quote = value.indexOf('"', 1);
  return quote < 0 ? null : value.slice(1, quote);
}
