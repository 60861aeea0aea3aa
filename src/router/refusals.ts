/** What cannot be made unambiguous, and what the caller is told. `code` is in WordPress's manner. */
const TARGET_REFUSALS = {
  'target-form': {
    status: 400,
    code: 'rest_invalid_target',
    message: 'The request target must be a path or an http address.',
  },
  'target-characters': {
    status: 400,
    code: 'rest_invalid_target',
    message: 'The address holds a control character, a space or a fragment. Percent-encode it.',
  },
  'target-length': {
    status: 414,
    code: 'rest_uri_too_long',
    message: 'The address is too long. Send long values in the body.',
  },
  'dot-segments': {
    status: 400,
    code: 'rest_ambiguous_path',
    message: 'The path holds a "." or ".." segment or a backslash. Servers resolve these in different ways.',
  },
  'encoded-prefix': {
    status: 400,
    code: 'rest_ambiguous_path',
    message: 'The path reaches the REST interface in an encoded spelling. Write it plainly.',
  },
  'malformed-path': {
    status: 400,
    code: 'rest_invalid_target',
    message: 'The path holds a malformed percent-encoding, or an encoded NUL.',
  },
  'route-array': {
    status: 400,
    code: 'rest_ambiguous_route',
    message: 'rest_route must be a string, not an array.',
  },
  'method-array': {
    status: 400,
    code: 'rest_ambiguous_method',
    message: '_method must be a string, not an array.',
  },
  'method-repeated': {
    status: 400,
    code: 'rest_ambiguous_method',
    message: 'X-HTTP-Method-Override was sent more than once.',
  },
  'control-late': {
    status: 400,
    code: 'rest_ambiguous_query',
    message:
      'rest_route and _method must stand within the first 999 variables of the query: PHP may read no more.',
  },
  'control-semicolon': {
    status: 400,
    code: 'rest_ambiguous_query',
    message: 'rest_route or _method stands behind a semicolon, which some sites read as a separator.',
  },
} as const;

export type TargetRefusalReason = keyof typeof TARGET_REFUSALS;

/** A request that goes nowhere: an answer for the caller. */
export interface TargetRefusal {
  readonly kind: 'refused';
  readonly reason: TargetRefusalReason;
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export function refuseTarget(reason: TargetRefusalReason): TargetRefusal {
  return { kind: 'refused', reason, ...TARGET_REFUSALS[reason] };
}
