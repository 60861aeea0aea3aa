import type { RequestHead } from '../http/exchange.ts';
import { createLru } from '../memoize.ts';
import { isFormPost } from '../php/request.ts';
import { readRoutingHeaders } from '../router/target.ts';
import type { FullValidation } from '../validation/request/validator.ts';
import type { AdminAccess } from '../wordpress/admin-access.ts';
import type { CacheBypass } from '../wordpress/shared-requests.ts';
import type { CacheEntryPolicy } from './caching/cache-entry.ts';
import { mayWrite } from './caching/write-observer.ts';
import type { ResolvedRequest, Snapshot } from './snapshot/snapshot.ts';
import { addMethod, NO_OPERATION } from './traffic/durations.ts';

/** Facts that depend on the method and target only. Forms have an object of their own. */
export class TargetMemo {
  readonly resolved: ResolvedRequest;
  readonly route: string | null;
  readonly operation: string | null;
  readonly trafficKey: string;
  /** By the method, by the effective method at a route, or by a page that writes. */
  readonly mayChangeSite: boolean;
  wasGood = false;
  resource: CacheEntryPolicy | CacheBypass | undefined;
  adminAccess: AdminAccess | undefined;
  /** Result for a request without a body; `null` if it is not certain, `undefined` until it is needed. */
  validation: FullValidation | null | undefined;

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

const MAX_TARGETS = 32_768;
const MAX_TARGET_LENGTH = 1024;

/** From the second request on: to keep an entry costs more than to resolve it once. */
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
    const key = method === 'GET' ? target : `${method} ${target}`;
    const memo = this.#memos.get(key);
    if (memo !== undefined) return memo;
    const created = new TargetMemo(snapshot, snapshot.resolveRequest(head), method);
    if (this.#requestedOnce.get(key)) this.#memos.set(key, created);
    else if (target.length <= MAX_TARGET_LENGTH) this.#requestedOnce.set(key, true);
    return created;
  }
}
