import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Clock, systemClock } from '../../../../src/base/ports.ts';
import type { PutResult } from '../../../../src/gateway/cache/store.ts';
import { MemoryStore } from '../../../../src/gateway/cache/stores/memory-store.ts';
import { serve } from '../../../../src/gateway/node/index.ts';
import { openGateway } from '../../../../src/open-gateway.ts';
import { waitUntil } from '../../../support/wait.ts';
import { expectOutcomes } from './outcomes.ts';
import { type GatewayRunner, type GatewayUnderTest, startRunner } from './run-with-gateway.ts';
import { START, TABLE } from './table.ts';

/** A plain caching reverse proxy of Node. The test sets the time; timers run in real time. */
async function startGateway(site: string): Promise<GatewayUnderTest> {
  let time = START;
  const clock: Clock = { now: () => time, after: systemClock.after };
  let puts = 0;
  let awaited = 0;
  const store = new (class extends MemoryStore {
    override put(...stored: Parameters<MemoryStore['put']>): PutResult {
      puts += 1;
      return super.put(...stored);
    }
  })({ clock });
  const gateway = openGateway({
    // Fields of requests that the cases use to vary by.
    sites: [
      { url: site, discovery: 'off', passthrough: true, cache: { harmlessHeaders: ['foo', 'bar', 'x-*'] } },
    ],
    cache: store,
    clock,
    random: () => 0,
  });
  const server = await serve({ gateway, port: 0, settings: { shutdownGrace: 200 } });
  return {
    url: server.url,
    now: () => clock.now(),
    advance(milliseconds) {
      time += milliseconds;
    },
    async clear() {
      await store.purge({ kind: 'all' }, 'hard');
      awaited = puts;
    },
    stored: () => waitUntil(() => puts > awaited),
    settled: () => waitUntil(() => gateway.parts.cache?.openFetches === 0),
    stop: () => server.stop(),
  };
}

let runner: GatewayRunner;

beforeAll(async () => {
  runner = await startRunner(startGateway);
});

afterAll(async () => {
  await runner.stop();
});

describe.each(Object.entries(TABLE))('gateway: %s', (_topic, cases) => {
  test.each(cases.map((one) => [one.name, one.rfc, one] as const))('%s (%s)', async (_name, _rfc, one) => {
    const { outcomes, start } = await runner.run(one);
    expectOutcomes(one, outcomes, start);
  });
});
