/**
 * RFC 9111 decisions of a shared cache: pure functions that take the current time as an argument.
 *
 *     directives = parseRequestDirectives(request.headers)
 *     bypassesCache(directives)              → forward the request unchanged, store nothing
 *     stored = selectStoredResponse(responses, request, now)
 *     evaluateReuse(stored, directives, now)
 *       fresh, stale, stale-while-revalidate → createClientResponse(stored, …)
 *       revalidate                           → forward with createRevalidationConditions(stored)
 *         304 and matchesValidators          → freshenStoredResponse(stored, response); store and send the result
 *         304 otherwise                      → forward again without conditions
 *         isStaleIfErrorStatus or no response → canServeOnFailure? createClientResponse(stored, …)
 *     evaluateStorability(response)          → a draft; after the last byte of the body, completeDraft(draft, …)
 *     response to a forwarded HEAD           → updateFromHead(stored, response)
 *     isRepresentationOfTarget(response to a POST) → createPostDraft; completeDraft after the last byte
 *     isOnlyIfCached and nothing to reuse    → 504
 */
export { type ClientResponse, createClientResponse } from './client-response.ts';
export { isNotModified } from './conditions.ts';
export {
  applySoftPurge,
  calculateCurrentAge,
  calculateTimeToLive,
  formatAge,
  isFresh,
} from './freshness.ts';
export { getInvalidatedUris } from './invalidation.ts';
export {
  combineParts,
  completesPart,
  createCompletedHead,
  createCompletionConditions,
  getPartRange,
  servesFromPart,
} from './parts.ts';
export { createPostDraft, isRepresentationOfTarget } from './post-response.ts';
export {
  bypassesCache,
  isOnlyIfCached,
  NO_REQUEST_DIRECTIVES,
  parseRequestDirectives,
  type RequestDirectives,
} from './request-directives.ts';
export {
  canServeOnFailure,
  evaluateReuse,
  findRequestObjection,
  type OriginFailure,
  type ReuseDecision,
} from './reuse.ts';
export {
  createRevalidationConditions,
  type FreshenResult,
  freshenStoredResponse,
  matchesValidators,
  updateFromHead,
} from './revalidation.ts';
export { DEFAULT_STALE_IF_UNREACHABLE, NO_WINDOWS } from './stale-windows.ts';
export { isStaleIfErrorStatus } from './status-codes.ts';
export {
  FORWARD_DETAILS,
  formatRequestFieldDetail,
  formatUnreachableDetail,
  NOT_STORED_DETAILS,
  STALE_DETAILS,
} from './status-details.ts';
export {
  completeDraft,
  evaluateStorability,
  type OriginResponse,
  type Storability,
} from './storability.ts';
export {
  createVariantKey,
  hasPermittedResponse,
  parseVary,
  selectStoredResponse,
  type VariantRequest,
} from './variants.ts';
