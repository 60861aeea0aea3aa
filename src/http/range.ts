/** A range of bytes, inclusive of `first` and `last`. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** The result of applying a `Range` field to a representation of a known length. */
export type ResolvedRange =
  /** The field is invalid or not supported, so the whole representation is sent (RFC 9110 §14.2). */
  | { readonly kind: 'ignored' }
  /** No byte of the representation is in the range: the response is a 416. */
  | { readonly kind: 'unsatisfiable' }
  /** The response is a 206 with these bytes. */
  | { readonly kind: 'range'; readonly range: ByteRange };

const IGNORED: ResolvedRange = { kind: 'ignored' };
const UNSATISFIABLE: ResolvedRange = { kind: 'unsatisfiable' };

/**
 * Applies a `Range` field (RFC 9110 §14.2) to a representation of `length` bytes. A field with several ranges is ignored,
 * as §14.2 allows: clients of a REST API do not need `multipart/byteranges`, and many small ranges can be an attack
 * (§17.15).
 */
export function resolveRange(field: string, length: number): ResolvedRange {
  const spec = /^bytes[ \t]*=[ \t]*(?:(\d+)[ \t]*)?-[ \t]*(\d*)$/i.exec(field.trim());
  if (spec === null) return IGNORED;
  const [, first = '', last = ''] = spec;
  if (first === '') {
    if (last === '') return IGNORED;
    // §14.1.2: "If the selected representation is shorter than the specified suffix-length, the entire representation
    // is used." A suffix of length 0 is unsatisfiable, and so is any suffix of an empty representation.
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
