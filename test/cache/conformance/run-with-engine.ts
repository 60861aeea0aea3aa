import type { CacheRequest, ForwardToOrigin } from '../../../src/cache/cache-request.ts';
import { HttpCache } from '../../../src/cache/http-cache.ts';
import { createVariantKey } from '../../../src/cache/policy/storability.ts';
import { getInvalidatedUris } from '../../../src/cache/policy/unsafe-methods.ts';
import { MemoryStore } from '../../../src/cache/stores/memory-store.ts';
import { observePostResponse } from '../../../src/gateway/caching/site-cache-request.ts';
import type { ResponseObserver } from '../../../src/gateway/exchange/response-relay.ts';
import type { ResponseHead, ResponseSink } from '../../../src/http/exchange.ts';
import { withoutFields } from '../../../src/http/fields.ts';
import { ManualClock } from '../engine/support/manual-clock.ts';
import { TestClient } from '../engine/support/test-client.ts';
import { type Case, flatten, type Step } from './case.ts';
import { SITE_ORIGIN, type StepOutcome, siteBody, siteFields } from './outcomes.ts';
import { CONDITIONAL, identify, NO_RULE } from './run-with-policy.ts';

/** Status of the gateway's own response by kind of failure. */
const STATUS_OF_FAILURE = { 'not-stored': 504 } as const;

/** Runs a case with the engine over a memory store, in front of a site that responds at once. */
export async function runWithEngine(of: Case, start: number): Promise<readonly StepOutcome[]> {
  const clock = new ManualClock(start);
  const store = new MemoryStore({ clock });
  const cache = new HttpCache({ store, clock, random: () => 0 });

  const runStep = async (step: Step, index: number): Promise<StepOutcome> => {
    clock.advance((step.after ?? 0) * 1000);
    const method = step.method ?? 'GET';
    const headers = flatten(step.headers ?? {}, start);
    const key = SITE_ORIGIN + (step.path ?? '/');
    const forwarded: string[][] = [];
    const forward: ForwardToOrigin = ({ revalidationConditions }, sink) => {
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
      cache.serve(createRequest(key, method, headers), forward, client);
    } else {
      let received: ResponseHead | undefined;
      const writeObserver: ResponseObserver = {
        head(head) {
          received = head;
        },
        end() {
          const keys = received === undefined ? [] : getInvalidatedUris(method, key, received);
          store.purge({ kind: 'keys', keys }, 'hard');
        },
      };
      const observer =
        method === 'POST'
          ? observePostResponse({
              cache,
              target: key,
              createReadRequest: () => createRequest(key, 'GET', headers),
              toRelayedHead: (head) => ({ headers: [...head.headers] }),
              writeObserver,
            })
          : writeObserver;
      forward(
        { revalidationConditions: null, vary: [], isBackground: false },
        createObservedSink(observer, client),
      );
    }
    // The connection breaks after the head.
    await Promise.resolve();
    const { body, failure, received } = client;
    const failed = failure?.kind === 'not-stored' ? STATUS_OF_FAILURE['not-stored'] : 502;
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
    rule: NO_RULE,
    identifyingFields: identify(headers),
    findUnshareableReason: () => null,
    getPurgeLabels: () => ({ tags: [], group: null }),
  };
}

/** Notifies an observer before a client. */
function createObservedSink(observer: ResponseObserver, client: TestClient): ResponseSink {
  return {
    head(head) {
      observer.head(head);
      client.head(head);
    },
    write(chunk) {
      observer.write?.(chunk);
      return client.write(chunk);
    },
    end() {
      void observer.end?.();
      client.end();
    },
    fail(failure) {
      observer.fail?.(failure);
      client.fail(failure);
    },
  };
}

function respond(
  step: Step,
  number: number,
  start: number,
  now: number,
  sink: Parameters<ForwardToOrigin>[1],
): void {
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
