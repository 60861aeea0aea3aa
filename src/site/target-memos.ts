import type { RequestHead } from '../http/exchange.ts';
import { createLru } from '../memoize.ts';
import { isFormPost } from '../php/request.ts';
import { readRoutingHeaders } from '../router/target.ts';
import type { FullValidation } from '../validation/request/validator.ts';
import type { AdminAccess } from '../wordpress/admin-access.ts';
import type { CacheBypass } from '../wordpress/shared-requests.ts';
import type { CacheEntryPolicy } from './caching/cache-entry.ts';
import { mayWrite } from './caching/write-decision.ts';
import type { ResolvedRequest, Snapshot } from './snapshot/snapshot.ts';
import { NO_OPERATION } from './traffic/site-traffic.ts';
import { addMethod } from './traffic/traffic-counters.ts';

/**
 * Facts about a request that depend on its method and target alone. Repeated requests share one object, unless they send a
 * form.
 */
export class TargetMemo {
  readonly resolved: ResolvedRequest;
  /** Route path at the site; `null` if the request is not for a route. */
  readonly route: string | null;
  /** `operationId` in the document; `null` if no operation matches. */
  readonly operation: string | null;
  readonly trafficKey: string;
  /** Whether the request can change the site: by its method, by its effective method at a route, or as a page that writes. */
  readonly mayChangeSite: boolean;
  /** The resource in the cache; `undefined` until it is needed. */
  resource: CacheEntryPolicy | CacheBypass | undefined;
  /** `undefined` until it is needed. */
  adminAccess: AdminAccess | undefined;
  /** The validation result of a request without a body; `null` if it is not certain, `undefined` until it is needed. */
  validation: FullValidation | null | undefined;

  /** @param method of the request */
  constructor(snapshot: Snapshot, resolved: ResolvedRequest, method: string) {
    this.resolved = resolved;
    const isRoute = resolved.kind === 'route';
    this.route = isRoute ? resolved.target.route : null;
    this.operation = isRoute && resolved.match.kind === 'found' ? resolved.match.operation.id : null;
    const isForAgents = resolved.kind === 'own' && resolved.target.kind === 'mcp';
    this.trafficKey = isRoute
      ? (this.operation ?? addMethod(NO_OPERATION.unknownRoutes, method))
      : addMethod(
          NO_OPERATION[resolved.kind === 'page' ? 'pages' : isForAgents ? 'agents' : 'gateway'],
          method,
        );
    this.mayChangeSite = resolved.kind !== 'own' && mayWrite(snapshot, resolved, method);
  }
}

/** Targets that are remembered. An entry takes about two kilobytes. */
const MAX_TARGETS = 32_768;
/** Longer request targets are not remembered. */
const MAX_TARGET_LENGTH = 1024;

/**
 * Remembers what is known of the targets of one site at its current snapshot, by method. A target is remembered when it is
 * requested the second time: to keep an entry costs more than to resolve it once. Forms and overrides of the method are
 * resolved anew, because a target means something else with them.
 */
export class TargetMemos {
  #snapshot: Snapshot | null = null;
  readonly #memos = createLru<TargetMemo>(MAX_TARGETS);
  readonly #requestedOnce = createLru<true>(MAX_TARGETS);

  find(snapshot: Snapshot, head: RequestHead): TargetMemo {
    if (snapshot !== this.#snapshot) {
      this.#snapshot = snapshot;
      this.#memos.clear();
    }
    const { headers, method, target } = head;
    const { contentType, methodOverrides } = readRoutingHeaders(headers);
    const isForm = method !== 'GET' && isFormPost(method, contentType);
    if (isForm || methodOverrides.length > 0 || !target.startsWith('/')) {
      return new TargetMemo(snapshot, snapshot.resolveRequest(head), method);
    }
    // The name of a method does not begin with a slash, so the keys of two methods differ whatever the target is.
    const key = method === 'GET' ? target : `${method} ${target}`;
    const memo = this.#memos.get(key);
    if (memo !== undefined) return memo;
    const created = new TargetMemo(snapshot, snapshot.resolveRequest(head), method);
    if (this.#requestedOnce.get(key)) this.#memos.set(key, created);
    else if (target.length <= MAX_TARGET_LENGTH) this.#requestedOnce.set(key, true);
    return created;
  }
}
