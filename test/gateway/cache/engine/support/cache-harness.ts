import { fieldValue } from '../../../../../src/base/http/fields.ts';
import type {
  CacheEngineLimits,
  CacheRequest,
  EntryPolicy,
} from '../../../../../src/gateway/cache/engine/fetch-plan.ts';
import { HttpCache } from '../../../../../src/gateway/cache/http-cache.ts';
import type { CacheRule } from '../../../../../src/gateway/cache/policy/freshness.ts';
import type { CacheStore } from '../../../../../src/gateway/cache/store.ts';
import { MemoryStore } from '../../../../../src/gateway/cache/stores/memory-store.ts';
import { createVariantKey } from '../../../../../src/gateway/site/caching/site-cache-request.ts';
import { GatewayClock } from '../../../../support/gateway-clock.ts';
import { TestClient } from './test-client.ts';
import { TestOrigin } from './test-origin.ts';

/** No configured freshness: only the RFCs apply. */
const NO_RULE: CacheRule = {
  getTtl: () => undefined,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  staleIfUnreachable: 86_400,
  overridesResponse: false,
};

const SET_COOKIE = { kind: 'set-cookie', name: '' } as const;

type Overrides = Partial<CacheRequest & EntryPolicy>;

export interface TestRequest extends Overrides {
  /** Whether the client's sink is full until `drain`. */
  readonly full?: boolean;
}

export function createRequest(overrides: Overrides = {}): CacheRequest {
  const forwardedHeaders = overrides.forwardedHeaders ?? overrides.headers ?? [];
  return {
    key: '/a',
    method: 'GET',
    headers: [],
    forwardedHeaders,
    getVariantKey: (vary) => createVariantKey(vary, forwardedHeaders),
    policy: {
      storeScope: '',
      rule: NO_RULE,
      findObjection: (head) =>
        fieldValue(head.headers, 'set-cookie') === undefined ? undefined : SET_COOKIE,
      getTags: () => ['a'],
      ...overrides,
    },
    identifyingFields: [],
    ...overrides,
  };
}

/** Resolves after the bytes that arrived together: the leader of a storable response then gets its head. */
export const endOfRead = (): Promise<void> => Promise.resolve();

/** A cache between clients and a site, all controlled by the test. */
export class CacheHarness {
  readonly clock: GatewayClock = new GatewayClock(undefined, 0);
  readonly site: TestOrigin = new TestOrigin();
  readonly store: CacheStore;
  readonly cache: HttpCache;

  constructor(options: { readonly limits?: Partial<CacheEngineLimits>; readonly store?: CacheStore } = {}) {
    const { clock } = this;
    this.store = options.store ?? new MemoryStore({ clock });
    const limits = options.limits ?? {};
    this.cache = new HttpCache({ store: this.store, clock, limits });
  }

  request({ full = false, ...overrides }: TestRequest = {}): TestClient {
    const client = new TestClient();
    client.full = full;
    client.exchange = this.cache.serve(createRequest(overrides), this.site, client);
    return client;
  }

  /** Sends a request, and responds to it as the site. */
  fill(response: Parameters<TestOrigin['last']['respond']>[0], request: TestRequest = {}): TestClient {
    const client = this.request(request);
    this.site.last.respond(response);
    this.clock.pass(1);
    return client;
  }
}
