import type { RequestHead } from '../../http/request-head.ts';
import { TwoGenerationMap } from '../../memoize.ts';
import type { OperationMatch, OperationMatcher } from '../../router/matcher.ts';
import { readRoutingHeaders } from '../../router/read-head.ts';
import type { PageTarget, ResolvedTarget, RouteTarget } from '../../router/target.ts';
import type { UpstreamAddressing } from '../../upstream/addressing.ts';
import type { Prepared } from '../caching/cacheable-resource.ts';
import type { FullValidation } from '../validating/observed-operation.ts';

/** What the head of a request means at one snapshot. It is read once; whatever comes after takes it from here. */
export type Reading = RouteRequest | PageRequest | LocalRequest;

/** What others found out from a reading, for as long as it is remembered. `null` is that there is nothing. */
interface Notes {
  prepared?: Prepared | null;
  /** On a request without a body. */
  verdict?: FullValidation | null;
}

/** A request to the interface. */
export interface RouteRequest {
  readonly kind: 'route';
  readonly target: RouteTarget;
  readonly match: OperationMatch;
  /** Path and query at the site. */
  readonly address: string;
  readonly notes: Notes;
}

export interface PageRequest {
  readonly kind: 'page';
  readonly target: PageTarget;
  readonly address: string;
  readonly notes: Notes;
}

/** What the gateway answers itself. */
export interface LocalRequest {
  readonly kind: 'own';
  readonly target: Exclude<ResolvedTarget, RouteTarget | PageTarget>;
}

/** What reads heads: the parts of a snapshot that it takes. */
export interface RequestResolverOptions {
  readonly resolve: (head: RequestHead) => ResolvedTarget;
  readonly matcher: OperationMatcher;
  readonly addressing: UpstreamAddressing;
}

/** Addresses that are remembered; with all that is noted on it, one takes a few thousand bytes. */
const MOST = 1024;
/** Longer ones are each asked for once. */
const LONGEST = 1024;

/**
 * Reads heads, and remembers what a `GET` for an address meant: the same few are asked for again and again, and nothing
 * but the method and its override counts beside the address. What others compute from a reading they note there. What
 * is asked for only once is not remembered: most of what it costs is to be kept alive.
 */
export function createRequestResolver({
  addressing,
  matcher,
  resolve,
}: RequestResolverOptions): (head: RequestHead) => Reading {
  const remembered = new TwoGenerationMap<Reading>(MOST);
  /** What has been asked for once. */
  const seen = new Set<string>();

  function read(head: RequestHead): Reading {
    const target = resolve(head);
    if (target.kind === 'route') {
      const match = matcher.match(target.method, target.route);
      return { kind: 'route', target, match, address: addressing.route(target.route, target), notes: {} };
    }
    if (target.kind !== 'page') return { kind: 'own', target };
    const { hasFormBody, path, query } = target;
    return { kind: 'page', target, address: addressing.pageTarget(path, query, hasFormBody), notes: {} };
  }

  return (head) => {
    if (head.method !== 'GET' || readRoutingHeaders(head.headers).methodOverrides.length > 0)
      return read(head);
    const known = remembered.get(head.target);
    if (known !== undefined) return known;
    const reading = read(head);
    if (seen.has(head.target)) remembered.set(head.target, reading);
    else if (head.target.length <= LONGEST) {
      if (seen.size >= MOST) seen.clear();
      seen.add(head.target);
    }
    return reading;
  };
}
