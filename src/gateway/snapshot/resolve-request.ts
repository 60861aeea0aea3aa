import type { RequestHead } from '../../http/request-head.ts';
import type { OperationMatch, OperationMatcher } from '../../router/matcher.ts';
import type { PageTarget, ResolvedTarget, RouteTarget } from '../../router/target.ts';
import type { RequestTargetBuilder } from '../../upstream/request-target.ts';

/** What a request head means at one snapshot. It depends on method, target and the header fields that override the method. */
export type ResolvedRequest =
  | RouteRequest
  | PageRequest
  | { readonly kind: 'local'; readonly target: LocalTarget };

/** A request for a REST route. */
export interface RouteRequest {
  readonly kind: 'route';
  readonly target: RouteTarget;
  readonly match: OperationMatch;
  /** Path and query at the site. */
  readonly upstreamTarget: string;
}

/** A request for another page of the site (passthrough). */
export interface PageRequest {
  readonly kind: 'page';
  readonly target: PageTarget;
  /** Path and query at the site. */
  readonly upstreamTarget: string;
}

/** What the gateway responds to itself. */
export type LocalTarget = Exclude<ResolvedTarget, RouteTarget | PageTarget>;

/** Creates the function that resolves the request heads of one snapshot. */
export function createRequestResolver(
  resolveTarget: (head: RequestHead) => ResolvedTarget,
  matcher: OperationMatcher,
  addressing: RequestTargetBuilder,
): (head: RequestHead) => ResolvedRequest {
  return (head) => {
    const target = resolveTarget(head);
    if (target.kind === 'route') {
      const match = matcher.match(target.method, target.route);
      return {
        kind: 'route',
        target,
        match,
        upstreamTarget: addressing.buildRouteTarget(target.route, target),
      };
    }
    if (target.kind !== 'page') return { kind: 'local', target };
    const { hasFormBody, path, query } = target;
    return { kind: 'page', target, upstreamTarget: addressing.buildPageTarget(path, query, hasFormBody) };
  };
}
