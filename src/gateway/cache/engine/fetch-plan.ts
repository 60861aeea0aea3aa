import { hash, randomBytes } from 'node:crypto';
import type { CacheReason, ForwardReason } from '../../../base/http/cache-status.ts';
import type { Exchange, ResponseHead, ResponseSink } from '../../../base/http/exchange.ts';
import { createLru, memoizeByString } from '../../../base/memoize.ts';
import type { Clock } from '../../../base/ports.ts';
import {
  createRevalidationConditions,
  findRequestObjection,
  hasPermittedResponse,
  isFresh,
  NO_REQUEST_DIRECTIVES,
  type RequestDirectives,
  selectStoredResponse,
} from '../policy/reuse.ts';
import { type OriginRequest, type StoragePolicy, toRequestFieldReason } from '../policy/storability.ts';
import type { Lookup, StoredResponse, StoreMark } from '../store.ts';

export interface CacheRequest extends OriginRequest {
  /** Cache key: the same for all spellings of a resource's address (`CacheKey`). */
  readonly key: string;
  readonly headers: readonly string[];
  readonly policy: EntryPolicy;
  /** Where the client sees the origin, whose tags can differ by host. */
  readonly publicBase?: string;
  /** Removes from a head what need not prevent storing. Called once. */
  prepareHead?(head: ResponseHead): ResponseHead;
  /** Whether the origin lacked a client's field, by lower-case name. @default false */
  withholds?(names: readonly string[]): boolean;
}

export interface EntryPolicy extends StoragePolicy {
  readonly storeScope: string;
  /** The target as the origin gets it; other spellings have the same key. @default there are no others */
  readonly spelling?: string;
  getTags(head: ResponseHead, body: Uint8Array, publicBase?: string): readonly string[];
  /** Whether the origin's validators change with its responses. @default true */
  trustsValidators?(stored: StoredResponse): boolean;
  /** @param stored the response that it would replace @returns `broken response` for an error with a good status */
  findUnshareableBodyReason?(
    head: ResponseHead,
    body: Uint8Array,
    stored: StoredResponse | undefined,
  ): CacheReason | null;
  /** Whether stored responses without an entity tag get one. @default false */
  readonly addsEntityTag?: boolean;
  /** Whether requests for everyone lack what describes the client (see `Upstream.pass`). @default false */
  readonly hidesClient?: boolean;
  /** Called for each passed response that could not be everyone's. @returns the reason to tell */
  countPassed?(reason: CacheReason, isHitForPass: boolean): CacheReason;
  /** Whether stored responses get `Surrogate-Key` and `Cache-Tag`; the client waits for the body. */
  readonly addsSurrogateKeys?: boolean;
}

export interface FetchOptions {
  /** Fields that replace the client's conditions. `null`: the request is forwarded unchanged. */
  readonly revalidationConditions: readonly string[] | null;
  /** In lower case: fields by which stored responses of the key vary. */
  readonly vary: readonly string[];
  readonly isBackground: boolean;
}

export interface Upstream<Request extends CacheRequest = CacheRequest> {
  /** Can be called several times for one request, even after the client has gone. */
  fetch(request: Request, options: FetchOptions, sink: ResponseSink): Exchange;
  pass(request: Request, sink: ResponseSink): Exchange;
  /** Whether its responses are no longer those of the origin, e.g. after a reload. @default false */
  isOutdated?(request: Request): boolean;
}

export interface LookupExplanation {
  /** Newest first. */
  readonly responses: readonly StoredResponse[];
  readonly selected: StoredResponse | undefined;
  /** RFC 9211 §2.2; `undefined` if the store would serve the request. */
  readonly forwardReason: ForwardReason | undefined;
  readonly forwardDetail: readonly CacheReason[];
}

/** Times are in milliseconds. */
export const DEFAULT_CACHE_LIMITS = {
  /** Bytes of a stored body, 8 MiB; larger ones are streamed to the leader only. */
  maxEntryBytes: 8_388_608,
  collapseTimeout: 75_000,
  /** Time for which a key is passed, or not collapsed, after a response for one client. */
  hitForPassDuration: 600_000,
  /** Time until clients of a silent origin get a stale response. */
  silenceTimeout: 3_000,
  /** Time for which such an origin counts as silent, unless it responds. */
  silenceDuration: 10_000,
};

export type CacheEngineLimits = Readonly<typeof DEFAULT_CACHE_LIMITS>;

/** `shared`: can follow another fetch. `alone`: forwarded separately. `pass`: the same, as its client sent it. */
export type FetchMode = 'shared' | 'alone' | 'pass';

const MAX_ENTRIES = 10_000;

interface PassedAddress {
  readonly reason: CacheReason;
  readonly isHitForPass: boolean;
}

