import type { HostUrls } from './site-urls.ts';

/** A URL that was found in a text: its position and spelling. */
export interface UrlMatch {
  /** Position of the scheme, or of the slashes in a scheme-relative URL (`//example.com/…`). */
  readonly start: number;
  readonly end: number;
  /** Text that the replacement appends to the new base URL. */
  readonly suffix: string;
  /** Whether slashes are written `\/`, as PHP's `json_encode` does. */
  readonly hasEscapedSlashes: boolean;
  /** Whether the URL has no scheme. */
  readonly isSchemeRelative: boolean;
}

/** A header value or the bytes of a body. */
export type CharacterSequence = string | Uint8Array;

/**
 * Matches the URL of the site whose host name is at `at`; `undefined` if there is no such URL. The authority and the path segments must match
 * whole: `http://example.com.evil.test`, `http://example.com:81`, `http://example.com@evil.test` and, for the base path
 * `/blog`, `http://example.com/blogger` do not match.
 *
 * @param at position of the host name, which must have been matched already
 */
export function matchUrlAt(text: CharacterSequence, at: number, host: HostUrls): UrlMatch | undefined {
  const scheme = matchSchemeBefore(text, at);
  if (scheme === undefined) return undefined;
  const authority = findAuthorityEnd(text, at + host.hostname.length, host.port);
  for (const { path, suffix } of host.basePaths) {
    const spelled = scheme.hasEscapedSlashes ? path.replaceAll('/', '\\/') : path;
    const end = authority + spelled.length;
    if (startsWith(text, authority, spelled) && isBoundary(code(text, end)))
      return { ...scheme, end, suffix };
  }
  return undefined;
}

/** Creates the URL that replaces a match, with the same escaping and the same kind of scheme. */
export function toReplacementUrl(match: UrlMatch, newBase: string): string {
  const whole = newBase + match.suffix;
  const text = match.isSchemeRelative ? whole.slice(whole.indexOf('//')) : whole;
  return match.hasEscapedSlashes ? text.replaceAll('/', '\\/') : text;
}

/** Returns how many code units {@link matchUrlAt} reads at most before and after the start of the host name. */
export function getMatchReach(host: HostUrls): { readonly left: number; readonly right: number } {
  const path = Math.max(0, ...host.basePaths.map((base) => base.path.replaceAll('/', '\\/').length));
  return { left: ' https:\\/\\/'.length, right: host.hostname.length + ':65535'.length + path + 1 };
}

function matchSchemeBefore(
  text: CharacterSequence,
  at: number,
): Pick<UrlMatch, 'start' | 'hasEscapedSlashes' | 'isSchemeRelative'> | undefined {
  const hasEscapedSlashes = endsWith(text, at, '\\/\\/');
  if (!hasEscapedSlashes && !endsWith(text, at, '//')) return undefined;
  const slashes = at - (hasEscapedSlashes ? 4 : 2);
  for (const scheme of ['http:', 'https:']) {
    if (!endsWith(text, slashes, scheme)) continue;
    const start = slashes - scheme.length;
    // RFC 3986 §3.1: a scheme character before it means that this is the end of a longer scheme.
    return /[A-Za-z0-9+.-]/.test(character(text, start - 1))
      ? undefined
      : { start, hasEscapedSlashes, isSchemeRelative: false };
  }
  // `ftp://` and paths with two slashes are not URLs of the site.
  const isAfterDelimiter = /^$|[\s"'(<=>,;[{\\]/.test(character(text, slashes - 1));
  return isAfterDelimiter ? { start: slashes, hasEscapedSlashes, isSchemeRelative: true } : undefined;
}

function findAuthorityEnd(text: CharacterSequence, end: number, port: string): number {
  // NaN makes all later comparisons fail.
  if (port !== '') return startsWith(text, end, `:${port}`) ? end + port.length + 1 : Number.NaN;
  for (const defaultPort of [':80', ':443']) {
    if (startsWith(text, end, defaultPort) && !isDigit(code(text, end + defaultPort.length))) {
      return end + defaultPort.length;
    }
  }
  return end;
}

/** Characters that may follow a base URL: they start the rest of its path or end the URL. */
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

/** Compares without case, as schemes do (RFC 3986 §3.1). Slashes and colons have no case. */
function endsWith(text: CharacterSequence, end: number, expected: string): boolean {
  const start = end - expected.length;
  for (let i = 0; i < expected.length; i++) {
    const match = code(text, start + i);
    if (match !== expected.charCodeAt(i) && (match | 0x20) !== expected.charCodeAt(i)) return false;
  }
  return true;
}
