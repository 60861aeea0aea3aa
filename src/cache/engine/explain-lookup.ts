import type { CacheRequest, LookupExplanation } from '../http-cache.ts';
import {
  bypassesCache,
  evaluateReuse,
  FORWARD_DETAILS,
  parseRequestDirectives,
  type RequestDirectives,
  selectStoredResponse,
  servesFromPart,
} from '../policy/index.ts';
import type { StoredResponse } from '../store.ts';
import { createCollapseKey, explainForward } from './fetch-spec.ts';
import type { KeyMemos } from './key-memos.ts';

/** Selects the stored response that a request may be served from, if the response is fresh enough for it. */
export function selectServableResponse(
  request: CacheRequest,
  directives: RequestDirectives,
  responses: readonly StoredResponse[],
  now: number,
): StoredResponse | undefined {
  const stored = selectStoredResponse(responses, request, now);
  if (stored === undefined || bypassesCache(directives)) return undefined;
  const isUnusablePart = stored.status === 206 && !servesFromPart(request.method, stored, directives, now);
  return isUnusablePart ? undefined : stored;
}

/** Explains a lookup by the decisions that serving the request takes, without changing anything. */
export function explainLookup(
  request: CacheRequest,
  responses: readonly StoredResponse[],
  memos: KeyMemos,
  now: number,
): LookupExplanation {
  const directives = parseRequestDirectives(request.headers);
  const selected = selectStoredResponse(responses, request, now);
  const servable = selectServableResponse(request, directives, responses, now);
  const decision = servable === undefined ? undefined : evaluateReuse(servable, directives, now);
  const lookup = { responses, selected, decision };
  if (decision !== undefined && decision !== 'revalidate') {
    return { ...lookup, forwardReason: undefined, forwardDetail: undefined };
  }
  if (bypassesCache(directives)) {
    const forwardDetail = directives.hasPrecondition ? FORWARD_DETAILS.precondition : FORWARD_DETAILS.noStore;
    return { ...lookup, forwardReason: 'request', forwardDetail };
  }
  const vary = (selected ?? responses[0])?.vary ?? memos.varyFields.get(request.key) ?? [];
  const isHitForPass = memos.hitForPass.get(createCollapseKey(request, vary)) === true;
  return {
    ...lookup,
    ...explainForward(request, directives, responses, selected, now),
    ...(isHitForPass ? { forwardDetail: FORWARD_DETAILS.hitForPass } : {}),
  };
}
