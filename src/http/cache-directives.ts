/** One cache directive (RFC 9111 §5.2): `max-age=60`, `no-cache="set-cookie"`, `no-store`. */
export interface CacheDirective {
  /** Lower case: "Cache directives are identified by a token, to be compared case-insensitively". */
  readonly name: string;
  /** The argument without quotes; `null` if the directive has none. */
  readonly argument: string | null;
}

export type CacheDirectives = readonly CacheDirective[];

export const NO_DIRECTIVES: CacheDirectives = [];

/**
 * RFC 9111 §1.2.2: "If a cache receives a delta-seconds value greater than the greatest integer it can represent, or
 * if any of its subsequent calculations overflows, the cache MUST consider the value to be 2147483648 (2^31)".
 */
export const MAX_DELTA_SECONDS = 2_147_483_648;

/** Parses delta-seconds; `null` for anything but digits: a sign, a fraction, white space, an empty string. */
export function parseDeltaSeconds(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Math.min(Number(text), MAX_DELTA_SECONDS) : null;
}

/**
 * Parses a `Cache-Control` field. Returns the directives in their order, duplicates included. A directive with an invalid
 * argument gets an empty one, so that it can restrict caching but not permit it.
 *
 * RFC 9111 §5.2: "For the directives defined below that define arguments, recipients ought to accept both forms
 * [token and quoted-string], even if a specific form is required for generation".
 */
export function parseCacheControl(field: string): CacheDirectives {
  const directives: CacheDirective[] = [];
  for (const [, name = '', quoted, token] of field.matchAll(DIRECTIVE)) {
    const argument = quoted?.replace(/\\(.)/gs, '$1') ?? token?.trimEnd() ?? null;
    // White space beside `=` is invalid, so the argument is ignored.
    const isInvalid = argument !== null && (/[ \t]$/.test(name) || /^[ \t]/.test(token ?? ''));
    const trimmed = name.trim().toLowerCase();
    if (trimmed !== '') directives.push({ name: trimmed, argument: isInvalid ? '' : argument });
  }
  return directives;
}

/**
 * A directive up to the next comma: its name, and its argument as a quoted string or a token. An unclosed quoted string extends to the
 * end.
 */
const DIRECTIVE = /([^=,]*)(?:=(?:"((?:\\.|[^"\\])*)"?|([^,]*)))?[^,]*,?/gs;

/** Whether a directive is present. Its argument is ignored: `no-store=1` also applies. */
export function hasDirective(directives: CacheDirectives, name: string): boolean {
  return directives.some((directive) => directive.name === name);
}

/**
 * Parses the seconds of a directive. Returns `undefined` if it is absent, and `null` if its argument is not a number.
 *
 * RFC 9111 §4.2.1: "When there is more than one value present for a given directive […], either the first occurrence
 * should be used or the response should be considered stale." The first is used.
 */
export function parseDirectiveSeconds(directives: CacheDirectives, name: string): number | null | undefined {
  const first = directives.find((directive) => directive.name === name);
  return first === undefined ? undefined : parseDeltaSeconds(first.argument);
}

/** Whether a directive is present in its unqualified form, without field names (RFC 9111 §5.2.2.4, §5.2.2.7). */
export function hasUnqualifiedDirective(directives: CacheDirectives, name: string): boolean {
  return directives.some((directive) => directive.name === name && splitFieldNames(directive).length === 0);
}

/** Lists the field names, in lower case, of the qualified form of a directive: `no-cache="set-cookie, x-foo"`. */
export function listQualifiedFieldNames(directives: CacheDirectives, name: string): readonly string[] {
  return directives.flatMap((directive) => (directive.name === name ? splitFieldNames(directive) : []));
}

function splitFieldNames({ argument }: CacheDirective): readonly string[] {
  return (argument ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}
