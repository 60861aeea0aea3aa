import {
  type CacheDirectives,
  hasDirective,
  hasUnqualifiedDirective,
  MAX_DELTA_SECONDS,
  parseDirectiveSeconds,
} from '../../http/cache-directives.ts';
import type { CacheRule } from '../cache-rule.ts';

/** Times after the end of the freshness lifetime in which a response may still be served, in seconds (RFC 5861). */
export interface StaleWindows {
  /** Window in which the response is refreshed in the background. */
  readonly staleWhileRevalidate: number;
  /** Window in which the response may replace an error of the origin. */
  readonly staleIfError: number;
  /** Window in which the response may be served while the origin cannot be reached. */
  readonly staleIfUnreachable: number;
}

/**
 * The window of `staleIfUnreachable` if nothing is configured: a day, in seconds. RFC 9111 §4.2.4: "A cache MUST NOT
 * generate a stale response unless it is disconnected or doing so is explicitly permitted by the client or origin
 * server".
 */
export const DEFAULT_STALE_IF_UNREACHABLE: number = 24 * 3600;

/** The windows of a response that may only be served while it is fresh. */
export const NO_WINDOWS: StaleWindows = { staleWhileRevalidate: 0, staleIfError: 0, staleIfUnreachable: 0 };

/**
 * Whether directives forbid stale responses. RFC 9111 §4.2.4: "A cache MUST NOT generate a stale response if it is prohibited by an explicit in-protocol directive
 * (e.g., by a no-cache response directive, a must-revalidate response directive, or an applicable s-maxage or
 * proxy-revalidate response directive".
 */
export function forbidsStale(directives: CacheDirectives): boolean {
  return requiresRevalidation(directives) || hasDirective(directives, 's-maxage');
}

/** Whether a directive forbids stale responses explicitly; `s-maxage` only implies it. */
function requiresRevalidation(directives: CacheDirectives): boolean {
  return (
    hasDirective(directives, 'must-revalidate') ||
    hasDirective(directives, 'proxy-revalidate') ||
    hasUnqualifiedDirective(directives, 'no-cache')
  );
}

/**
 * Calculates the stale windows: from `stale-while-revalidate` and `stale-if-error`, else from the rule.
 *
 * `s-maxage` forbids stale responses implicitly (RFC 9111 §5.2.2.10). A window that the origin states in the same field
 * is more specific and applies: sites write `s-maxage=60, stale-while-revalidate=600`.
 */
export function calculateStaleWindows(
  status: number,
  directives: CacheDirectives,
  rule: CacheRule,
): StaleWindows {
  // A stored server error must not be served in place of a later one.
  const ruleWindows: StaleWindows = status >= 500 ? NO_WINDOWS : rule;
  if (rule.overridesResponse && rule.getTtl(status) !== undefined) return pick(ruleWindows);
  if (requiresRevalidation(directives)) return NO_WINDOWS;
  const defaults = hasDirective(directives, 's-maxage') ? NO_WINDOWS : ruleWindows;
  // What the origin states for its errors holds for an origin that does not respond, too.
  const statedIfError = getStatedWindow(directives, 'stale-if-error');
  return {
    staleWhileRevalidate:
      getStatedWindow(directives, 'stale-while-revalidate') ?? defaults.staleWhileRevalidate,
    staleIfError: statedIfError ?? defaults.staleIfError,
    staleIfUnreachable: statedIfError ?? defaults.staleIfUnreachable,
  };
}

/** Parses the seconds of a directive. Returns undefined if it is absent, and 0 if its argument is invalid. */
function getStatedWindow(directives: CacheDirectives, name: string): number | undefined {
  const seconds = parseDirectiveSeconds(directives, name);
  return seconds === undefined ? undefined : Math.min(seconds ?? 0, MAX_DELTA_SECONDS);
}

function pick({ staleWhileRevalidate, staleIfError, staleIfUnreachable }: StaleWindows): StaleWindows {
  return { staleWhileRevalidate, staleIfError, staleIfUnreachable };
}
