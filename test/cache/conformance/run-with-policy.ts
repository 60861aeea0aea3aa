import { type ClientResponse, createClientResponse } from '../../../src/cache/policy/client-response.ts';
import {
  combineParts,
  completesPart,
  createCompletedHead,
  createCompletionConditions,
  getPartRange,
} from '../../../src/cache/policy/parts.ts';
import {
  bypassesCache,
  canServeOnFailure,
  evaluateReuse,
  isOnlyIfCached,
  parseRequestDirectives,
  selectStoredResponse,
  servesFromPart,
} from '../../../src/cache/policy/reuse.ts';
import {
  createRevalidationConditions,
  freshenStoredResponse,
  matchesValidators,
  updateFromHead,
} from '../../../src/cache/policy/revalidation.ts';
import {
  type CacheRule,
  completeDraft,
  createStoredResponse,
  createVariantKey,
  evaluateStorability,
  formatAge,
  isStaleIfErrorStatus,
  type OriginRequest,
  type OriginResponse,
} from '../../../src/cache/policy/storability.ts';
import {
  createPostDraft,
  getInvalidatedUris,
  isRepresentationOfTarget,
} from '../../../src/cache/policy/unsafe-methods.ts';
import type { StoredResponse } from '../../../src/cache/store.ts';
import { hasField, withoutFields } from '../../../src/http/fields.ts';
import { type Case, flatten, type Step } from './case.ts';
import { SITE_ORIGIN, type StepOutcome, siteBody, siteFields } from './outcomes.ts';

/** The rule of a plain proxy: no configured freshness. */
export const NO_RULE: CacheRule = {
  getTtl: () => undefined,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  staleIfUnreachable: 86_400,
  overridesResponse: false,
};

/** Fields of the client that revalidation conditions replace. */
export const CONDITIONAL: ReadonlySet<string> = new Set([
  ...['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range', 'range'],
]);

/**
 * Runs a case with the policy functions alone: a cache with one client at a time and without limits. The cache makes no
 * decisions of its own.
 */
export function runWithPolicy(of: Case, start: number, rule: CacheRule = NO_RULE): readonly StepOutcome[] {
  const cache = new PolicyCache(start, rule);
  return of.steps.map((step, index) => cache.run(step, index + 1));
}

/** The functions of one request that {@link PolicyCache} uses for parts. */
interface PartServing {
  readonly forward: (headers: string[]) => OriginResult | null;
  readonly serve: (stored: StoredResponse) => ClientResponse;
  readonly toOriginResponse: (result: OriginResult) => OriginResponse;
}

interface OriginResult {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  readonly isComplete: boolean;
  readonly requestTime: number;
  readonly responseTime: number;
}

class PolicyCache {
  readonly #start: number;
  readonly #rule: CacheRule;
  readonly #stored = new Map<string, readonly StoredResponse[]>();
  #now: number;
  #forwarded: string[][] = [];

  constructor(start: number, rule: CacheRule) {
    this.#start = start;
    this.#now = start;
    this.#rule = rule;
  }

