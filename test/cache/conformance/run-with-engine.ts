import { createHttpCache } from '../../../src/cache/engine/index.ts';
import type { ForwardToOrigin } from '../../../src/cache/http-cache.ts';
import { createVariantKey, getInvalidatedUris } from '../../../src/cache/policy/index.ts';
import { createMemoryStore } from '../../../src/cache/stores/index.ts';
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
  const store = createMemoryStore({ clock });
  const cache = createHttpCache({ store, clock, random: () => 0 });

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
      const identifyingFields = identify(headers);
      const rule = NO_RULE;
      const request = {
        key,
        method,
        headers,
        forwardedHeaders: headers,
        getVariantKey: (vary: readonly string[]) => createVariantKey(vary, headers),
        rule,
        identifyingFields,
        findUnshareableReason: () => null,
        getPurgeLabels: () => ({ tags: [], group: null }),
      } as const;
      cache.serve(request, forward, client);
    } else {
      forward({ revalidationConditions: null, isBackground: false }, client);
      const { received } = client;
      const keys = received === undefined ? [] : getInvalidatedUris(method, key, received);
      void store.purge({ kind: 'keys', keys }, 'hard');
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