export class KeyMemos {
  readonly addresses: SharedAddresses = new SharedAddresses();
  /** Time until which sites count as silent, by the scope of their keys. */
  readonly silentSites: Map<string, number> = new Map();
  readonly #clock: Clock;
  readonly #duration: number;
  /** By a hash of the memo key, which has texts that clients choose. */
  readonly #passed = createLru<PassedAddress & { readonly expires: number }>(MAX_ENTRIES);

  constructor(clock: Clock, { hitForPassDuration }: CacheEngineLimits) {
    this.#clock = clock;
    this.#duration = hitForPassDuration;
  }

  /** @param request also finds an address passed only in this request's spelling */
  findPassed(memoKey: string, request: CacheRequest | null): PassedAddress | undefined {
    if (this.#passed.size === 0) return undefined;
    const spelled = request === null ? [] : [createSpelledKey(memoKey, request)];
    const now = this.#clock.now();
    return [memoKey, ...spelled]
      .map((key) => this.#passed.get(hash('sha256', key, 'base64')))
      .find((passed) => passed !== undefined && now < passed.expires);
  }

  pass(memoKey: string, passed: PassedAddress): void {
    this.#passed.set(hash('sha256', memoKey, 'base64'), {
      ...passed,
      expires: this.#clock.now() + this.#duration,
    });
  }

  forgetPassed(): void {
    this.#passed.clear();
  }

  clear(): void {
    this.addresses.clear();
    this.forgetPassed();
  }
}

export interface FetchPlan extends FetchOptions {
  /** `first`: as its client sent it, for an unknown address; others wait for the head. `passed`: as sent, and nobody waits. */
  readonly way: 'everyone' | 'first' | 'passed';
  /** `null` if no other request can join the fetch. */
  readonly collapseKey: string | null;
  readonly memoKey: string;
  readonly passed: PassedAddress | undefined;
  readonly request: CacheRequest;
  readonly directives: RequestDirectives;
  readonly upstream: Upstream;
  readonly storedResponse: StoredResponse | undefined;
  /** The mark of the last lookup. `null` if nothing can be stored: the response is only for clients before its request. */
  readonly mark: StoreMark | null;
  readonly forwardReason: ForwardReason;
  readonly forwardDetail: readonly CacheReason[];
}

export const NO_VARY: readonly string[] = [];

const NO_REASONS: readonly CacheReason[] = [];

/** A plan in the making: for everyone, and with nothing that could be joined or revalidated. */
class PlanDraft implements FetchPlan {
  way: FetchPlan['way'] = 'everyone';
  collapseKey: string | null = null;
  memoKey: string;
  passed: PassedAddress | undefined;
  readonly request: CacheRequest;
  readonly directives: RequestDirectives;
  readonly upstream: Upstream;
  storedResponse: StoredResponse | undefined;
  readonly mark: StoreMark | null;
  forwardReason: ForwardReason = 'request';
  forwardDetail: readonly CacheReason[] = NO_REASONS;
  revalidationConditions: readonly string[] | null = null;
  vary: readonly string[] = NO_VARY;
  isBackground = false;

  constructor(
    { directives, request, upstream }: PlannedClient,
    mark: StoreMark | null,
    storedResponse: StoredResponse | undefined,
  ) {
    this.memoKey = request.key;
    this.request = request;
    this.directives = directives;
    this.upstream = upstream;
    this.storedResponse = storedResponse;
    this.mark = mark;
  }

  /** As its client sent it. */
  pass(reason: ForwardReason, detail: readonly CacheReason[]): FetchPlan {
    this.way = 'passed';
    this.forwardReason = reason;
    this.forwardDetail = detail;
    return this;
  }
}

type PlannedClient = Pick<FetchPlan, 'directives' | 'request' | 'upstream'>;

export function createCollapseKey(request: CacheRequest, vary: readonly string[]): string {
  return vary.length === 0 ? request.key : `${request.key}\n${request.getVariantKey(vary)}`;
}

export function createSpelledKey(memoKey: string, { policy }: CacheRequest): string {
  return `${memoKey}\n=${policy.spelling ?? ''}`;
}

