import { fieldValue, withoutFields } from '../http/fields.ts';
import { memoizeByString } from '../memoize.ts';

/** Content codings of stored responses, preferred first: a body is compressed once and sent often, so size decides. */
export const CONTENT_CODINGS = ['br', 'zstd', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** Maximum memoized spellings of `Accept-Encoding`; browsers and libraries use about a dozen. */
export const MAX_MEMOIZED_ACCEPT_ENCODINGS = 256;

/** RFC 9110 §8.4.1.3: a recipient should consider "x-gzip" to be equivalent to "gzip". */
const ALIASES: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' };

/** RFC 9110 §12.4.2. */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/**
 * Lists the offered codings that a client prefers to the identity body, best first (RFC 9110 §12.5.3). A coding that is
 * not listed is not acceptable, unless `*` is. `identity` is acceptable after all listed codings, unless it has a weight.
 * Where nothing is acceptable the field may be disregarded: the identity body is sent then.
 */
export function listPreferredCodings(
  field: string | undefined,
  offered: readonly ContentCoding[],
): readonly ContentCoding[] {
  if (field === undefined) return [];
  const weights = new Map<string, number>();
  for (const member of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim());
    // Invalid members are ignored, and the first of repeated ones counts.
    const weight = parseWeight(parameters);
    const coding = ALIASES[name] ?? name;
    if (coding !== '' && weight !== undefined && !weights.has(coding)) weights.set(coding, weight);
  }
  const wildcard = weights.get('*') ?? 0;
  const identity = weights.get('identity') ?? 0;
  const weigh = (coding: ContentCoding) => weights.get(coding) ?? wildcard;
  return offered
    .filter((coding) => weigh(coding) > 0 && weigh(coding) >= identity)
    .sort(
      (left, right) =>
        weigh(right) - weigh(left) || CONTENT_CODINGS.indexOf(left) - CONTENT_CODINGS.indexOf(right),
    );
}

/**
 * Creates a function that gives all values with the same set of acceptable {@link CONTENT_CODINGS} one spelling. An origin
 * that compresses then has one variant for each set, instead of one for each spelling. Weights are dropped: they only
 * express preference.
 */
export function createAcceptEncodingNormalizer(): (field: string) => string {
  return memoizeByString((field) => {
    const accepted = new Set(listPreferredCodings(field, CONTENT_CODINGS));
    // Where nothing is acceptable, `identity` is sent: a missing field would allow any coding (RFC 9110 §12.5.3).
    return CONTENT_CODINGS.filter((coding) => accepted.has(coding)).join(', ') || 'identity';
  }, MAX_MEMOIZED_ACCEPT_ENCODINGS);
}

/** Replaces the value of `Accept-Encoding`. Returns the same list where nothing changes. */
export function normalizeAcceptEncoding(headers: string[], normalize: (field: string) => string): string[] {
  const field = fieldValue(headers, FIELD_NAME);
  if (field === undefined) return headers;
  const normalized = normalize(field);
  return normalized === field
    ? headers
    : [...withoutFields(headers, FIELD_NAMES), 'Accept-Encoding', normalized];
}

const FIELD_NAME = 'accept-encoding';
const FIELD_NAMES: ReadonlySet<string> = new Set([FIELD_NAME]);

function parseWeight([parameter, ...others]: readonly string[]): number | undefined {
  if (parameter === undefined) return 1;
  const [, weight] = WEIGHT.exec(parameter) ?? [];
  return weight === undefined || others.length > 0 ? undefined : Number(weight);
}
