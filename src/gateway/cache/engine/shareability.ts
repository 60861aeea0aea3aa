import type { BodyBuffer } from '../../../base/http/body.ts';
import { hasUnqualifiedDirective } from '../../../base/http/cache-fields.ts';
import type { CacheStatus } from '../../../base/http/cache-status.ts';
import { decodeContent } from '../../../base/http/content-coding.ts';
import { NULL_BODY_STATUSES, type ResponseHead } from '../../../base/http/exchange.ts';
import { fieldValue, parseContentLength, withoutFields } from '../../../base/http/fields.ts';
import { createDecodedHeaders, isDecodable } from '../compressor.ts';
import { getExplicitLifetime, NO_WINDOWS, parseEffectiveCacheControl } from '../policy/freshness.ts';
import {
  completeDraft,
  evaluateStorability,
  FORWARD_DETAILS,
  formatArrivalDetail,
  formatStatusDetail,
  NOT_STORED_DETAILS,
  type OriginResponse,
  parseVary,
  STALE_IF_ERROR_STATUSES,
} from '../policy/storability.ts';
import {
  type Awaitable,
  addSurrogateKeys,
  type PutResult,
  type StoredResponse,
  type StoredResponseDraft,
} from '../store.ts';
import type { ClientExchange } from './fetch-clients.ts';
import { createSpelledKey, type FetchPlan, type KeyMemos, NO_VARY } from './fetch-plan.ts';

type Shareability =
  /** All followers get it, and it is stored. */
  | { readonly kind: 'storable'; readonly draft: StoredResponseDraft }
  /** All followers get it, unless its body is for one client. It isn't stored. */
  | { readonly kind: 'followers'; readonly detail: string }
  /** It says nothing about the address, e.g. an error or a part. */
  | { readonly kind: 'leader'; readonly detail: string }
  /** It isn't everyone's: each client gets the response to its own request. */
  | { readonly kind: 'nobody'; readonly detail: string };

type Shareable = Extract<Shareability, { readonly kind: 'storable' | 'followers' }>;

/** Statuses by which a site refuses a client for its identity, place or frequency. */
const CLIENT_REFUSALS: ReadonlySet<number> = new Set([401, 403, 429, 451]);
/** Statuses of a part or of one client's conditions, which say nothing of the whole response. */
const PARTIAL_STATUSES: ReadonlySet<number> = new Set([206, 304, 412, 416]);
/** Client errors for resources that nobody can get. */
const WITHDRAWALS: ReadonlySet<number> = new Set([402, 404, 410]);
const REQUEST_DETAILS: ReadonlySet<string> = new Set([NOT_STORED_DETAILS.head, FORWARD_DETAILS.noStore]);

/** Decides which clients get a response, as if it had been asked for everyone. Followers share errors: nobody repeats the request. */
export function evaluateShareability(
  { request, way }: Pick<FetchPlan, 'request' | 'way'>,
  response: OriginResponse,
  length: number | undefined,
  maxBytes: number,
): Shareability {
  const { head } = response;
  const { status } = head;
  const { hidesClient = false } = request.policy;
  const isOwn = way !== 'everyone';
  const refuse = (detail: string): Shareability => {
    const isOfRequest = PARTIAL_STATUSES.has(status) || REQUEST_DETAILS.has(detail);
    return { kind: hidesClient && status < 500 && !isOfRequest ? 'nobody' : 'leader', detail };
  };
  if (hidesClient && CLIENT_REFUSALS.has(status)) return refuse(formatStatusDetail(status));
  const unshareable = request.policy.findUnshareableReason(head);
  if (unshareable !== null) return refuse(unshareable);
  if ((length ?? 0) > maxBytes)
    return { kind: isOwn ? 'nobody' : 'leader', detail: NOT_STORED_DETAILS.tooLarge };
  const storability = evaluateStorability(response);
  if (storability.kind === 'storable') {
    const { draft } = storability;
    const objection = isOwn ? findLifetimeObjection(response, draft) : undefined;
    return objection === undefined ? { kind: 'storable', draft } : { kind: 'nobody', detail: objection };
  }
  const { detail, isClientSpecific } = storability.refusal;
  return STALE_IF_ERROR_STATUSES.has(status) && !isClientSpecific
    ? { kind: 'followers', detail }
    : refuse(detail);
}

function findLifetimeObjection(
  { head: { headers, status }, responseTime }: OriginResponse,
  { freshnessLifetime }: StoredResponseDraft,
): string | undefined {
  const cacheControl = parseEffectiveCacheControl(headers);
  const stated = getExplicitLifetime({ status, headers, cacheControl, responseTime });
  // Plugins count missing pages by client.
  if ((status === 404 || status === 410) && stated === undefined) return formatStatusDetail(status);
  if (freshnessLifetime > 0) return undefined;
  const isNoCache = hasUnqualifiedDirective(cacheControl.directives, 'no-cache');
  return NOT_STORED_DETAILS[isNoCache ? 'noCache' : 'noFreshness'];
}

