import { describe, expect, test } from 'vitest';
import { ProbeClient } from '../../src/calibrate/probe-client.ts';
import type { Clock } from '../../src/ports.ts';

/** A clock that jumps to the next timer whenever the code under test has nothing else to do. */
function createJumpingClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    after(delay, task) {
      let isCancelled = false;
      setImmediate(() => {
        if (isCancelled) return;
        now += delay;
        task();
      });
      return () => {
        isCancelled = true;
      };
    },
  };
}

function createClient(
  rate: number,
  respond: (count: number) => Response = () => Response.json([]),
): { readonly client: ProbeClient; readonly times: readonly number[] } {
  const clock = createJumpingClock();
  const times: number[] = [];
  const client = new ProbeClient({
    toUrl: (path) => `http://site.example${path}`,
    headers: [],
    fetch: async () => {
      times.push(clock.now());
      return respond(times.length);
    },
    clock,
    rate,
    signal: new AbortController().signal,
  });
  return { client, times };
}

const REQUEST = { method: 'GET', path: '/a', query: '', body: null };

describe('the rate', () => {
  test('spaces the requests evenly', async () => {
    const { client, times } = createClient(10);
    for (let count = 0; count < 5; count += 1) await client.send(REQUEST);
    expect(times).toEqual([0, 100, 200, 300, 400]);
  });

  test('is lowered by Retry-After, after which the request is repeated', async () => {
    const tooMany = (): Response => new Response('', { status: 429, headers: { 'retry-after': '30' } });
    const { client, times } = createClient(10, (count) => (count === 2 ? tooMany() : Response.json([])));
    await client.send(REQUEST);
    expect(await client.send(REQUEST)).toMatchObject({ verdict: { kind: 'accepted' } });
    expect(times).toEqual([0, 100, 30_100]);
  });

  test('a site that always asks for fewer requests gives no verdict', async () => {
    const { client, times } = createClient(10, () => new Response('', { status: 503 }));
    expect(await client.send(REQUEST)).toBe('rate-limited');
    expect(times).toHaveLength(4);
  });
});
