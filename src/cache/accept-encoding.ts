import { fieldValue, withoutFields } from '../http/fields.ts';
import { memoizeByString } from '../memoize.ts';

/** Content codings of stored responses, smallest result first: a body is compressed once and sent often. */
export const CONTENT_CODINGS = ['br', 'zstd', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** Maximum memoized values of `Accept-Encoding`. Browsers and libraries send about a dozen different ones. */
export const MAX_MEMOIZED_ACCEPT_ENCODINGS = 256;

/** Aliases of content codings. RFC 9110 §8.4.1.3: a recipient should consider "x-gzip" to be equivalent to "gzip". */
const CODING_ALIASES: ReadonlyMap<string, string> = new Map([['x-gzip', 'gzip']]);

/** The weight of a coding (RFC 9110 §12.4.2). */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/**
 * Lists the offered codings that a client prefers to the identity body, best first (RFC 9110 §12.5.3). A coding that the
 * field does not list has the weight of `*`, or is not acceptable. `identity` ranks after all other codings, unless the
 * field gives it a weight. An empty result means that the identity body is sent.
 */
export function listPreferredCodings(
  field: string | undefined,
  offered: readonly ContentCoding[],
): readonly ContentCoding[] {
  if (field === undefined) return [];
  const weights = new Map<string, number>();
  for (const member of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim());
    // Invalid members are ignored. Of repeated members, the first is used.
    const weight = parseWeight(parameters);
    const coding = CODING_ALIASES.get(name) ?? name;
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
 * Creates a function that converts a value of `Accept-Encoding` to the list of acceptable {@link CONTENT_CODINGS}, without
 * weights. Equal lists become one variant, however clients write them, if the origin compresses responses.
 */
export function createAcceptEncodingNormalizer(): (field: string) => string {
  return memoizeByString((field) => {
    const accepted = new Set(listPreferredCodings(field, CONTENT_CODINGS));
    // For an empty list the value is `identity`, because a missing field would allow any coding (RFC 9110 §12.5.3).
    return CONTENT_CODINGS.filter((coding) => accepted.has(coding)).join(', ') || 'identity';
  }, MAX_MEMOIZED_ACCEPT_ENCODINGS);
}

/** Normalizes the value of `Accept-Encoding`. Returns `headers` itself if the field is absent or normalized already. */
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
