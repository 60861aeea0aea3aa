import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { Log } from '../../ports.ts';
import { toOriginForm } from '../../router/routing-head.ts';
import { readRequestHeaders } from '../../upstream/request-headers.ts';
import type { TrustedProxyCheck } from '../../upstream/trusted-proxies.ts';
import type { AdminHandler } from '../admin/admin-handler.ts';
import { serveSites } from '../local/serve-sites.ts';
import type { DocsAssetsLoader } from '../options/gateway-options.ts';
import type { LocalPlan, RequestAttributes, RequestPlan } from '../plan/plan.ts';
import { type Problem, problemResponse } from '../plan/problem.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import { type HostCheck, MISDIRECTED } from './host-check.ts';

/** An internal error. Its cause is in the log only. */
export const INTERNAL_ERROR: Problem = {
  status: 500,
  code: 'gateway_failed',
  message: "The gateway failed to respond. The cause is in the gateway's log.",
};

/** Options of {@link createRequestPlanner}. */
export interface RequestPlannerOptions {
  /** By mount path. */
  readonly sites: ReadonlyMap<string, MountedSite>;
  readonly findSite: (target: string) => MountedSite | undefined;
  readonly trust: TrustedProxyCheck;
  /** `undefined` if all hosts are served. */
  readonly isServedHost: HostCheck | undefined;
  readonly log: Log;
  readonly random: () => number;
  /** Loads the files of the start page. */
  readonly loadDocs: DocsAssetsLoader;
  /** Serves the paths below `/-/`. */
  readonly publicAdminHandler: AdminHandler;
}

/** Plans a request from its head. Never throws: servers call it from an event listener. */
export type RequestPlanner = (head: IncomingRequestHead) => RequestPlan;

export function createRequestPlanner(options: RequestPlannerOptions): RequestPlanner {
  const { findSite, isServedHost, log, publicAdminHandler, sites, trust } = options;
  const nextRequestId = createRequestIds(options.random);
  const notMounted: Problem = {
    status: 404,
    code: 'gateway_not_found',
    message: `No site is mounted at this path. Sites are mounted at: ${[...sites.keys()].join(', ')}`,
  };

  function plan(head: IncomingRequestHead, requestId: string): RequestPlan {
    // A target that is no path is refused by the resolver of the unnamed site, or is not found.
    const target = toOriginForm(head.target) ?? '/';
    if (target.startsWith('/-/'))
      return planLocally(head, requestId, (request) => publicAdminHandler(request, head));
    // The operations of the gateway itself are reached by its address too, for example by probes.
    if (isServedHost?.(head) === false) {
      return planLocally(head, requestId, () => problemResponse(MISDIRECTED, head.method));
    }
    const site = findSite(target);
    if (site !== undefined) return site.planRequest(head, requestId);
    if (/^\/(?:\?|$)/.test(target)) {
      return planLocally(head, requestId, () => serveSites([...sites.values()], head, options.loadDocs));
    }
    return planLocally(head, requestId, () => problemResponse(notMounted));
  }

  return (head) => {
    const requestId = nextRequestId();
    try {
      const planned = plan(head, requestId);
      return planned.kind === 'forward' || !trust(head.peerAddress)
        ? planned
        : withForwardedClient(planned, head, trust);
    } catch (error) {
      log.error({ err: error, requestId }, 'the gateway failed to plan a request');
      return planLocally(head, requestId, () => problemResponse(INTERNAL_ERROR));
    }
  };
}

/** Plans a response to a request outside of all sites. */
function planLocally(
  { peerAddress }: IncomingRequestHead,
  requestId: string,
  respond: LocalPlan['respond'],
): LocalPlan {
  const attributes: RequestAttributes = {
    requestId,
    client: peerAddress,
    mount: '',
    route: null,
    operation: null,
  };
  return { kind: 'local', attributes, respond };
}

/** Replaces the peer in the attributes by the client that a trusted proxy names. */
function withForwardedClient(
  plan: LocalPlan,
  head: IncomingRequestHead,
  trust: TrustedProxyCheck,
): LocalPlan {
  const fields = readRequestHeaders(head, trust);
  if (fields.kind === 'refused') return plan;
  return { ...plan, attributes: { ...plan.attributes, client: fields.client.address } };
}

/**
 * Creates the request ids of one gateway: a random part for the gateway, and a counter. They identify requests in the log
 * and are predictable, so they must not be used as secrets.
 *
 * @param random returns a number in [0, 1)
 */
function createRequestIds(random: () => number): () => string {
  const instance = Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  let count = 0;
  return () => {
    count += 1;
    return `${instance}-${count.toString(36)}`;
  };
}

/**
 * Creates a lookup of what is mounted at the first segment of a path. Its cost does not grow with the number of mounts.
 *
 * @returns finds a mount by a path, with or without query; a path without named mount belongs to the unnamed one
 */
export function createMountLookup<T>(mounted: ReadonlyMap<string, T>): (target: string) => T | undefined {
  const unnamed = mounted.get('');
  if (unnamed !== undefined && mounted.size === 1) return () => unnamed;
  return (target) => {
    const end = target.slice(1).search(/[/?]/);
    return mounted.get(end < 0 ? target : target.slice(0, end + 1)) ?? unnamed;
  };
}
