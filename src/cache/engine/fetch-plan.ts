import type { ForwardReason } from '../../http/cache-status.ts';
import { createLru } from '../../memoize.ts';
import type { Clock } from '../../ports.ts';
import type { CacheRequest, FetchOptions, Upstream } from '../cache-request.ts';
import { isFresh } from '../policy/freshness.ts';
import {
  bypassesCache,
  createRevalidationConditions,
  findRequestObjection,
  hasPermittedResponse,
  NO_REQUEST_DIRECTIVES,
  type RequestDirectives,
  selectStoredResponse,
} from '../policy/reuse.ts';
import { FORWARD_DETAILS, formatRequestFieldDetail } from '../policy/status-details.ts';
import type { Lookup, StoredResponse, StoreMark } from '../store.ts';
import { PassedKinds } from './passed-kinds.ts';

/** Times are in milliseconds. */
export const DEFAULT_CACHE_LIMITS = {
  /** Bytes of a stored body, 8 MiB; larger ones are streamed to the leader only. */
  maxEntryBytes: 8_388_608,
  /** Time until followers are forwarded separately, beyond a transport's timeouts. */
  collapseTimeout: 75_000,
  /** Time for which a key is passed, or not collapsed, after a response for one client. */
  hitForPassDuration: 600_000,
  /** Its holder might have crashed. */
  leaseDuration: 3_000,
  /** Time between the lookups of a gateway that waits for a lease. */
  leasePollInterval: 40,
  /** Time until clients of a silent origin get a stale response. */
  silenceTimeout: 3_000,
  /** Time for which such an origin counts as silent, unless it responds. */
  silenceDuration: 10_000,
};

export type CacheEngineLimits = Readonly<typeof DEFAULT_CACHE_LIMITS>;

/**
 * `shared`: the request can follow another client's fetch. `alone`: it is forwarded separately. `pass`: it is
 * forwarded with all that its client sent.
 */
export type FetchMode = 'shared' | 'alone' | 'pass';

const MAX_ENTRIES = 10_000;
/** Longer keys are not remembered: clients choose them. */
const MAX_KEY_LENGTH = 2048;
/** Milliseconds; needed while nothing is stored under the key. */
const VARY_DURATION = 60_000;

export class KeyMemos {
  readonly varyFields: TtlMap<readonly string[]>;
  /** Why the last response was not everyone's (hit-for-pass), by memo key. */
  readonly hitForPass: TtlMap<string>;
  /** Memo keys whose last response said that it is everyone's. */
  readonly stated: TtlMap<true>;
  readonly passedKinds: PassedKinds;
  /** Time until which sites count as silent, by the scope of their keys. */
  readonly silentSites: Map<string, number> = new Map();

  constructor(clock: Clock, limits: CacheEngineLimits) {
    this.varyFields = new TtlMap(clock, VARY_DURATION);
    this.hitForPass = new TtlMap(clock, limits.hitForPassDuration);
    this.stated = new TtlMap(clock, limits.hitForPassDuration);
    this.passedKinds = new PassedKinds(clock, limits.hitForPassDuration);
  }
}

export class TtlMap<T> {
  readonly #clock: Clock;
  readonly #duration: number;
  readonly #entries = createLru<{ readonly value: T; readonly expires: number }>(MAX_ENTRIES);

  constructor(clock: Clock, duration: number) {
    this.#clock = clock;
    this.#duration = duration;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#clock.now() < entry.expires ? entry.value : undefined;
  }

  clear(): void {
    this.#entries.clear();
  }

  set(key: string, value: T): void {
    if (key.length > MAX_KEY_LENGTH) return;
    this.#entries.set(key, { value, expires: this.#clock.now() + this.#duration });
  }
}

export interface FetchPlan extends FetchOptions {
  /** `null` if no other request can join the fetch. */
  readonly collapseKey: string | null;
  readonly memoKey: string;
  readonly request: CacheRequest;
  readonly directives: RequestDirectives;
  readonly upstream: Upstream;
  /** Response to be revalidated, or served if the origin fails. */
  readonly storedResponse: StoredResponse | undefined;
  /** `null` if nothing can be stored: the response is only for clients that came before its request. */
  readonly mark: StoreMark | null;
  readonly newestResponseTime: number | undefined;
  readonly forwardReason: ForwardReason;
  readonly forwardDetail: string | undefined;
}

export const NO_VARY: readonly string[] = [];

