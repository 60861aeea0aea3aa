import type { BodyBuffer } from '../../../base/http/body.ts';
import { hasUnqualifiedDirective } from '../../../base/http/cache-fields.ts';
import type { CacheReason, CacheStatus } from '../../../base/http/cache-status.ts';
import { decodeContent } from '../../../base/http/content-coding.ts';
import { NULL_BODY_STATUSES, type ResponseHead } from '../../../base/http/exchange.ts';
import { fieldValue, parseContentLength, withoutFields } from '../../../base/http/fields.ts';
import { isSameData } from '../../../base/json.ts';
import { createDecodedHeaders, isDecodable } from '../compressor.ts';
import { getExplicitLifetime, NO_WINDOWS, parseEffectiveCacheControl } from '../policy/freshness.ts';
import {
  completeDraft,
  evaluateStorability,
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
  | { readonly kind: 'followers'; readonly reason: CacheReason }
  /** It says nothing about the address, e.g. an error or a part. */
  | { readonly kind: 'leader'; readonly reason: CacheReason }
  /** It isn't everyone's: each client gets the response to its own request. */
  | { readonly kind: 'nobody'; readonly reason: CacheReason };

type Shareable = Extract<Shareability, { readonly kind: 'storable' | 'followers' }>;

/** Statuses by which a site refuses a client for its identity, place or frequency. */
const CLIENT_REFUSALS: ReadonlySet<number> = new Set([401, 403, 429, 451]);
/** Statuses of a part or of one client's conditions, which say nothing of the whole response. */
const PARTIAL_STATUSES: ReadonlySet<number> = new Set([206, 304, 412, 416]);
/** Client errors for resources that nobody can get. */
const WITHDRAWALS: ReadonlySet<number> = new Set([402, 404, 410]);
/** Reasons of a request, which say nothing of the address. */
const REQUEST_REASONS: ReadonlySet<CacheReason['kind']> = new Set<CacheReason['kind']>([
  'method HEAD',
  'request no-store',
]);

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
  const refuse = (reason: CacheReason): Shareability => {
    const isOfRequest = PARTIAL_STATUSES.has(status) || REQUEST_REASONS.has(reason.kind);
    return { kind: hidesClient && status < 500 && !isOfRequest ? 'nobody' : 'leader', reason };
  };
  if (hidesClient && CLIENT_REFUSALS.has(status)) return refuse({ kind: 'status', status });
  const storability = evaluateStorability(response);
  const isShared =
    storability.kind === 'storable' ||
    (STALE_IF_ERROR_STATUSES.has(status) && !storability.refusal.isClientSpecific);
  if (isShared && (length ?? 0) > maxBytes)
    return { kind: isOwn ? 'nobody' : 'leader', reason: { kind: 'too large' } };
  if (storability.kind === 'not-storable') {
    const { reason } = storability.refusal;
    return isShared ? { kind: 'followers', reason } : refuse(reason);
  }
  const { draft } = storability;
  const objection = isOwn ? findLifetimeObjection(response, draft) : undefined;
  return objection === undefined ? { kind: 'storable', draft } : { kind: 'nobody', reason: objection };
}

function findLifetimeObjection(
  { head: { headers, status }, request: { policy }, responseTime }: OriginResponse,
  { freshnessLifetime }: StoredResponseDraft,
): CacheReason | undefined {
  const cacheControl = parseEffectiveCacheControl(headers);
  const stated = getExplicitLifetime({ headers, cacheControl, responseTime });
  if (stated === undefined && policy.needsStatedLifetime?.(status) === true)
    return { kind: 'status', status };
  if (freshnessLifetime > 0) return undefined;
  const isNoCache = hasUnqualifiedDirective(cacheControl.directives, 'no-cache');
  return { kind: isNoCache ? 'no-cache' : 'no-freshness' };
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
    return { fwd, detail: forwardDetail.length === 0 ? [known.reason] : forwardDetail };
  }
  if (found.kind === 'storable') {
    memos.addresses.add(request.key, found.draft.vary);
    return { fwd, detail: [{ kind: 'first request' }] };
  }
  const { bypassReason } = directives;
  if (found.kind !== 'nobody' && bypassReason !== undefined) return { fwd, detail: [bypassReason] };
  const reason = policy.countPassed?.(found.reason, false) ?? found.reason;
  if (found.kind !== 'nobody') return { fwd, detail: [reason] };
  memos.pass(memoKey, { reason, isHitForPass: false });
  return { fwd: 'bypass', detail: [reason] };
}

/** Later requests are passed, or not collapsed, for a while. A refusal, e.g. 403 by a firewall, counts for its spelling only. */
export function learnFromRefusal(
  { collapseKey, memoKey, request }: FetchPlan,
  memos: KeyMemos,
  status: number,
  reason: CacheReason,
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
  bodyReason: CacheReason | null = null;
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

  createStatus(result: Awaitable<PutResult> | undefined, refusal?: CacheReason): CacheStatus {
    const shareability = this.#shareability;
    if (shareability.kind !== 'storable') return createUnstoredStatus(this.#plan, shareability.reason);
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
      this.bodyReason = { kind: 'content coding' };
      return null;
    }
    const { request, storedResponse } = this.#plan;
    const { policy } = request;
    const { coding, draft, response } = this;
    const { head } = response;
    try {
      this.bodyReason = policy.findUnshareableBodyReason?.(head, body, storedResponse) ?? null;
      if (this.bodyReason !== null) return null;
      const decoded = coding === undefined ? head : { ...head, headers: createDecodedHeaders(head.headers) };
      return draft === undefined
        ? createSharedResponse(response, decoded, body)
        : this.#toStoredResponse(draft, decoded, body);
    } catch {
      // A defect in a body's analysis must not leave clients without a response.
      this.bodyReason = { kind: 'analysis failed' };
      return null;
    }
  }

  #toStoredResponse(draft: StoredResponseDraft, head: ResponseHead, body: Uint8Array): StoredResponse | null {
    const { policy, publicBase } = this.#plan.request;
    const tags = policy.getTags(head, body, publicBase);
    const described =
      this.coding === undefined ? draft : { ...draft, headers: createDecodedHeaders(draft.headers) };
    const created = completeDraft(described, body, tags, policy.addsEntityTag);
    return created !== null && policy.addsSurrogateKeys === true ? addSurrogateKeys(created) : created;
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
  reason: CacheReason,
): CacheStatus {
  const others = forwardDetail.filter((each) => !isSameData(each, reason));
  return { fwd: forwardReason, detail: [...others, reason] };
}

/** @param draft of a new response; absent if the site has confirmed a stored one */
export function createStorableStatus(
  spec: FetchPlan,
  result: Awaitable<PutResult> | undefined,
  draft?: StoredResponseDraft,
): CacheStatus {
  if (result === 'outdated') return createUnstoredStatus(spec, { kind: 'purged meanwhile' });
  const { freshnessLifetime = 0, initialAge = 0 } = draft ?? {};
  const isOld = freshnessLifetime > 0 && initialAge >= freshnessLifetime;
  const arrival: CacheReason = { kind: 'arrived', age: initialAge };
  if (result !== 'stored') return createUnstoredStatus(spec, isOld ? arrival : { kind: 'storable' });
  const { forwardDetail, forwardReason } = spec;
  return { fwd: forwardReason, stored: true, detail: isOld ? [arrival] : forwardDetail };
}
