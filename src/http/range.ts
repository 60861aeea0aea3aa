/** A range of bytes; both ends are included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A `Range` field, applied to a representation of a known length. */
export type ResolvedRange =
  /** Unsupported or invalid: "A server that supports range requests MAY ignore" it and respond with the whole. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'range'; readonly range: ByteRange };

const IGNORED: ResolvedRange = { kind: 'ignored' };
const UNSATISFIABLE: ResolvedRange = { kind: 'unsatisfiable' };

/**
 * Applies a `Range` field (RFC 9110 §14.2) to a representation of a known length. Multiple ranges are ignored, as §14.2
 * allows: clients of a REST API do not need `multipart/byteranges`, and many small ranges are an attack (§17.15).
 */
export function resolveRange(field: string, length: number): ResolvedRange {
  const spec = /^bytes[ \t]*=[ \t]*(\d*)[ \t]*-[ \t]*(\d*)$/i.exec(field.trim());
  if (spec === null) return IGNORED;
  const [, first = '', last = ''] = spec;
  if (first === '') {
    if (last === '') return IGNORED;
    // §14.1.2: "If the selected representation is shorter than the specified suffix-length, the entire representation
    // is used." A suffix of no bytes, and any suffix of nothing, is unsatisfiable.
    const suffix = Number(last);
    if (suffix === 0 || length === 0) return UNSATISFIABLE;
    return { kind: 'range', range: { first: Math.max(0, length - suffix), last: length - 1 } };
  }
  const from = Number(first);
  // "An int-range is invalid if the last-pos value is present and less than first-pos."
  if (last !== '' && Number(last) < from) return IGNORED;
  if (from >= length) return UNSATISFIABLE;
  return {
    kind: 'range',
    range: { first: from, last: last === '' ? length - 1 : Math.min(Number(last), length - 1) },
  };
}