const NOTHING_STORED = {
  collapseKey: null,
  revalidationConditions: null,
  vary: NO_VARY,
  storedResponse: undefined,
  forwardDetail: undefined,
} as const;

export function createCollapseKey(request: CacheRequest, vary: readonly string[]): string {
  return vary.length === 0 ? request.key : `${request.key}\n${request.getVariantKey(vary)}`;
}

export function planFetch(
  { directives, upstream, request }: Pick<FetchPlan, 'directives' | 'request' | 'upstream'>,
  { mark, responses }: Lookup,
  mode: FetchMode,
  memos: KeyMemos,
  now: number,
): FetchPlan {
  const newestResponseTime = responses[0]?.responseTime;
  const ofClient = { request, directives, upstream, memoKey: request.key };
  const base = { ...NOTHING_STORED, ...ofClient, mark, newestResponseTime, isBackground: false };
  if (bypassesCache(directives)) {
    const forwardDetail = directives.hasPrecondition ? FORWARD_DETAILS.precondition : FORWARD_DETAILS.noStore;
    return { ...base, forwardReason: 'request', forwardDetail };
  }
  const storedResponse = selectStoredResponse(responses, request, now);
  const isReload = storedResponse !== undefined && isFresh(storedResponse, now);
  const vary = (storedResponse ?? responses[0])?.vary ?? memos.varyFields.get(request.key) ?? NO_VARY;
  const variantKey = createCollapseKey(request, vary);
  const collapseKey = isReload ? `${variantKey}\nreload` : variantKey;
  const isHitForPass = storedResponse === undefined && memos.hitForPass.get(variantKey) !== undefined;
  const isIndependent =
    mode !== 'shared' ||
    request.method === 'HEAD' ||
    request.identifyingFields.length > 0 ||
    (directives.range !== undefined && storedResponse === undefined) ||
    isHitForPass;
  // Revalidation conditions would replace the client's Range.
  const isUnchanged =
    storedResponse === undefined || mode !== 'shared' || (isIndependent && directives.range !== undefined);
  return {
    ...base,
    collapseKey: isIndependent ? null : collapseKey,
    memoKey: variantKey,
    revalidationConditions: isUnchanged ? null : createConditions(request, storedResponse),
    vary: listVaryFields(vary, responses),
    storedResponse,
    ...explainForward(request, directives, responses, storedResponse, now),
    ...(isHitForPass ? { forwardDetail: FORWARD_DETAILS.hitForPass } : {}),
  };
}

function listVaryFields(vary: readonly string[], responses: readonly StoredResponse[]): readonly string[] {
  return responses.every((response) => response.vary.length === 0 || response.vary.join() === vary.join())
    ? vary
    : [...new Set([vary, ...responses.map((response) => response.vary)].flat())];
}

/** RFC 9211 §2.2. */
function explainForward(
  request: CacheRequest,
  directives: RequestDirectives,
  responses: readonly StoredResponse[],
  stored: StoredResponse | undefined,
  now: number,
): Pick<FetchPlan, 'forwardReason' | 'forwardDetail'> {
  if (stored !== undefined) {
    if (!isFresh(stored, now)) return { forwardReason: 'stale', forwardDetail: undefined };
    return { forwardReason: 'request', forwardDetail: findRequestObjection(stored, directives, now) };
  }
  if (responses.length === 0) return { forwardReason: 'uri-miss', forwardDetail: undefined };
  const [identifying] = request.identifyingFields;
  if (identifying !== undefined && !hasPermittedResponse(responses, request)) {
    return { forwardReason: 'request', forwardDetail: formatRequestFieldDetail(identifying) };
  }
  return { forwardReason: 'vary-miss', forwardDetail: undefined };
}

function createConditions(request: CacheRequest, stored: StoredResponse): readonly string[] {
  return request.trustsValidators?.(stored) === false ? [] : createRevalidationConditions(stored);
}

export function planRefresh(
  collapseKey: string,
  request: CacheRequest,
  upstream: Upstream,
  storedResponse: StoredResponse,
  { mark, responses }: Lookup,
): FetchPlan {
  return {
    ...{ ...NOTHING_STORED, collapseKey, memoKey: collapseKey, request, upstream, storedResponse, mark },
    directives: NO_REQUEST_DIRECTIVES,
    revalidationConditions: createConditions(request, storedResponse),
    vary: listVaryFields(storedResponse.vary, responses),
    newestResponseTime: responses[0]?.responseTime,
    forwardReason: 'stale',
    isBackground: true,
  };
}
