/** One cache directive (RFC 9111 §5.2) as it was written: `max-age=60`, `no-cache="set-cookie"`, `no-store`. */
export interface CacheDirective {
  /** Lower case: "Cache directives are identified by a token, to be compared case-insensitively". */
  readonly name: string;
  /** Without its quotes; `null` where there is none. */
  readonly argument: string | null;
}

export type CacheDirectives = readonly CacheDirective[];

export const NO_DIRECTIVES: CacheDirectives = [];

/**
 * RFC 9111 §1.2.2: "If a cache receives a delta-seconds value greater than the greatest integer it can represent, or
 * if any of its subsequent calculations overflows, the cache MUST consider the value to be 2147483648 (2^31)".
 */
export const MAX_DELTA_SECONDS = 2_147_483_648;

/** Reads digits as seconds; `null` where it is anything else: a sign, a fraction, a space, nothing. */
export function parseDeltaSeconds(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Math.min(Number(text), MAX_DELTA_SECONDS) : null;
}

/**
 * The directives of a `Cache-Control` field, in order, repeated ones repeated. Of what breaks the grammar a directive
 * is kept with an argument that says nothing, so that it restricts and never permits.
 *
 * RFC 9111 §5.2: "For the directives defined below that define arguments, recipients ought to accept both forms
 * [token and quoted-string], even if a specific form is required for generation".
 */
export function parseCacheControl(field: string): CacheDirectives {
  const directives: CacheDirective[] = [];
  let at = 0;
  while (at < field.length) {
    const nameEnd = indexOfAny(field, at, NAME_END);
    const name = field.slice(at, nameEnd);
    at = nameEnd;
    let argument: string | null = null;
    if (field[at] === '=') {
      const read = parseArgument(field, at + 1);
      at = read.end;
      // A space before `=` is no part of the grammar: what follows it is not believed.
      argument = /[ \t]$/.test(name) ? '' : read.argument;
    }
    const trimmed = name.trim();
    if (trimmed !== '') directives.push({ name: trimmed.toLowerCase(), argument });
    at = indexOfAny(field, at, ',') + 1;
  }
  return directives;
}

const NAME_END = '=,';

/** A quoted string or all up to the next comma. A quoted string that is never closed runs to the end. */
function parseArgument(field: string, start: number): { argument: string; end: number } {
  if (field[start] !== '"') {
    const end = indexOfAny(field, start, ',');
    const raw = field.slice(start, end);
    return { argument: /^[ \t]/.test(raw) ? '' : raw.trimEnd(), end };
  }
  let argument = '';
  let at = start + 1;
  while (at < field.length && field[at] !== '"') {
    if (field[at] === '\\') at += 1;
    argument += field[at] ?? '';
    at += 1;
  }
  return { argument, end: at + 1 };
}

function indexOfAny(text: string, from: number, marks: string): number {
  let at = from;
  while (at < text.length && !marks.includes(text[at] ?? '')) at += 1;
  return at;
}

/** Whether a directive is there, whatever its argument: those that take none are obeyed with one too. */
export function hasDirective(directives: CacheDirectives, name: string): boolean {
  return directives.some((directive) => directive.name === name);
}

/**
 * The seconds of a directive: `undefined` where it is absent, `null` where its argument is no number.
 *
 * RFC 9111 §4.2.1: "When there is more than one value present for a given directive […], either the first occurrence
 * should be used or the response should be considered stale." The first is used.
 */
export function directiveSeconds(directives: CacheDirectives, name: string): number | null | undefined {
  const first = directives.find((directive) => directive.name === name);
  return first === undefined ? undefined : parseDeltaSeconds(first.argument);
}

/** Whether a directive that may name fields stands without (RFC 9111 §5.2.2.4, §5.2.2.7: the unqualified form). */
export function hasUnqualifiedDirective(directives: CacheDirectives, name: string): boolean {
  return directives.some((directive) => directive.name === name && fieldNames(directive).length === 0);
}

/** The fields that the qualified form names, lower case: `no-cache="set-cookie, x-foo"`. */
export function qualifiedFields(directives: CacheDirectives, name: string): readonly string[] {
  return directives.flatMap((directive) => (directive.name === name ? fieldNames(directive) : []));
}

function fieldNames({ argument }: CacheDirective): readonly string[] {
  return (argument ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}
