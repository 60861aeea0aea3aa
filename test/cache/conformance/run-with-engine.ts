import type { CacheRequest, FetchOptions } from '../../../src/cache/cache-request.ts';
import { HttpCache } from '../../../src/cache/http-cache.ts';
import { type CacheRule, createVariantKey } from '../../../src/cache/policy/storability.ts';
import { getInvalidatedUris } from '../../../src/cache/policy/unsafe-methods.ts';
import { MemoryStore } from '../../../src/cache/stores/memory-store.ts';
import type { Exchange, ResponseHead, ResponseSink } from '../../../src/http/exchange.ts';
import { hasField, withoutFields } from '../../../src/http/fields.ts';
import { ManualClock } from '../engine/support/manual-clock.ts';
import { TestClient } from '../engine/support/test-client.ts';
import { type Case, flatten, type Step } from './case.ts';
import { SITE_ORIGIN, type StepOutcome, siteBody, siteFields } from './outcomes.ts';

/** The rule of a plain proxy: no configured freshness. */
const NO_RULE: CacheRule = {
  getTtl: () => undefined,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  staleIfUnreachable: 86_400,
  overridesResponse: false,
};

/** Fields of the client that revalidation conditions replace. */
const CONDITIONAL: ReadonlySet<string> = new Set([
  ...['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range', 'range'],
]);

/** Runs a case with the engine over a memory store, in front of a site that responds at once. */
export async function runWithEngine(of: Case, start: number): Promise<readonly StepOutcome[]> {
  const clock = new ManualClock(start);
  const store = new MemoryStore({ clock });
  const cache = new HttpCache({ store, clock });

  const runStep = async (step: Step, index: number): Promise<StepOutcome> => {
    clock.advance((step.after ?? 0) * 1000);
    const method = step.method ?? 'GET';
    const headers = flatten(step.headers ?? {}, start);
    const key = SITE_ORIGIN + (step.path ?? '/');
    const forwarded: string[][] = [];
    const fetch = (
      _request: CacheRequest,
      { revalidationConditions }: FetchOptions,
      sink: ResponseSink,
    ): Exchange => {
      forwarded.push(
        revalidationConditions === null
          ? headers
          : [...withoutFields(headers, CONDITIONAL), ...revalidationConditions],
      );
      clock.advance((step.site?.delay ?? 0) * 1000);
      respond(step, index + 1, start, clock.now(), sink);
      return { resume() {}, abort() {} };
    };

    const client = new TestClient();
    if (method === 'GET' || method === 'HEAD') {
      cache.serve(createRequest(key, method, headers), { fetch }, client);
    } else {
      const purge = (head: ResponseHead): void => {
        void store.purge({ kind: 'tags', tags: getInvalidatedUris(method, key, head) }, 'hard');
      };
      const options = { revalidationConditions: null, vary: [], isBackground: false };
      fetch(createRequest(key, 'GET', headers), options, purgeAtEnd(client, purge));
    }
    // The connection breaks after the head.
    await Promise.resolve();
    const { body, failure, received } = client;
    const failed = failure?.kind === 'not-stored' ? 504 : 502;
    return { status: received?.status ?? failed, headers: received?.headers ?? [], body, forwarded };
  };

  const outcomes: StepOutcome[] = [];
  for (const [index, step] of of.steps.entries()) outcomes.push(await runStep(step, index));
  return outcomes;
}

function createRequest(key: string, method: 'GET' | 'HEAD', headers: readonly string[]): CacheRequest {
  return {
    key,
    method,
    headers,
    forwardedHeaders: headers,
    getVariantKey: (vary) => createVariantKey(vary, headers),
    policy: { storeScope: '', rule: NO_RULE, findUnshareableReason: () => null },
    identifyingFields: ['authorization', 'cookie'].filter((name) => hasField(headers, name)),
    getTags: () => [],
  };
}

/** Calls a function with the head when the response has ended, before the client sees the end. */
function purgeAtEnd(client: TestClient, purge: (head: ResponseHead) => void): ResponseSink {
  let received: ResponseHead | undefined;
  return {
    head(head) {
      received = head;
      client.head(head);
    },
    write: (chunk) => client.write(chunk),
    end() {
      if (received !== undefined) purge(received);
      client.end();
    },
    fail: (failure) => client.fail(failure),
  };
}

function respond(step: Step, number: number, start: number, now: number, sink: ResponseSink): void {
  const { failure, status = 200 } = step.site ?? {};
  if (failure === 'unreachable') {
    sink.fail({ kind: 'refused' });
    return;
  }
  sink.head({ status, reason: '', headers: siteFields(step, number, start, now) });
  const body = siteBody(step, number);
  if (body !== '') sink.write(new TextEncoder().encode(body));
  if (failure === 'cut') queueMicrotask(() => sink.fail({ kind: 'connection-broken' }));
  else sink.end([]);
}
