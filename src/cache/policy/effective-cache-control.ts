import {
  type CacheDirective,
  type CacheDirectives,
  NO_DIRECTIVES,
  parseCacheControl,
} from '../../http/cache-directives.ts';
import { fieldValue } from '../../http/fields.ts';
import { type DictionaryMember, parseDictionary } from '../../http/structured-fields.ts';

/** The response directives that apply to this cache: from a targeted field, else from `Cache-Control`. */
export interface EffectiveCacheControl {
  readonly directives: CacheDirectives;
  /** Whether a targeted field supplied them: `Cache-Control` and `Expires` are then ignored. */
  readonly isTargeted: boolean;
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
export function parseEffectiveCacheControl(headers: readonly string[]): EffectiveCacheControl {
  for (const name of TARGETED_FIELDS) {
    const field = fieldValue(headers, name);
    const directives = field === undefined ? null : parseTargetedField(field);
    if (directives !== null && directives.length > 0) return { directives, isTargeted: true };
  }
  const field = fieldValue(headers, 'cache-control');
  return { directives: field === undefined ? NO_DIRECTIVES : parseCacheControl(field), isTargeted: false };
}

/** Directives whose argument is a number (RFC 9213 §2.1: an Integer). One of another type makes the field invalid. */
const NUMERIC_DIRECTIVES = new Set(['max-age', 's-maxage', 'stale-while-revalidate', 'stale-if-error']);

/** Parses a targeted field (RFC 9213 §2.1). Returns `null` if it is invalid. */
function parseTargetedField(field: string): CacheDirectives | null {
  const members = parseDictionary(field);
  if (members === null) return null;
  const directives: CacheDirective[] = [];
  for (const [name, member] of members) {
    if (NUMERIC_DIRECTIVES.has(name) && member.kind !== 'integer') return null;
    const argument = formatArgument(member);
    if (argument !== undefined) directives.push({ name, argument });
  }
  return directives;
}

/** Formats an argument as in `Cache-Control`. Returns `undefined` if the directive is switched off (`no-store=?0`). */
function formatArgument(member: DictionaryMember): string | null | undefined {
  if (member.kind === 'boolean') return member.value ? null : undefined;
  if (member.kind === 'list') return member.items.map(({ value }) => String(value)).join(',');
  return String(member.value);
}