export function planFetch(
  client: PlannedClient,
  { mark, responses }: Lookup,
  mode: FetchMode,
  memos: KeyMemos,
  now: number,
): FetchPlan {
  const { directives, request } = client;
  const { bypassReason } = directives;
  const canPass = request.policy.hidesClient === true;
  const storedResponse = selectStoredResponse(responses, request, now);
  const plan = new PlanDraft(client, mark, storedResponse);
  if (bypassReason !== undefined) {
    // While the site is down, the whole answers a range, too (RFC 9110 §14.2).
    if (bypassReason.kind !== 'request range') plan.storedResponse = undefined;
    plan.forwardDetail = [bypassReason];
    if (canPass) plan.way = 'passed';
    return plan;
  }
  const isReload = storedResponse !== undefined && isFresh(storedResponse, now);
  const known = memos.addresses.findVary(request.key);
  const vary = (storedResponse ?? responses[0])?.vary ?? known ?? NO_VARY;
  plan.memoKey = createCollapseKey(request, vary);
  const collapseKey = isReload ? `${plan.memoKey}\nreload` : plan.memoKey;
  explainForward(plan, responses, now);
  const passed = memos.findPassed(plan.memoKey, request);
  const isHitForPass = passed?.isHitForPass === true;
  const isUnstorable = request.method === 'HEAD';
  if (canPass) {
    plan.passed = passed;
    if (mode === 'pass') return plan.pass(plan.forwardReason, passed ? [passed.reason] : NO_REASONS);
    if (isHitForPass) return plan.pass('bypass', [{ kind: 'hit-for-pass' }, passed.reason]);
    const isKnown = responses.length > 0 || known !== undefined;
    if (!isKnown || (isUnstorable && storedResponse === undefined)) {
      if (passed !== undefined) return plan.pass('bypass', [passed.reason]);
      if (mode !== 'shared' || isUnstorable) return plan.pass(plan.forwardReason, plan.forwardDetail);
      plan.way = 'first';
      plan.collapseKey = collapseKey;
      plan.forwardDetail = [{ kind: 'first request' }];
      return plan;
    }
  }
  const isPassed = isHitForPass && storedResponse === undefined;
  const isIndependent = mode !== 'shared' || isUnstorable || request.identifyingFields.length > 0 || isPassed;
  if (!isIndependent) plan.collapseKey = collapseKey;
  if (storedResponse !== undefined && mode === 'shared')
    plan.revalidationConditions = createConditions(request, storedResponse);
  plan.vary = listVaryFields(vary, responses);
  if (isPassed) plan.forwardDetail = [{ kind: 'hit-for-pass' }];
  return plan;
}

function listVaryFields(vary: readonly string[], responses: readonly StoredResponse[]): readonly string[] {
  return responses.every((response) => response.vary.length === 0 || response.vary.join() === vary.join())
    ? vary
    : [...new Set([vary, ...responses.map((response) => response.vary)].flat())];
}

/** RFC 9211 §2.2. */
function explainForward(plan: PlanDraft, responses: readonly StoredResponse[], now: number): void {
  const { directives, request, storedResponse } = plan;
  const [identifying] = request.identifyingFields;
  if (storedResponse !== undefined) {
    if (!isFresh(storedResponse, now)) plan.forwardReason = 'stale';
    else {
      const objection = findRequestObjection(storedResponse, directives, now);
      if (objection !== undefined) plan.forwardDetail = [objection];
    }
  } else if (responses.length === 0) plan.forwardReason = 'uri-miss';
  else if (identifying !== undefined && !hasPermittedResponse(responses, request))
    plan.forwardDetail = [toRequestFieldReason(identifying)];
  else plan.forwardReason = 'vary-miss';
}

function createConditions(request: CacheRequest, stored: StoredResponse): readonly string[] {
  return request.policy.trustsValidators?.(stored) === false ? [] : createRevalidationConditions(stored);
}

export function planRefresh(
  collapseKey: string,
  request: CacheRequest,
  upstream: Upstream,
  storedResponse: StoredResponse,
  { mark, responses }: Lookup,
): FetchPlan {
  const client = { request, upstream, directives: NO_REQUEST_DIRECTIVES };
  const plan = new PlanDraft(client, mark, storedResponse);
  plan.collapseKey = collapseKey;
  plan.memoKey = collapseKey;
  plan.revalidationConditions = createConditions(request, storedResponse);
  plan.vary = listVaryFields(storedResponse.vary, responses);
  plan.forwardReason = 'stale';
  plan.isBackground = true;
  return plan;
}

const MAX_ADDRESSES = 2 ** 17;
/** Characters of the names in `Vary`, e.g. 117 of a Next.js page. A site could name other fields each time. */
const MAX_VARY_LENGTH = 200;

/**
 * Addresses whose responses could be everyone's, with the fields by which they vary, by a hash with a secret: nobody can choose
 * addresses that collide. Knows the last {@link MAX_ADDRESSES} requested; another costs one request more.
 */
export class SharedAddresses {
  readonly #secret = randomBytes(16).toString('base64');
  readonly #known = createLru<string>(MAX_ADDRESSES);

  clear(): void {
    this.#known.clear();
  }

  /** @returns names in `Vary`; `undefined` if it is not known that the address can be shared */
  findVary(key: string): readonly string[] | undefined {
    const names = this.#known.size === 0 ? undefined : this.#known.get(this.#hash(key));
    return names === undefined ? undefined : splitVary(names);
  }

  add(key: string, vary: readonly string[]): void {
    const names = vary.join();
    if (names.length > MAX_VARY_LENGTH) this.remove(key);
    else this.#known.set(this.#hash(key), names);
  }

  remove(key: string): void {
    this.#known.delete(this.#hash(key));
  }

  #hash(key: string): string {
    return hash('sha256', this.#secret + key, 'base64').slice(0, 8);
  }
}

const splitVary = memoizeByString((names): readonly string[] => (names === '' ? NO_VARY : names.split(',')));
