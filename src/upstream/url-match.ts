import type { HostUrls } from './base-urls.ts';

/** Where one of a site's addresses stands in a text, and how it is spelled there. */
export interface UrlMatch {
  /** Position of its scheme, or of its slashes where it has none (`//example.com/…`). */
  readonly start: number;
  readonly end: number;
  /** What follows the gateway's address in its place. */
  readonly suffix: string;
  /** Slashes are written `\/`, as PHP's `json_encode` does. */
  readonly escaped: boolean;
  /** Without a scheme. */
  readonly schemeRelative: boolean;
}

/** Headers are strings, bodies are bytes; both are read here as they are. */
export type CharacterSequence = string | Uint8Array;

/**
 * Is the host name at `at` one of the site's addresses? It must be a whole authority, with whole path segments after it:
 * `http://example.com.evil.test`, `http://example.com:81`, `http://example.com@evil.test` and, for a base of `/blog`,
 * `http://example.com/blogger` are other addresses.
 *
 * @param at where the host name begins; that it stands there has been seen already
 */
export function matchUrlAt(text: CharacterSequence, at: number, host: HostUrls): UrlMatch | undefined {
  const left = matchSchemeBefore(text, at);
  if (left === undefined) return undefined;
  const authority = findAuthorityEnd(text, at + host.hostname.length, host.port);
  for (const { path, to: suffix } of host.paths) {
    const spelled = left.escaped ? path.replaceAll('/', '\\/') : path;
    const end = authority + spelled.length;
    if (startsWith(text, authority, spelled) && isBoundary(code(text, end))) return { ...left, end, suffix };
  }
  return undefined;
}

/** What takes its place. */
export function toGatewayUrl(found: UrlMatch, publicBase: string): string {
  const whole = publicBase + found.suffix;
  const text = found.schemeRelative ? whole.slice(whole.indexOf('//')) : whole;
  return found.escaped ? text.replaceAll('/', '\\/') : text;
}

/** How many code units left and right of the beginning of the host name {@link matchUrlAt} looks at, at most. */
export function matchReach(host: HostUrls): { readonly left: number; readonly right: number } {
  const path = Math.max(0, ...host.paths.map((base) => base.path.replaceAll('/', '\\/').length));
  return { left: ' https:\\/\\/'.length, right: host.hostname.length + ':65535'.length + path + 1 };
}

function matchSchemeBefore(
  text: CharacterSequence,
  at: number,
): Pick<UrlMatch, 'start' | 'escaped' | 'schemeRelative'> | undefined {
  const escaped = endsWith(text, at, '\\/\\/');
  if (!escaped && !endsWith(text, at, '//')) return undefined;
  const slashes = at - (escaped ? 4 : 2);
  for (const scheme of ['http:', 'https:']) {
    if (!endsWith(text, slashes, scheme)) continue;
    const start = slashes - scheme.length;
    // RFC 3986 §3.1: the end of a longer scheme.
    return /[A-Za-z0-9+.-]/.test(character(text, start - 1))
      ? undefined
      : { start, escaped, schemeRelative: false };
  }
  // `ftp://` and paths with two slashes are none of ours.
  const opened = /^$|[\s"'(<=>,;[{\\]/.test(character(text, slashes - 1));
  return opened ? { start: slashes, escaped, schemeRelative: true } : undefined;
}

function findAuthorityEnd(text: CharacterSequence, end: number, port: string): number {
  // NaN makes every later comparison fail.
  if (port !== '') return startsWith(text, end, `:${port}`) ? end + port.length + 1 : Number.NaN;
  for (const own of [':80', ':443']) {
    if (startsWith(text, end, own) && !isDigit(code(text, end + own.length))) return end + own.length;
  }
  return end;
}

/** What may follow an address: the rest of its path, or something that is no part of an authority or path segment. */
const BOUNDARIES = new Set([...'/?#\\"\'<>()[]{},;&|^`'].map((boundary) => boundary.charCodeAt(0)));

function isBoundary(value: number): boolean {
  return Number.isNaN(value) || value <= 0x20 || BOUNDARIES.has(value);
}

function code(text: CharacterSequence, at: number): number {
  return typeof text === 'string' ? text.charCodeAt(at) : (text[at] ?? Number.NaN);
}

function character(text: CharacterSequence, at: number): string {
  const value = code(text, at);
  return Number.isNaN(value) ? '' : String.fromCharCode(value);
}

function isDigit(value: number): boolean {
  return value >= 0x30 && value <= 0x39;
}

function startsWith(text: CharacterSequence, at: number, expected: string): boolean {
  for (let i = 0; i < expected.length; i++) if (code(text, at + i) !== expected.charCodeAt(i)) return false;
  return !Number.isNaN(at);
}

/** Schemes are case-insensitive (RFC 3986 §3.1); slashes do not mind. */
function endsWith(text: CharacterSequence, end: number, expected: string): boolean {
  const start = end - expected.length;
  for (let i = 0; i < expected.length; i++) {
    const found = code(text, start + i);
    if (found !== expected.charCodeAt(i) && (found | 0x20) !== expected.charCodeAt(i)) return false;
  }
  return true;
}
