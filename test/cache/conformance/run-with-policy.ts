import type { CacheRule } from '../../../src/cache/cache.ts';
import * as policy from '../../../src/cache/policy/index.ts';
import type { StoredResponse } from '../../../src/cache/store.ts';
import { hasField, withoutFields } from '../../../src/http/fields.ts';
import { type Case, flatten, type Step } from './case.ts';
import { SITE_ORIGIN, type StepOutcome, siteBody, siteFields } from './outcomes.ts';

/** The rule of a plain proxy: nothing is assumed. */
export const NO_RULE: CacheRule = {
  ttl: () => undefined,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  override: false,
};

/** What a request that validates does not have of its client. */
export const CONDITIONAL: ReadonlySet<string> = new Set([
  ...['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range', 'range'],
]);

/**
 * Plays a case by the policy alone: a cache that has one client at a time, keeps everything, and does what is due at
 * once. It decides nothing itself.
 */
export function runWithPolicy(of: Case, start: number, rule: CacheRule = NO_RULE): readonly StepOutcome[] {
  const cache = new PolicyCache(start, rule);
  return of.steps.map((step, index) => cache.play(step, index + 1));
}

interface OriginResult {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  readonly whole: boolean;
  readonly requestTime: number;
  readonly responseTime: number;
}

class PolicyCache {
  readonly #start: number;
  readonly #rule: CacheRule;
  readonly #answers = new Map<string, readonly StoredResponse[]>();
  #now: number;
  #asked: string[][] = [];

  constructor(start: number, rule: CacheRule) {
    this.#start = start;
    this.#now = start;
    this.#rule = rule;
  }

  play(step: Step, number: number): StepOutcome {
    this.#now += (step.after ?? 0) * 1000;
    this.#asked = [];
    const request = { method: step.method ?? 'GET', headers: flatten(step.headers ?? {}, this.#start) };
    const reply = this.#serve(request, step, number);
    return {
      status: reply.status,
      headers: reply.headers,
      body: new TextDecoder().decode(reply.body),
      forwarded: this.#asked,
    };
  }

  #serve(request: { method: string; headers: string[] }, step: Step, number: number): policy.ClientResponse {
    const key = step.path ?? '/';
    const ask = (headers: string[]) => this.#reach(headers, step, number);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const reached = ask(request.headers);
      if (reached === null) return GATEWAY_ERROR;
      for (const address of policy.getInvalidatedUris(request.method, SITE_ORIGIN + key, reached)) {
        this.#answers.delete(address.slice(SITE_ORIGIN.length));
      }
      return reached;
    }

    const wishes = policy.parseRequestDirectives(request.headers);
    if (policy.bypassesCache(wishes)) return ask(request.headers) ?? GATEWAY_ERROR;
    const stored = policy.selectStoredResponse(
      this.#answers.get(key) ?? [],
      { variant: (vary) => policy.createVariantKey(vary, request.headers) },
      this.#now,
    );
    const received = (reached: OriginResult): policy.OriginResponse => ({
      method: request.method === 'HEAD' ? 'HEAD' : 'GET',
      requestHeaders: request.headers,
      authorized: hasField(request.headers, 'authorization'),
      rule: this.#rule,
      head: { status: reached.status, reason: '', headers: reached.headers },
      requestTime: reached.requestTime,
      responseTime: reached.responseTime,
    });
    const from = (answer: StoredResponse): policy.ClientResponse => {
      const reply = policy.createClientResponse(
        answer,
        wishes,
        request.method === 'HEAD' ? 'HEAD' : 'GET',
        this.#now,
      );
      return { ...reply, headers: [...reply.headers, 'Age', policy.formatAge(answer, this.#now)] };
    };

    const use = stored === undefined ? 'revalidate' : policy.evaluateReuse(stored, wishes, this.#now);
    if (stored !== undefined && use !== 'revalidate') {
      const reply = from(stored);
      if (use === 'stale-while-revalidate') {
        const reached = ask(this.#conditional(request.headers, stored));
        if (reached?.status === 304 && policy.matchesValidators(received(reached).head, stored)) {
          this.#put(key, policy.freshenStoredResponse(stored, received(reached)).response);
        } else if (reached !== null && !policy.isErrorStatus(reached.status)) {
          this.#keep(key, received(reached), reached);
        }
      }
      return reply;
    }
    if (policy.isOnlyIfCached(wishes)) return NOT_CACHED;

    const validates = stored !== undefined && request.method === 'GET';
    const reached = ask(validates ? this.#conditional(request.headers, stored) : request.headers);
    if (stored !== undefined && (reached === null || policy.isErrorStatus(reached.status))) {
      if (policy.canServeOnError(stored, wishes, this.#now)) return from(stored);
    }
    if (reached === null) return GATEWAY_ERROR;
    if (validates && reached.status === 304 && policy.matchesValidators(received(reached).head, stored)) {
      const { response, isStorable } = policy.freshenStoredResponse(stored, received(reached));
      if (isStorable) this.#put(key, response);
      else this.#answers.delete(key);
      return from(response);
    }
    if (request.method === 'HEAD') {
      if (stored !== undefined) this.#put(key, policy.updateFromHead(stored, received(reached)));
      return reached;
    }
    const kept = this.#keep(key, received(reached), reached);
    // What may no longer be stored takes the place of what was.
    if (kept === null && reached.whole && reached.status < 500) this.#answers.delete(key);
    // The site was asked for the whole, without the client's own conditions.
    return validates && kept !== null ? policy.createClientResponse(kept, wishes, 'GET', this.#now) : reached;
  }

  #conditional(headers: readonly string[], stored: StoredResponse): string[] {
    return [...withoutFields(headers, CONDITIONAL), ...policy.createRevalidationConditions(stored)];
  }

  #reach(headers: string[], step: Step, number: number): OriginResult | null {
    this.#asked.push(headers);
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
      whole: !cut,
      requestTime,
      responseTime: this.#now,
    };
  }

  #keep(key: string, received: policy.OriginResponse, reached: OriginResult): StoredResponse | null {
    const outcome = policy.evaluateStorability(received);
    if (outcome.kind === 'not-storable') return null;
    const answer = policy.completeDraft(outcome.draft, reached.body, []);
    if (answer !== null) this.#put(key, answer);
    return answer;
  }

  #put(key: string, answer: StoredResponse): void {
    const others = (this.#answers.get(key) ?? []).filter(({ variant }) => variant !== answer.variant);
    this.#answers.set(key, [answer, ...others]);
  }
}

const NOT_CACHED: policy.ClientResponse = { status: 504, headers: [], body: new Uint8Array(0) };
const GATEWAY_ERROR: policy.ClientResponse = { ...NOT_CACHED, status: 502 };
