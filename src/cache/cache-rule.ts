/** Configured freshness, in seconds. */
export interface CacheRule {
  /** Returns the freshness lifetime for a status. `undefined`: the response or the heuristic of RFC 9111 §4.2.2 decides. */
  readonly getTtl: (status: number) => number | undefined;
  /** Stale window of RFC 5861 §3. */
  readonly staleWhileRevalidate: number;
  /** Stale window of RFC 5861 §4. */
  readonly staleIfError: number;
  /** Seconds for which a stale response may be served while the origin cannot be reached (RFC 9111 §4.2.4). */
  readonly staleIfUnreachable: number;
  /** Whether the rule has precedence over the directives of a storable response. @default false */
  readonly overridesResponse: boolean;
}
