import { hasDirective } from '../../http/cache-directives.ts';
import type { CacheStatus } from '../../http/cache-status.ts';
import type { BodyBuffer } from '../../http/chunks.ts';
import { decodeContent } from '../../http/content-coding.ts';
import { NULL_BODY_STATUSES, type ResponseHead } from '../../http/exchange.ts';
import { fieldValue, withoutFields } from '../../http/fields.ts';
import type { CacheRequest } from '../cache-request.ts';
import { createDecodedHeaders, isDecodable } from '../compressor.ts';
import { getExplicitLifetime, NO_WINDOWS, parseEffectiveCacheControl } from '../policy/freshness.ts';
import { FORWARD_DETAILS, formatStatusDetail, NOT_STORED_DETAILS } from '../policy/status-details.ts';
import {
  completeDraft,
  evaluateStorability,
  type OriginResponse,
  STALE_IF_ERROR_STATUSES,
} from '../policy/storability.ts';
import { parseVary } from '../policy/variants.ts';
import type { Awaitable, PutResult, StoredResponse, StoredResponseDraft } from '../store.ts';
import { addSurrogateKeys } from '../surrogate-keys.ts';
import type { ClientExchange } from './client-exchange.ts';
import { type FetchPlan, NO_VARY } from './fetch-plan.ts';

export type Shareability =
  /** All followers get it, and it is stored. */
  | { readonly kind: 'storable'; readonly draft: StoredResponseDraft }
  /** All followers get it, unless its body is for one client. It is not stored. */
  | { readonly kind: 'followers'; readonly detail: string }
  | { readonly kind: 'leader'; readonly detail: string; readonly isPersonal: boolean };

/** Statuses by which a site refuses a client for who or where it is, or how often it asks. */
const CLIENT_REFUSALS: ReadonlySet<number> = new Set([401, 403, 429, 451]);
const USUAL_OF_ERRORS: ReadonlySet<string> = new Set([
  NOT_STORED_DETAILS.noStore,
  NOT_STORED_DETAILS.private,
]);
/** Redirects that can change (RFC 9110 §15.4). Sites choose by them: a language, a login. */
const TEMPORARY_REDIRECTS: ReadonlySet<number> = new Set([302, 303, 307]);

/** Decides which clients get a response. Followers share errors, so that they don't repeat the request. */
export function evaluateShareability(
  { request }: Pick<FetchPlan, 'request'>,
  response: OriginResponse,
  length: number | undefined,
  maxBytes: number,
): Shareability {
  const { head } = response;
  const { status } = head;
  const { hidesClient = false } = request.policy;
  const canBePersonal = status < 500 && status !== 304 && hidesClient;
  // WordPress sends it with each 404 (`nocache_headers()` in WP::handle_404()).
  const isUsual = (reason: string): boolean => status >= 400 && USUAL_OF_ERRORS.has(reason);
  const isMissingInLanguage =
    canBePersonal && status === 404 && request.withholds?.(['accept-language']) === true;
  if (hidesClient && CLIENT_REFUSALS.has(status))
    return { kind: 'leader', detail: formatStatusDetail(status), isPersonal: true };
  const unshareable = request.policy.findUnshareableReason(head);
  if (unshareable !== null)
    return {
      kind: 'leader',
      detail: unshareable,
      isPersonal: isMissingInLanguage || (canBePersonal && !isUsual(unshareable)),
    };
  if ((length ?? 0) > maxBytes)
    return { kind: 'leader', detail: NOT_STORED_DETAILS.tooLarge, isPersonal: false };
  const storability = evaluateStorability(response);
  if (storability.kind === 'storable') return { kind: 'storable', draft: storability.draft };
  const { detail, isClientSpecific } = storability.refusal;
  if (STALE_IF_ERROR_STATUSES.has(status) && !isClientSpecific) return { kind: 'followers', detail };
  const isOfResponse = isClientSpecific && detail !== FORWARD_DETAILS.noStore;
  const isOfClient = (isOfResponse && !isUsual(detail)) || TEMPORARY_REDIRECTS.has(status);
  const isPersonal = isMissingInLanguage || (canBePersonal && isOfClient);
  return { kind: 'leader', detail, isPersonal };
}

export function findPersonalReason(request: CacheRequest, response: OriginResponse): string | null {
  const found = evaluateShareability({ request }, response, undefined, Number.POSITIVE_INFINITY);
  return found.kind === 'leader' && found.isPersonal ? found.detail : null;
}

/** Whether a passed response has `public` or a positive lifetime. */
export function saysEveryone({ head: { headers, status }, responseTime }: OriginResponse): boolean {
  const cacheControl = parseEffectiveCacheControl(headers);
  const lifetime = getExplicitLifetime({ status, headers, cacheControl, responseTime });
  return lifetime === undefined ? hasDirective(cacheControl.directives, 'public') : lifetime > 0;
}

/** A response that others than the leader can get: the state `buffering`. */
export class BufferedResponse {
  /** `undefined` if the body arrived with the head. */
  readonly body: BodyBuffer | undefined;
  readonly response: OriginResponse;
  readonly draft: StoredResponseDraft | undefined;
  /** Content coding of the body, which others than the leader might not accept. */
  readonly coding: string | undefined;
  bodyReason: string | null = null;
  isBroken = false;
  readonly #plan: FetchPlan;
  readonly #shareability: Exclude<Shareability, { kind: 'leader' }>;
  readonly #vary: readonly string[];
  readonly #variantKey: string;

