/** What `Content-Disposition` says of a part, as PHP reads it: the type before the first `;` is not looked at. */
export interface PartDisposition {
  readonly name?: string;
  readonly filename?: string;
}

export function parsePartDisposition(header: string): PartDisposition {
  const found = new Map<string, string>();
  let rest = header.replace(LEADING_SPACE, '');
  while (rest !== '') {
    const [pair, after] = cutWord(rest, ';');
    rest = after.replace(LEADING_SPACE, '');
    if (!pair.includes('=')) continue;
    const [key, value] = cutWord(pair, '=');
    // The last of the same name counts.
    found.set(key.toLowerCase(), unquote(value));
  }
  const [name, filename] = [found.get('name'), found.get('filename')];
  return { ...(name === undefined ? {} : { name }), ...(filename === undefined ? {} : { filename }) };
}

const LEADING_SPACE = /^[ \t\n\v\f\r]+/;

/** php_ap_getword(): up to a stop outside of quotes, single or double, and what follows all such stops. */
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

/** php_ap_getword_conf() */
function unquote(given: string): string {
  const text = given.replace(LEADING_SPACE, '');
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

/** Whether PHP takes a file of this name: its brackets are closed, and nothing but brackets follows them. */
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

/** normalize_protected_variable(): by which PHP knows the names of files. */
export function normalizeProtectedName(given: string): string {
  const name = given.replace(/^ +/, '');
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

/** The boundary of a `Content-Type`, as PHP looks for it; null where it finds none. */
export function parseMultipartBoundary(contentType: string): string | null {
  const stated = contentType.indexOf('boundary');
  const word = stated < 0 ? contentType.toLowerCase().indexOf('boundary') : stated;
  const equals = word < 0 ? -1 : contentType.indexOf('=', word);
  if (equals < 0) return null;
  const given = contentType.slice(equals + 1);
  if (!given.startsWith('"')) return /^[^,;]*/.exec(given)?.[0] ?? '';
  const quote = given.indexOf('"', 1);
  return quote < 0 ? null : given.slice(1, quote);
}
