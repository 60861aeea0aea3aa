import { omitUndefined } from '../omit-undefined.ts';

/** One link of a `Link` header (RFC 8288 §3). */
export interface WebLink {
  /** The target URI or a relative reference to it, unresolved. */
  readonly target: string;
  /** Relation types in lower case, because they compare case-insensitively (§2.1). */
  readonly rel: readonly string[];
  /** The context of the link, if it is not the resource itself (§3.2). */
  readonly anchor?: string;
}

/**
 * Parses a `Link` field, or several that are joined by commas. Skips links that violate the grammar, as
 * RFC 8288 §B.3 allows. Takes linear time.
 */
export function parseLinks(header: string): WebLink[] {
  const links: WebLink[] = [];
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

/** Uses the first `rel` and `anchor` parameters. §3.3: later ones must be ignored. */
function toLink(target: string, parameters: readonly (readonly [string, string])[]): WebLink {
  const first = (name: string): string | undefined => parameters.find(([key]) => key === name)?.[1];
  const anchor = first('anchor');
  const rel = (first('rel') ?? '')
    .toLowerCase()
    .split(/[ \t]+/)
    .filter((word) => word !== '');
  return omitUndefined({ target, rel, anchor });
}

/** Reads `;name=value` parameters from `start`; `end` is the position after the comma that ends the link. */
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

/** Reads a token or a quoted string (RFC 9110 §5.6.4). An unclosed string runs to the end. */
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
