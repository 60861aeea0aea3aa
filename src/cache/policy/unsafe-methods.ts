import { splitNames } from '../../glob.ts';

/** Safe methods (RFC 9110 §9.2.1, and the others of the method registry). */
const SAFE_METHODS: ReadonlySet<string> = new Set(
  splitNames('GET HEAD OPTIONS TRACE PROPFIND REPORT SEARCH QUERY PRI'),
);

/**
 * Whether a response invalidates what is stored for its target. RFC 9111 §4.4: "A cache MUST invalidate the target URI […] when it
 * receives a non-error status code in response to an unsafe request method (including methods whose safety is unknown). […] a "non-error
 * response" is one with a 2xx (Successful) or 3xx (Redirection) status code."
 */
export function invalidatesTarget(method: string, status: number): boolean {
  return !SAFE_METHODS.has(method) && status >= 200 && status <= 399;
}
