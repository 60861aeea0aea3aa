/** Why a request bypasses the store. The table in `docs/caching.md` tells what an operator can do about each. */
export type BypassReason =
  /** The method is neither `GET` nor `HEAD`. */
  | 'method'
  /** `_method` or `X-HTTP-Method-Override` may change the method. */
  | 'method override'
  /** The request has content. */
  | 'body'
  /** A header field authenticates the client or its session. */
  | 'credentials'
  /** A header field is not known to be harmless. */
  | 'header'
  /** A cookie is not known to be harmless. */
  | 'cookie'
  /** A parameter of the query is a credential, valid once, or changes the form of the response. */
  | 'parameter'
  /** A parameter of the path is a credential or valid once. */
  | 'path parameter'
  /** PHP would not read all parameters of the query. */
  | 'too many parameters'
  /** The last response of the page could not be stored. */
  | 'hit-for-pass'
  /** A cache rule of the configuration excludes the route. */
  | 'rule';

/** A request that the store must not serve, and whose response must not be stored. */
export interface CacheBypass {
  readonly kind: 'bypass';
  readonly reason: BypassReason;
  /** Name of the field, cookie or parameter, as the client sent it; empty if the reason has none. */
  readonly name: string;
  /** The `detail` of `Cache-Status`: `credentials`, `header X-Foo`. */
  readonly detail: string;
}

/** Reasons whose name clients are told. The names of cookies and credentials are only counted. */
const NAMED_REASONS: ReadonlySet<BypassReason> = new Set(['header', 'parameter', 'path parameter']);

export function createBypass(reason: BypassReason, name = ''): CacheBypass {
  return { kind: 'bypass', reason, name, detail: NAMED_REASONS.has(reason) ? `${reason} ${name}` : reason };
}
