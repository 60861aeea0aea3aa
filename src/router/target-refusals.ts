/** Problem responses for ambiguous requests, by reason. `code` has the form of WordPress's error codes. */
const TARGET_REFUSALS = {
  'target-form': {
    status: 400,
    code: 'rest_invalid_target',
    message: 'The request target must be a path or an http URL.',
  },
  'target-characters': {
    status: 400,
    code: 'rest_invalid_target',
    message: 'The request target contains a control character, a space or a fragment. Percent-encode it.',
  },
  'target-length': {
    status: 414,
    code: 'rest_uri_too_long',
    message: 'The request target is too long. Send long values in the body.',
  },
  'dot-segments': {
    status: 400,
    code: 'rest_ambiguous_path',
    message: 'The path contains a "." or ".." segment or a backslash. Servers resolve these differently.',
  },
  'encoded-prefix': {
    status: 400,
    code: 'rest_ambiguous_path',
    message: 'The path contains the prefix of the REST API in percent-encoding. Send the prefix without it.',
  },
  'malformed-path': {
    status: 400,
    code: 'rest_invalid_target',
    message: 'The path contains a malformed percent-encoding or an encoded NUL.',
  },
  'route-array': {
    status: 400,
    code: 'rest_ambiguous_route',
    message: 'rest_route must be a string, not an array.',
  },
  'route-path': {
    status: 400,
    code: 'rest_ambiguous_route',
    message: 'rest_route is accepted at the front page and index.php. Other addresses may not read it.',
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
  'variable-position': {
    status: 400,
    code: 'rest_ambiguous_query',
    message:
      'rest_route and _method must be among the first 999 variables of the query. PHP may ignore later ones.',
  },
  'variable-semicolon': {
    status: 400,
    code: 'rest_ambiguous_query',
    message: 'rest_route or _method follows a semicolon, which some sites treat as a separator.',
  },
} as const;

/** The reason why a request is refused as ambiguous. */
export type TargetRefusalReason = keyof typeof TARGET_REFUSALS;

/** The problem response for a request that is not forwarded because readers could interpret it differently. */
export interface TargetRefusal {
  readonly kind: 'refused';
  readonly reason: TargetRefusalReason;
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Creates the problem response for a reason. */
export function createTargetRefusal(reason: TargetRefusalReason): TargetRefusal {
  return { kind: 'refused', reason, ...TARGET_REFUSALS[reason] };
}