/** Remembers what the response to a client's own request says of the address. @returns its `Cache-Status` */
export function learnFromOwn(
  { directives, forwardDetail, forwardReason: fwd, passed: known, memoKey, request }: FetchPlan,
  memos: KeyMemos,
  found: Shareability,
): CacheStatus {
  const { policy } = request;
  if (known?.isHitForPass === true) {
    policy.countPassed?.(known.reason, true);
    return { fwd, detail: forwardDetail ?? known.reason };
  }
  if (found.kind === 'storable') {
    memos.addresses.add(request.key, found.draft.vary);
    return { fwd, detail: FORWARD_DETAILS.first };
  }
  const { bypassDetail } = directives;
  if (found.kind !== 'nobody' && bypassDetail !== undefined) return { fwd, detail: bypassDetail };
  const reason = policy.countPassed?.(found.detail, false) ?? found.detail;
  if (found.kind !== 'nobody') return { fwd, detail: reason };
  memos.pass(memoKey, { reason, isHitForPass: false });
  return { fwd: 'bypass', detail: reason };
}

/** Later requests are passed, or not collapsed, for a while. A refusal, e.g. 403 by a firewall, counts for its spelling only. */
export function learnFromRefusal(
  { collapseKey, memoKey, request }: FetchPlan,
  memos: KeyMemos,
  status: number,
  reason: string,
): void {
  if (collapseKey === null || status === 206) return;
  const { hidesClient = false } = request.policy;
  if (hidesClient && isStatement(status)) memos.addresses.remove(request.key);
  if (isUsable(status)) memos.pass(memoKey, { reason, isHitForPass: true });
  else if (hidesClient && status >= 400 && status < 500 && !isStatement(status))
    memos.pass(createSpelledKey(memoKey, request), { reason, isHitForPass: true });
}

export function isStatement(status: number): boolean {
  return isUsable(status) || WITHDRAWALS.has(status);
}

function isUsable(status: number): boolean {
  return status < 400 && status !== 304;
}

/** Names in `Vary` if the site chose by a field that the request for everyone lacked, e.g. a language. */
export function findMissingVary(
  { request, vary: sent }: FetchPlan,
  head: ResponseHead,
): readonly string[] | null {
  const vary = parseVary(head.headers) ?? [];
  const added = vary.filter((name) => !sent.includes(name));
  return added.length > 0 && request.withholds?.(added) === true ? vary : null;
}

export class BufferedResponse {
  readonly body: BodyBuffer | undefined;
  readonly response: OriginResponse;
  readonly draft: StoredResponseDraft | undefined;
  readonly coding: string | undefined;
  bodyReason: string | null = null;
  isBroken = false;
  readonly #plan: FetchPlan;
  readonly #shareability: Shareable;
  readonly #vary: readonly string[];
  readonly #variantKey: string;

  constructor(
    spec: FetchPlan,
    response: OriginResponse,
    shareability: Shareable,
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
    this.#vary = this.draft?.vary ?? parseVary(headers) ?? [];
    this.#variantKey = this.draft?.variantKey ?? request.getVariantKey(this.#vary);
  }

  get unwantedBytes(): number {
    const received = this.body?.length ?? 0;
    const length = parseContentLength(this.response.head.headers);
    return length === undefined ? received : length - received;
  }

  canServe({ request }: ClientExchange): boolean {
    return this.#vary.length === 0 || request.getVariantKey(this.#vary) === this.#variantKey;
  }

  createStatus(result: Awaitable<PutResult> | undefined, refusal?: string): CacheStatus {
    const shareability = this.#shareability;
    if (shareability.kind !== 'storable') return createUnstoredStatus(this.#plan, shareability.detail);
    return refusal === undefined
      ? createStorableStatus(this.#plan, result, shareability.draft)
      : createUnstoredStatus(this.#plan, refusal);
  }

  /** @returns `null` if the coding cannot or must not be removed */
  decode(body: Uint8Array, maxBytes: number): Awaitable<Uint8Array | null> {
    if (this.coding === undefined) return body;
    if (!isDecodable(this.response.head.headers)) return null;
    return decodeContent(this.coding, body, maxBytes).catch(() => null);
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
      // A defect in a body's analysis must not leave clients without a response.
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
    const tags = request.policy.getTags(this.#toDecodedHead(), body);
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

/** @param draft of a new response; absent if the site has confirmed a stored one */
export function createStorableStatus(
  spec: FetchPlan,
  result: Awaitable<PutResult> | undefined,
  draft?: StoredResponseDraft,
): CacheStatus {
  const { purged, storable } = NOT_STORED_DETAILS;
  if (result === 'outdated') return createUnstoredStatus(spec, purged);
  const { freshnessLifetime = 0, initialAge = 0 } = draft ?? {};
  const isOld = freshnessLifetime > 0 && initialAge >= freshnessLifetime;
  if (result !== 'stored')
    return createUnstoredStatus(spec, isOld ? formatArrivalDetail(initialAge) : storable);
  const { forwardDetail, forwardReason } = spec;
  const status = { fwd: forwardReason, stored: true };
  if (isOld) return { ...status, detail: formatArrivalDetail(initialAge) };
  return forwardDetail === undefined ? status : { ...status, detail: forwardDetail };
}
