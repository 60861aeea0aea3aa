import { type CacheStatus, toCacheOutcome } from '../base/http/cache-status.ts';
import type { UpstreamFailure, UpstreamFailureKind } from '../base/http/exchange.ts';
import { detachString } from '../base/memoize.ts';
import { type Problem, toErrorPage } from './exchange/problem.ts';
import type { RelayedRequest } from './exchange/response-relay.ts';
import type { RecentRequest, RecordedRequest } from './site/traffic/site-recorder.ts';
import { SiteRequest } from './site-request.ts';
import { toFailureResponse } from './upstream/failures.ts';
import { isTokenName } from './wordpress/bypass-rules.ts';

/** Characters of a remembered `detail`, which can have a name that a client chose. */
const MAX_DETAIL = 100;

/** A request for a site, which `respond.ts` fills step by step, and what is recorded of it. @internal */
export class GatewayRequest extends SiteRequest implements RecordedRequest, RelayedRequest {
  /** Milliseconds to the head; `undefined` if the site was not asked. */
  siteDuration: number | undefined;
  #isProblemRecorded = false;

  recordFailure(failure: UpstreamFailure): Problem {
    const problem = toFailureResponse(failure);
    this.#isProblemRecorded = true;
    this.site.recorder.recordFailure(this, failure, problem);
    const { retryAfter } = failure;
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    return this.#toShown({ ...problem, headers });
  }

  recordRefusal(problem: Problem): Problem {
    this.#isProblemRecorded = true;
    this.site.recorder.recordRefusal(this, problem);
    return this.#toShown(problem);
  }

  #toShown(problem: Problem): Problem {
    return this.resolved.kind === 'page' ? toErrorPage(problem, this.head, this.requestId) : problem;
  }

  recordResponse(status: number, cacheStatus: CacheStatus | undefined, milliseconds: number): void {
    const { recorder } = this.site;
    const outcome = toCacheOutcome(cacheStatus);
    recorder.traffic.recordResponse(this.memo.trafficKey, status, outcome, milliseconds);
    if (outcome !== 'hit') recorder.requests.add(this.#toRecent(status, cacheStatus ?? {}, milliseconds));
    if (status < 400 || this.#isProblemRecorded) return;
    recorder.recordSiteError(this, status);
  }

  #toRecent(status: number, cacheStatus: CacheStatus, milliseconds: number): RecentRequest {
    const { head, requestId, resolved, resource } = this;
    const template =
      resolved.kind === 'route' && resolved.match.kind === 'found' ? resolved.match.operation.path : '';
    const isKeyed =
      resource?.kind === 'resource' && resource.entry.isWordPress && resource.entry.unlisted === null;
    // A credential can be in the path: `/admin-access/{nonce}`.
    const hasSecretPath =
      (resource?.kind === 'bypass' && resource.reason === 'path parameter') ||
      (!isKeyed && template.includes('{') && template.split(/[{}]/).some(isTokenName));
    const target = hasSecretPath ? template : head.target;
    const { method } = head;
    const operation = this.memo.trafficKey;
    const { detail = '' } = cacheStatus;
    const kept =
      detail.length <= MAX_DETAIL
        ? cacheStatus
        : { ...cacheStatus, detail: detachString(detail.slice(0, MAX_DETAIL)) };
    const outcome = { hasSecrets: !isKeyed, status, cacheStatus: kept, milliseconds };
    return { time: this.now(), requestId, operation, method, target, ...outcome };
  }

  recordUpstream(status: number | null, milliseconds: number): void {
    this.siteDuration = milliseconds;
    this.site.recorder.traffic.recordUpstream(this.memo.trafficKey, status, milliseconds);
  }

  recordUpstreamFailure(kind: UpstreamFailureKind): void {
    this.site.recorder.traffic.addCount('failures', kind);
  }
}
