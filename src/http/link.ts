/** One link of a `Link` header (RFC 8288 §3). */
export interface Link {
  /** The target as it was written: perhaps relative. */
  readonly target: string;
  /** Relation types, lower case: registered ones and URIs alike compare case-insensitively (§2.1). */
  readonly rel: readonly string[];
  /** The context of the link where it is not the resource itself (§3.2). */
  readonly anchor?: string;
}

/**
 * The links of a `Link` header. Several headers joined by a comma read as one. A link that breaks the grammar is
 * left out and the rest is read on (§B.3 asks for no more of a parser). Linear in the header's length.
 */
export function parseLinks(header: string): Link[] {
  const links: Link[] = [];
  let at = 0;
  while (at < header.length) {
    const open = header.indexOf('<', at);
    if (open === -1) break;
    const close = header.indexOf('>', open);
    if (close === -1) break;
    const { parameters, end } = readParameters(header, close + 1);
    links.push(toLink(header.slice(open + 1, close).trim(), parameters));
    at = end;
  }
  return links;
}

/** §3.3: `rel` and `anchor` count where they stand first; later ones must be ignored. */
function toLink(target: string, parameters: readonly (readonly [string, string])[]): Link {
  const first = (name: string): string | undefined => parameters.find(([key]) => key === name)?.[1];
  const anchor = first('anchor');
  const rel = (first('rel') ?? '')
    .toLowerCase()
    .split(/[ \t]+/)
    .filter((word) => word !== '');
  return { target, rel, ...(anchor === undefined ? {} : { anchor }) };
}

/** The `;name=value` parts from `start` on, and where the next link begins (behind its comma). */
function readParameters(header: string, start: number): { parameters: [string, string][]; end: number } {
  const parameters: [string, string][] = [];
  let at = skip(header, start, isSpace);
  while (header[at] === ';') {
    const nameStart = skip(header, at + 1, isSpace);
    const nameEnd = skip(header, nameStart, isNameCharacter);
    const equals = skip(header, nameEnd, isSpace);
    const name = header.slice(nameStart, nameEnd).toLowerCase();
    if (header[equals] !== '=') {
      if (name !== '') parameters.push([name, '']);
      at = equals;
      continue;
    }
    const { value, end } = readValue(header, skip(header, equals + 1, isSpace));
    if (name !== '') parameters.push([name, value]);
    at = skip(header, end, isSpace);
  }
  const comma = header.indexOf(',', at);
  return { parameters, end: comma === -1 ? header.length : comma + 1 };
}

/** A token or a quoted string (RFC 9110 §5.6.4). One that is never closed runs to the end. */
function readValue(header: string, start: number): { value: string; end: number } {
  if (header[start] !== '"') {
    const end = skip(header, start, (character) => character !== ';' && character !== ',');
    return { value: header.slice(start, end).trim(), end };
  }
  let value = '';
  let at = start + 1;
  while (at < header.length && header[at] !== '"') {
    if (header[at] === '\\') at += 1;
    value += header[at] ?? '';
    at += 1;
  }
  return { value, end: at + 1 };
}

function skip(text: string, from: number, wanted: (character: string) => boolean): number {
  let at = from;
  for (let character = text[at]; character !== undefined && wanted(character); character = text[at]) at += 1;
  return at;
}

const isSpace = (character: string): boolean => character === ' ' || character === '\t';
const isNameCharacter = (character: string): boolean => !' \t;,='.includes(character);
