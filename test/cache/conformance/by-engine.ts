import type { ForwardToOrigin } from '../../../src/cache/cache.ts';
import { createHttpCache } from '../../../src/cache/engine/index.ts';
import { createVariantKey, getInvalidatedUris } from '../../../src/cache/policy/index.ts';
import { createMemoryStore } from '../../../src/cache/stores/index.ts';
import { hasField, withoutFields } from '../../../src/http/fields.ts';
import { TestCaller } from '../engine/support/caller.ts';
import { ManualClock } from '../engine/support/clock.ts';
import { CONDITIONAL, NO_RULE } from './by-policy.ts';
import { type Case, flatten, type Step } from './case.ts';
import { ADDRESS, type Played, siteBody, siteFields } from './played.ts';

/** What a caller is told where the site has not answered. */
const STATUS_OF_FAILURE = { 'not-stored': 504 } as const;

/** Plays a case by the engine over a store in memory, in front of a site that answers at once. */
export function playByEngine(of: Case, start: number): readonly Played[] {
  const clock = new ManualClock(start);
  const store = createMemoryStore({ clock });
  const cache = createHttpCache({ store, clock, random: () => 0 });

  return of.steps.map((step, index): Played => {
    clock.advance((step.after ?? 0) * 1000);
    const method = step.method ?? 'GET';
    const headers = flatten(step.headers ?? {}, start);
    const key = ADDRESS + (step.path ?? '/');
    const asked: string[][] = [];
    const origin: ForwardToOrigin = ({ conditions }, sink) => {
      asked.push(conditions === null ? headers : [...withoutFields(headers, CONDITIONAL), ...conditions]);
      clock.advance((step.site?.takes ?? 0) * 1000);
      answer(step, index + 1, start, clock.now(), sink);
      return { resume() {}, abort() {} };
    };

    const caller = new TestCaller();
    if (method === 'GET' || method === 'HEAD') {
      const authorized = hasField(headers, 'authorization');
      const rule = NO_RULE;
      const request = {
        key,
        method,
        headers,
        forwardedHeaders: headers,
        variant: (vary: readonly string[]) => createVariantKey(vary, headers),
        rule,
        authorized,
        isShareable: () => true,
        getTags: () => [],
      } as const;
      cache.serve(request, origin, caller);
    } else {
      origin({ conditions: null, background: false }, caller);
      const { received } = caller;
      const keys = received === undefined ? [] : getInvalidatedUris(method, key, received);
      void store.purge({ kind: 'keys', keys }, 'hard');
    }
    const { body, failure, received } = caller;
    const failed = failure?.kind === 'not-stored' ? STATUS_OF_FAILURE['not-stored'] : 502;
    return { status: received?.status ?? failed, headers: received?.headers ?? [], body, asked };
  });
}

function answer(
  step: Step,
  number: number,
  start: number,
  now: number,
  sink: Parameters<ForwardToOrigin>[1],
): void {
  const { fails, status = 200 } = step.site ?? {};
  if (fails === 'unreachable') {
    sink.fail({ kind: 'refused' });
    return;
  }
  sink.head({ status, reason: '', headers: siteFields(step, number, start, now) });
  const body = siteBody(step, number);
  if (body !== '') sink.write(new TextEncoder().encode(body));
  if (fails === 'cut') sink.fail({ kind: 'connection-broken' });
  else sink.end([]);
}