  run(step: Step, number: number): StepOutcome {
    this.#now += (step.after ?? 0) * 1000;
    this.#forwarded = [];
    const request = { method: step.method ?? 'GET', headers: flatten(step.headers ?? {}, this.#start) };
    const response = this.#serve(request, step, number);
    return {
      status: response.status,
      headers: response.headers,
      body: new TextDecoder().decode(response.body),
      forwarded: this.#forwarded,
    };
  }

  #serve(request: { method: string; headers: string[] }, step: Step, number: number): ClientResponse {
    const key = step.path ?? '/';
    const forward = (headers: string[]) => this.#forward(headers, step, number);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const result = forward(request.headers);
      if (result === null) return GATEWAY_ERROR;
      for (const address of getInvalidatedUris(request.method, SITE_ORIGIN + key, result)) {
        this.#stored.delete(address.slice(SITE_ORIGIN.length));
      }
      this.#storePost(request, key, result);
      return result;
    }

    const directives = parseRequestDirectives(request.headers);
    if (bypassesCache(directives)) return forward(request.headers) ?? GATEWAY_ERROR;
    const stored = selectStoredResponse(
      this.#stored.get(key) ?? [],
      {
        getVariantKey: (vary) => createVariantKey(vary, request.headers),
        identifyingFields: identify(request.headers),
      },
      this.#now,
    );
    const toOriginResponse = (result: OriginResult): OriginResponse => ({
      request: this.#toOriginRequest(request.method === 'HEAD' ? 'HEAD' : 'GET', request.headers),
      head: { status: result.status, reason: '', headers: result.headers },
      requestTime: result.requestTime,
      responseTime: result.responseTime,
    });
    const serve = (selected: StoredResponse): ClientResponse => {
      const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
      const response = createClientResponse(selected, directives, method, this.#now);
      return { ...response, headers: [...response.headers, 'Age', formatAge(selected, this.#now)] };
    };

    if (stored?.status === 206)
      return this.#serveFromPart(request, key, stored, { forward, serve, toOriginResponse });
    const decision = stored === undefined ? 'revalidate' : evaluateReuse(stored, directives, this.#now);
    if (stored !== undefined && decision !== 'revalidate') {
      const response = serve(stored);
      if (decision === 'stale-while-revalidate') {
        const result = forward(this.#conditional(request.headers, stored));
        if (result?.status === 304 && matchesValidators(toOriginResponse(result).head, stored)) {
          this.#put(key, freshenStoredResponse(stored, toOriginResponse(result)).response);
        } else if (result !== null && !isStaleIfErrorStatus(result.status)) {
          this.#storeIfAllowed(key, toOriginResponse(result), result);
        }
      }
      return response;
    }
    if (isOnlyIfCached(directives)) return NOT_CACHED;

    const isRevalidation = stored !== undefined && request.method === 'GET';
    const result = forward(isRevalidation ? this.#conditional(request.headers, stored) : request.headers);
    if (stored !== undefined && (result === null || isStaleIfErrorStatus(result.status))) {
      if (canServeOnFailure(stored, directives, this.#now, result === null ? 'unreachable' : 'error'))
        return serve(stored);
    }
    if (result === null) return GATEWAY_ERROR;
    if (isRevalidation && result.status === 304 && matchesValidators(toOriginResponse(result).head, stored)) {
      const { response, refusal } = freshenStoredResponse(stored, toOriginResponse(result));
      if (refusal === undefined) this.#put(key, response);
      else this.#stored.delete(key);
      return serve(response);
    }
    if (request.method === 'HEAD') {
      if (stored !== undefined) this.#put(key, updateFromHead(stored, toOriginResponse(result)));
      return result;
    }
    const updated = this.#storeIfAllowed(key, toOriginResponse(result), result);
    // A response that must not be stored removes the stored one.
    if (updated === null && result.isComplete && result.status < 500) this.#stored.delete(key);
    // The request was forwarded without the client's conditions and range.
    return isRevalidation && updated !== null
      ? createClientResponse(updated, directives, 'GET', this.#now)
      : result;
  }

  #conditional(headers: readonly string[], stored: StoredResponse): string[] {
    return [...withoutFields(headers, CONDITIONAL), ...createRevalidationConditions(stored)];
  }

  #forward(headers: string[], step: Step, number: number): OriginResult | null {
    this.#forwarded.push(headers);
    const requestTime = this.#now;
    this.#now += (step.site?.delay ?? 0) * 1000;
    if (step.site?.failure === 'unreachable') return null;
    const body = new TextEncoder().encode(siteBody(step, number));
    const fields = siteFields(step, number, this.#start, this.#now);
    const cut = step.site?.failure === 'cut';
    return {
      status: step.site?.status ?? 200,
      headers: cut ? [...fields, 'Content-Length', String(body.byteLength + 1)] : fields,
      body,
      isComplete: !cut,
      requestTime,
      responseTime: this.#now,
    };
  }

  #storePost(
    { headers, method }: { method: string; headers: string[] },
    key: string,
    result: OriginResult,
  ): void {
    const head = { status: result.status, reason: '', headers: result.headers };
    if (method !== 'POST' || !result.isComplete) return;
    if (!isRepresentationOfTarget(head, SITE_ORIGIN + key)) return;
    const draft = createPostDraft({
      request: this.#toOriginRequest('GET', headers),
      head,
      requestTime: result.requestTime,
      responseTime: result.responseTime,
    });
    if (draft === null) return;
    const response = completeDraft(draft, result.body, { tags: [], group: null });
    if (response !== null) this.#put(key, response);
  }

  #toOriginRequest(method: 'GET' | 'HEAD', headers: readonly string[]): OriginRequest {
    return {
      method,
      forwardedHeaders: headers,
      getVariantKey: (vary) => createVariantKey(vary, headers),
      identifyingFields: identify(headers),
      rule: this.#rule,
    };
  }

  /** Serves a request whose stored response is a part of the representation. */
  #serveFromPart(
    { headers, method }: { readonly method: string; readonly headers: string[] },
    key: string,
    part: StoredResponse,
    { forward, serve, toOriginResponse }: PartServing,
  ): ClientResponse {
    const directives = parseRequestDirectives(headers);
    const isGet = method === 'GET';
    const isUsable = evaluateReuse(part, directives, this.#now) === 'fresh';
    if (isUsable && isGet && servesFromPart('GET', part, directives, this.#now)) return serve(part);
    const isCompletable = isGet && directives.range === undefined;
    const conditions = isCompletable ? createCompletionConditions(part) : undefined;
    const sent = conditions === undefined ? headers : [...withoutFields(headers, CONDITIONAL), ...conditions];
    const received = forward(sent);
    if (received === null) return GATEWAY_ERROR;
    const { head } = toOriginResponse(received);
    if (conditions === undefined || !completesPart(part, head)) {
      this.#storeIfAllowed(key, toOriginResponse(received), received, part);
      return received;
    }
    const isPrefix = getPartRange(part)?.first === 0;
    const bodies = isPrefix ? [part.body, received.body] : [received.body, part.body];
    const completed = { ...received, ...createCompletedHead(part, head), body: Buffer.concat(bodies) };
    return this.#storeIfAllowed(key, toOriginResponse(completed), completed) ?? completed;
  }

  #storeIfAllowed(
    key: string,
    received: OriginResponse,
    result: OriginResult,
    part?: StoredResponse,
  ): StoredResponse | null {
    const outcome = evaluateStorability(received);
    if (outcome.kind === 'not-storable') return null;
    if (outcome.draft.status === 206) {
      const combined = combineParts(part, outcome.draft, result.body, Number.POSITIVE_INFINITY);
      if (combined === null) return null;
      const { body, draft } = combined;
      const response = createStoredResponse(draft, draft.headers, body, { tags: [], group: null });
      this.#put(key, response);
      return response;
    }
    const response = completeDraft(outcome.draft, result.body, { tags: [], group: null });
    if (response !== null) this.#put(key, response);
    return response;
  }

  #put(key: string, response: StoredResponse): void {
    const others = (this.#stored.get(key) ?? []).filter(
      ({ variantKey }) => variantKey !== response.variantKey,
    );
    this.#stored.set(key, [response, ...others]);
  }
}

/** Lists the fields that may identify a client (`CacheRequest.identifyingFields`). */
export const identify = (headers: readonly string[]): readonly string[] =>
  ['authorization', 'cookie'].filter((name) => hasField(headers, name));

const NOT_CACHED: ClientResponse = { status: 504, headers: [], body: new Uint8Array(0) };
const GATEWAY_ERROR: ClientResponse = { ...NOT_CACHED, status: 502 };