  constructor(
    spec: FetchPlan,
    response: OriginResponse,
    shareability: Exclude<Shareability, { kind: 'leader' }>,
    body: BodyBuffer | undefined,
  ) {
    const { request } = spec;
    const { headers } = response.head;
    this.body = body;
    this.response = response;
    this.draft = shareability.kind === 'storable' ? shareability.draft : undefined;
    this.coding = NULL_BODY_STATUSES.has(response.head.status) ? undefined : findContentCoding(headers);
    this.#plan = spec;
    this.#shareability = shareability;
    this.#vary = this.draft?.vary ?? parseVary(headers, request.policy.ignoredVaryFields) ?? [];
    this.#variantKey = this.draft?.variantKey ?? request.getVariantKey(this.#vary);
  }

  canServe({ request }: ClientExchange): boolean {
    return this.#vary.length === 0 || request.getVariantKey(this.#vary) === this.#variantKey;
  }

  /** @param refusal why a storable response is not stored after all */
  createStatus(result: Awaitable<PutResult> | undefined, refusal?: string): CacheStatus {
    const shareability = this.#shareability;
    if (shareability.kind !== 'storable') return createUnstoredStatus(this.#plan, shareability.detail);
    return refusal === undefined
      ? createStorableStatus(this.#plan, result)
      : createUnstoredStatus(this.#plan, refusal);
  }

  /** Removes the content coding of the body. @returns `null` if that is impossible or forbidden */
  async decode(body: Uint8Array, maxBytes: number): Promise<Uint8Array | null> {
    if (this.coding === undefined || !isDecodable(this.response.head.headers)) return null;
    return decodeContent(this.coding, body, maxBytes);
  }

  /** @returns `null` if the length differs from `Content-Length`, or if there is a {@link bodyReason} */
  toCompleteResponse(body: Uint8Array | null): StoredResponse | null {
    if (body === null) {
      this.bodyReason = NOT_STORED_DETAILS.contentCoding;
      return null;
    }
    const { policy } = this.#plan.request;
    const { draft, response } = this;
    const { head } = response;
    try {
      this.isBroken = draft !== undefined && policy.isBroken?.(head, body) === true;
      this.bodyReason = this.isBroken
        ? NOT_STORED_DETAILS.broken
        : (policy.findUnshareableBodyReason?.(head, body) ?? null);
      if (this.bodyReason !== null) return null;
      return draft === undefined
        ? createSharedResponse(response, this.#toDecodedHead(), body)
        : this.#toStoredResponse(draft, body);
    } catch {
      // A defect in the analysis of a body must not leave the clients without a response.
      this.bodyReason = NOT_STORED_DETAILS.analysisFailed;
      return null;
    }
  }

  #toDecodedHead(): ResponseHead {
    const { head } = this.response;
    return this.coding === undefined ? head : { ...head, headers: createDecodedHeaders(head.headers) };
  }

  #toStoredResponse(draft: StoredResponseDraft, body: Uint8Array): StoredResponse | null {
    const { request } = this.#plan;
    const tags = request.getTags(this.#toDecodedHead(), body);
    const described =
      this.coding === undefined ? draft : { ...draft, headers: createDecodedHeaders(draft.headers) };
    const created = completeDraft(described, body, tags, request.policy.addsEntityTag);
    return created !== null && request.policy.addsSurrogateKeys === true
      ? addSurrogateKeys(created)
      : created;
  }
}

function findContentCoding(headers: readonly string[]): string | undefined {
  const field = fieldValue(headers, 'content-encoding');
  if (field === undefined) return undefined;
  const coding = field.trim().toLowerCase();
  return coding === '' || coding === 'identity' ? undefined : coding;
}

const GENERATED_FIELDS: ReadonlySet<string> = new Set(['age', 'cache-status']);

function createSharedResponse(
  { requestTime, responseTime }: OriginResponse,
  head: ResponseHead,
  body: Uint8Array,
): StoredResponse {
  const headers = withoutFields(head.headers, GENERATED_FIELDS);
  return { ...UNSTORED, status: head.status, headers, body, requestTime, responseTime };
}

const UNSTORED = {
  variantKey: '',
  vary: NO_VARY,
  initialAge: 0,
  freshnessLifetime: 0,
  ...NO_WINDOWS,
  isSoftPurged: false,
  tags: [],
} as const;

export function createUnstoredStatus(
  { forwardDetail, forwardReason }: FetchPlan,
  detail: string,
): CacheStatus {
  const isKnown = forwardDetail === undefined || forwardDetail === detail;
  return { fwd: forwardReason, detail: isKnown ? detail : `${forwardDetail}, ${detail}` };
}

/** @param result of the store. A promise, or undefined: the head is sent before that is known */
export function createStorableStatus(spec: FetchPlan, result: Awaitable<PutResult> | undefined): CacheStatus {
  if (result !== 'stored') {
    const { purged, storable } = NOT_STORED_DETAILS;
    return createUnstoredStatus(spec, result === 'outdated' ? purged : storable);
  }
  const { forwardDetail, forwardReason } = spec;
  const status = { fwd: forwardReason, stored: true };
  return forwardDetail === undefined ? status : { ...status, detail: forwardDetail };
}
