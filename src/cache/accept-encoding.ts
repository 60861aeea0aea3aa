import { fieldValue, withoutFields } from '../http/fields.ts';

/** Codings that a rendition may be kept in, the preferred first: what is made once and sent often had best be small. */
export const CONTENT_CODINGS = ['br', 'zstd', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** Spellings that are remembered; browsers and libraries know a dozen. */
const MAX_MEMOIZED = 256;

/** RFC 9110 §8.4.1.3: a recipient should consider "x-gzip" to be equivalent to "gzip". */
const ALIASES: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' };

/** RFC 9110 §12.4.2. */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/**
 * RFC 9110 §12.5.3: the codings that a caller prefers to the plain body, the best first. A coding that is not listed is
 * not acceptable, unless `*` is; the plain body is, after all that is listed, unless it is given a weight of its own.
 * Where nothing is acceptable the field may be disregarded: the plain body is sent then.
 */
export function preferredCodings(
  field: string | undefined,
  offered: readonly ContentCoding[],
): readonly ContentCoding[] {
  if (field === undefined) return [];
  const weights = new Map<string, number>();
  for (const member of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim());
    // The first counts, and what cannot be read says nothing.
    const weight = parseWeight(parameters);
    const coding = ALIASES[name] ?? name;
    if (coding !== '' && weight !== undefined && !weights.has(coding)) weights.set(coding, weight);
  }
  const any = weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  const weigh = (coding: ContentCoding) => weights.get(coding) ?? any;
  return offered
    .filter((coding) => weigh(coding) > 0 && weigh(coding) >= plain)
    .sort(
      (left, right) =>
        weigh(right) - weigh(left) || CONTENT_CODINGS.indexOf(left) - CONTENT_CODINGS.indexOf(right),
    );
}

/**
 * One spelling for all that accept the same of {@link CONTENT_CODINGS}: sent to a site that may compress, it keeps one answer for
 * each such set, and not for each way to write it. Weights say no more than which of them is liked best.
 */
export function createAcceptEncodingNormalizer(): (field: string) => string {
  const known = new Map<string, string>();
  return (field) => {
    const found = known.get(field);
    if (found !== undefined) return found;
    const accepted = new Set(preferredCodings(field, CONTENT_CODINGS));
    // Without the field any coding would do (RFC 9110 §12.5.3).
    const spelled = CONTENT_CODINGS.filter((coding) => accepted.has(coding)).join(', ') || 'identity';
    if (known.size >= MAX_MEMOIZED) known.clear();
    known.set(field, spelled);
    return spelled;
  };
}

/** Headers as a new list in which `Accept-Encoding`, where it is there, is spelled anew. */
export function normalizeAcceptEncoding(headers: string[], spell: (field: string) => string): string[] {
  const field = fieldValue(headers, NAME);
  if (field === undefined) return headers;
  const spelled = spell(field);
  return spelled === field ? headers : [...withoutFields(headers, NAMES), 'Accept-Encoding', spelled];
}

const NAME = 'accept-encoding';
const NAMES: ReadonlySet<string> = new Set([NAME]);

function parseWeight([parameter, ...others]: readonly string[]): number | undefined {
  if (parameter === undefined) return 1;
  const [, weight] = WEIGHT.exec(parameter) ?? [];
  return weight === undefined || others.length > 0 ? undefined : Number(weight);
}
