import { type Directive, type Directives, NO_DIRECTIVES, parseDirectives } from '../../http/directives.ts';
import { fieldValue } from '../../http/fields.ts';
import { type Member, parseDictionary } from '../../http/structured.ts';

/** The directives that this cache goes by. */
export interface Governing {
  readonly directives: Directives;
  /** From a targeted field: `Cache-Control` and `Expires` count for nothing then. */
  readonly targeted: boolean;
}

/**
 * RFC 9213 §2.2: a cache "maintains a target list — an ordered list of the targeted field names that it uses for caching
 * policy, with the order reflecting priority from most applicable to least applicable."
 */
export const TARGETED_FIELDS = ['waygate-cache-control', 'cdn-cache-control'] as const;

/**
 * RFC 9213 §2.2: "the cache MUST select the first (in target list order) field with a valid, non-empty value and use
 * its value to determine the caching policy for the response, and it MUST ignore the Cache-Control and Expires header
 * fields in that response, unless no valid, non-empty value is available from the listed header fields."
 */
export function governing(headers: readonly string[]): Governing {
  for (const name of TARGETED_FIELDS) {
    const field = fieldValue(headers, name);
    const directives = field === undefined ? null : readTargeted(field);
    if (directives !== null && directives.length > 0) return { directives, targeted: true };
  }
  const field = fieldValue(headers, 'cache-control');
  return { directives: field === undefined ? NO_DIRECTIVES : parseDirectives(field), targeted: false };
}

/** Directives whose argument is a number (RFC 9213 §2.1: an Integer). One of another type makes the field invalid. */
const NUMERIC = new Set(['max-age', 's-maxage', 'stale-while-revalidate', 'stale-if-error']);

function readTargeted(field: string): Directives | null {
  const members = parseDictionary(field);
  if (members === null) return null;
  const directives: Directive[] = [];
  for (const [name, member] of members) {
    if (NUMERIC.has(name) && member.kind !== 'integer') return null;
    const argument = argumentOf(member);
    if (argument !== undefined) directives.push({ name, argument });
  }
  return directives;
}

/** `undefined` where the directive is switched off (`no-store=?0`). */
function argumentOf(member: Member): string | null | undefined {
  if (member.kind === 'boolean') return member.value ? null : undefined;
  if (member.kind === 'list') return member.items.map(({ value }) => String(value)).join(',');
  return String(member.value);
}
