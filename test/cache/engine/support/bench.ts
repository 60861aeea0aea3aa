import type { CacheRequest, CacheRule, HttpCache } from '../../../../src/cache/cache.ts';
import { type CacheLimits, createHttpCache } from '../../../../src/cache/engine/index.ts';
import { createVariantKey } from '../../../../src/cache/policy/index.ts';
import type { CacheStore } from '../../../../src/cache/store.ts';
import { createMemoryStore } from '../../../../src/cache/stores/index.ts';
import { fieldValue } from '../../../../src/http/fields.ts';
import { TestCaller } from './caller.ts';
import { ManualClock } from './clock.ts';
import { Site } from './site.ts';

/** What the RFCs alone say. */
export const NO_RULE: CacheRule = {
  ttl: () => undefined,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  override: false,
};

export interface Asked extends Partial<CacheRequest> {
  /** Takes nothing at first. */
  readonly full?: boolean;
}

export function requestOf(facts: Partial<CacheRequest> = {}): CacheRequest {
  const forwardedHeaders = facts.forwardedHeaders ?? facts.headers ?? [];
  return {
    key: '/a',
    method: 'GET',
    headers: [],
    forwardedHeaders,
    variant: (vary) => createVariantKey(vary, forwardedHeaders),
    rule: NO_RULE,
    authorized: false,
    isShareable: (head) => fieldValue(head.headers, 'set-cookie') === undefined,
    getTags: () => ['a'],
    ...facts,
  };
}

/** A cache between callers and a site, all of them at the test's hand. */
export class Bench {
  readonly clock: ManualClock = new ManualClock();
  readonly site: Site = new Site();
  readonly store: CacheStore;
  readonly cache: HttpCache;
  random = 0;

  constructor(options: { readonly limits?: Partial<CacheLimits>; readonly store?: CacheStore } = {}) {
    const { clock } = this;
    this.store = options.store ?? createMemoryStore({ clock });
    const limits = options.limits ?? {};
    this.cache = createHttpCache({ store: this.store, clock, random: () => this.random, limits });
  }

  ask({ full = false, ...facts }: Asked = {}): TestCaller {
    const caller = new TestCaller();
    caller.full = full;
    caller.exchange = this.cache.serve(requestOf(facts), this.site.origin, caller);
    return caller;
  }

  /** Asks, and has the site answer where it is asked. */
  fill(answer: Parameters<Site['last']['answer']>[0], asked: Asked = {}): TestCaller {
    const caller = this.ask(asked);
    this.site.last.answer(answer);
    this.clock.advance(1);
    return caller;
  }
}
