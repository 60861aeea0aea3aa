/**
 * RFC 9110 §15.1: "Responses with status codes that are defined as heuristically cacheable (e.g., 200, 203, 204, 206,
 * 300, 301, 308, 404, 405, 410, 414, and 501 in this specification) can be reused by a cache with heuristic
 * expiration".
 */
export const HEURISTICALLY_CACHEABLE_STATUSES: ReadonlySet<number> = new Set([
  200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501,
]);

/**
 * RFC 9111 §5.2.2.3, `must-understand`: "limits caching of the response to a cache that understands and conforms to the
 * requirements for that response's status code". These statuses of RFC 9110 require no more of a cache than §3 does.
 */
export const UNDERSTOOD_STATUSES: ReadonlySet<number> = new Set([
  200, 201, 202, 203, 204, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408, 409,
  410, 411, 413, 414, 415, 417, 421, 422, 426, 500, 501, 502, 503, 504, 505,
]);

/** RFC 5861 §4: "an error is any situation that would result in a 500, 502, 503, or 504 HTTP response status code". */
const ERROR_STATUSES: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** Whether `stale-if-error` applies to a response with this status. */
export function isStaleIfErrorStatus(status: number): boolean {
  return ERROR_STATUSES.has(status);
}
