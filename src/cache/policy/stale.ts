import {
  type Directives,
  directiveSeconds,
  hasDirective,
  isUnqualified,
  MAX_SECONDS,
} from '../../http/directives.ts';
import type { CacheRule } from '../cache.ts';

/** How long after its freshness an answer may still be served, in seconds. */
export interface StaleWindows {
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
}

const NONE: StaleWindows = { staleWhileRevalidate: 0, staleIfError: 0 };

/**
 * RFC 9111 §4.2.4: "A cache MUST NOT generate a stale response if it is prohibited by an explicit in-protocol directive
 * (e.g., by a no-cache response directive, a must-revalidate response directive, or an applicable s-maxage or
 * proxy-revalidate response directive".
 */
export function forbidsStale(directives: Directives): boolean {
  return demandsRevalidation(directives) || hasDirective(directives, 's-maxage');
}

/** …in so many words, and not by what `s-maxage` implies. */
function demandsRevalidation(directives: Directives): boolean {
  return (
    hasDirective(directives, 'must-revalidate') ||
    hasDirective(directives, 'proxy-revalidate') ||
    isUnqualified(directives, 'no-cache')
  );
}

/**
 * RFC 5861: the site's `stale-while-revalidate` and `stale-if-error`, else the rule's.
 *
 * Beside `s-maxage`, which forbids stale answers by the way (§5.2.2.10), a window that the site states itself counts:
 * it is the more particular of the two, and `s-maxage=60, stale-while-revalidate=600` is how sites write it.
 */
export function staleWindows(status: number, directives: Directives, rule: CacheRule): StaleWindows {
  // What is wrong with a site now is not what to show when something is wrong with it later.
  const ruled: StaleWindows = status >= 500 ? NONE : rule;
  if (rule.override && rule.ttl(status) !== undefined) return { ...pick(ruled) };
  if (demandsRevalidation(directives)) return NONE;
  const assumed = hasDirective(directives, 's-maxage') ? NONE : ruled;
  return {
    staleWhileRevalidate: stated(directives, 'stale-while-revalidate') ?? assumed.staleWhileRevalidate,
    staleIfError: stated(directives, 'stale-if-error') ?? assumed.staleIfError,
  };
}

/** A window that cannot be read is none. */
function stated(directives: Directives, name: string): number | undefined {
  const seconds = directiveSeconds(directives, name);
  return seconds === undefined ? undefined : Math.min(seconds ?? 0, MAX_SECONDS);
}

function pick({ staleWhileRevalidate, staleIfError }: StaleWindows): StaleWindows {
  return { staleWhileRevalidate, staleIfError };
}
