import type { RequestHead } from '../../http/request-head.ts';
import { TwoGenerationMap } from '../../memoize.ts';
import type { OperationMatch, OperationMatcher } from '../../router/matcher.ts';
import { readRoutingHeaders } from '../../router/routing-head.ts';
import type { PageTarget, ResolvedTarget, RouteTarget } from '../../router/target.ts';
import type { RequestTargetBuilder } from '../../upstream/request-target.ts';

/**
 * A request head resolved by one snapshot. Repeated requests for an address share one object, which other modules use as key
 * of a `WeakMap` to memoize their results.
 */
export type ResolvedRequest = RouteRequest | PageRequest | LocalRequest;

interface MemoizableRequest {
  /** Whether later requests get the same object. Only then do other modules memoize results by it. */
  readonly isMemoized: boolean;
}

/** A request for a REST route. */
export interface RouteRequest extends MemoizableRequest {
  readonly kind: 'route';
  readonly target: RouteTarget;
  readonly match: OperationMatch;
  /** Path and query at the site. */
  readonly upstreamTarget: string;
}

/** A request for another page of the site (passthrough). */
export interface PageRequest extends MemoizableRequest {
  readonly kind: 'page';
  readonly target: PageTarget;
  /** Path and query at the site. */
  readonly upstreamTarget: string;
}

/** A request that the gateway responds to itself. */
export interface LocalRequest {
  readonly kind: 'local';
  readonly target: Exclude<ResolvedTarget, RouteTarget | PageTarget>;
}

/** The parts of a snapshot that resolve requests. */
export interface RequestResolverOptions {
  readonly resolveTarget: (head: RequestHead) => ResolvedTarget;
  readonly matcher: OperationMatcher;
  readonly addressing: RequestTargetBuilder;
}

/** Maximum number of memoized requests. Each takes a few thousand bytes, with the results that other modules memoize. */
const MAX_ENTRIES = 1024;
/** Longer request targets are not memoized. */
const MAX_TARGET_LENGTH = 1024;

/**
 * Creates a function that resolves request heads. It memoizes `GET` requests by target, as clients repeat a few addresses;
 * only the method and its override headers matter beside the target. A target is memoized when it is requested the second
 * time: keeping an entry alive costs more than resolving it once.
 */
export function createRequestResolver({
  addressing,
  matcher,
  resolveTarget,
}: RequestResolverOptions): (head: RequestHead) => ResolvedRequest {
  const memoized = new TwoGenerationMap<ResolvedRequest>(MAX_ENTRIES);
  const requestedOnce = new Set<string>();

  function resolve(head: RequestHead, isMemoized: boolean): ResolvedRequest {
    const target = resolveTarget(head);
    if (target.kind === 'route') {
      const match = matcher.match(target.method, target.route);
      const upstreamTarget = addressing.buildRouteTarget(target.route, target);
      return { kind: 'route', target, match, upstreamTarget, isMemoized };
    }
    if (target.kind !== 'page') return { kind: 'local', target };
    const { hasFormBody, path, query } = target;
    return {
      kind: 'page',
      target,
      upstreamTarget: addressing.buildPageTarget(path, query, hasFormBody),
      isMemoized,
    };
  }

  return (head) => {
    if (head.method !== 'GET' || readRoutingHeaders(head.headers).methodOverrides.length > 0)
      return resolve(head, false);
    const known = memoized.get(head.target);
    if (known !== undefined) return known;
    const isRepeated = requestedOnce.has(head.target);
    const resolved = resolve(head, isRepeated);
    if (isRepeated) memoized.set(head.target, resolved);
    else if (head.target.length <= MAX_TARGET_LENGTH) {
      if (requestedOnce.size >= MAX_ENTRIES) requestedOnce.clear();
      requestedOnce.add(head.target);
    }
    return resolved;
  };
}
