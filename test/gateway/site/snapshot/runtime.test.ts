import { describe, expect, test } from 'vitest';
import { DiscoveryError } from '../../../../src/base/errors.ts';
import { silentLog } from '../../../../src/base/ports.ts';
import { runSteps } from '../../../../src/base/steps.ts';
import { readMountedSiteSettings } from '../../../../src/gateway/site/settings.ts';
import { NO_DISCOVERIES, SiteRuntime } from '../../../../src/gateway/site/snapshot/site-runtime.ts';
import {
  createPlainProxySnapshot,
  createSnapshot,
  type Snapshot,
} from '../../../../src/gateway/site/snapshot/snapshot.ts';
import type { StoredDocument } from '../../../../src/gateway/site/snapshot/stored-document.ts';
import { readRecordedSite } from '../../../../src/generator/discovery/index.ts';
import { toOpenApi } from '../../../../src/generator/openapi/index.ts';
import { GatewayClock } from '../../../support/gateway-clock.ts';
import { createRoutesIndex } from '../../../support/index-routes.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Lets time pass, and what it begins end. */
const pass = (clock: GatewayClock, milliseconds: number): Promise<void> => {
  clock.pass(milliseconds);
  return settled();
};
const { snapshot: SETTINGS } = readMountedSiteSettings(
  { url: 'http://example.com/', passthrough: true },
  { sites: [] },
);
const snapshot = (name: string): Snapshot =>
  createPlainProxySnapshot(`http://${name}.example.com/`, SETTINGS);
const failure = new DiscoveryError('the site is down', { reason: 'refused' });

/** Creates a runtime whose discoveries return the listed results in order; the last result repeats. */
function createRuntime(
  readings: readonly (Snapshot | null | Error)[],
  {
    initial: snapshot = null,
    interval: rediscoveryInterval,
    stored,
  }: { initial?: Snapshot | null; interval?: number | undefined; stored?: StoredDocument } = {},
): { runtime: SiteRuntime; clock: GatewayClock; readings: () => number } {
  const clock = new GatewayClock(0, 0);
  let count = 0;
  const runtime = new SiteRuntime({
    discoverSnapshot: async (_, index) => {
      const result = readings[Math.min(count, readings.length - 1)] ?? null;
      count += 1;
      if (result instanceof Error) throw result;
      return { index, snapshot: result, failure: null, isUnfinished: false };
    },
    known: { ...NO_DISCOVERIES, snapshot },
    rediscoveryInterval,
    stored,
    clock,
    random: () => 0.5,
    log: silentLog,
  });
  return { runtime, clock, readings: () => count };
}

describe('a site', () => {
  test('is discovered on the interval, and served from the latest discovery', async () => {
    const [first, second] = [snapshot('first'), snapshot('second')];
    const { runtime, clock, readings } = createRuntime([first, second], { interval: 300_000 });
    runtime.start();
    await settled();
    await pass(clock, 299_999);
    expect(readings()).toBe(1);
    await pass(clock, 1);
    expect(runtime.snapshot).toBe(second);
  });

  test.each([
    [
      'with doubling delays of at most a minute',
      undefined,
      [750, 1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000],
    ],
    ['no later than its interval', 500, [500, 500]],
  ])('that is down is retried %s', async (_, interval, expected) => {
    const { runtime, clock } = createRuntime([failure], { interval });
    runtime.start();
    const waits: number[] = [];
    while (waits.length < expected.length) {
      await settled();
      const [wait = 0] = clock.delays;
      waits.push(wait);
      await pass(clock, wait);
    }
    expect(waits).toEqual(expected);
  });

  test('is discovered once more for all requests that arrive during a discovery', async () => {
    const [first, second, third] = [snapshot('first'), snapshot('second'), snapshot('third')];
    const { runtime, clock, readings } = createRuntime([first, second, third], { interval: 1_000 });
    runtime.start();
    await settled();
    const passing = pass(clock, 1_000);
    // The discovery of the interval has read the site already.
    expect(readings()).toBe(2);
    await Promise.all([runtime.rediscover(), runtime.rediscover()]);
    expect(runtime.snapshot).toBe(third);
    expect(readings()).toBe(3);
    await passing;
  });

  test('stores a new document though its comparison throws', async () => {
    const read = (routes: Readonly<Record<string, string>>): Snapshot => {
      const index = readRecordedSite(createRoutesIndex(routes), { url: 'http://example.com/' });
      return runSteps(createSnapshot(toOpenApi(index).document, SETTINGS));
    };
    const [before, after] = [read({ '/wp/v2/books': 'GET' }), read({ '/wp/v2/films': 'GET' })];
    Object.defineProperty(before.documented?.document, 'info', {
      enumerable: true,
      get: () => {
        throw new Error('unreadable');
      },
    });
    const written: unknown[] = [];
    const stored = {
      load: async () => null,
      store: (document: unknown) => written.push(document),
    } as unknown as StoredDocument;
    const { runtime } = createRuntime([after], { initial: before, stored });
    runtime.start();
    await runtime.running;
    expect(written).toEqual([after.documented?.document]);
    expect(runtime.known).toMatchObject({ discoveries: { succeeded: 1, failed: 0 } });
  });

  test('aborts a running discovery when it is stopped', async () => {
    let requestSignal: AbortSignal | undefined;
    const runtime = new SiteRuntime({
      discoverSnapshot: (signal) => {
        requestSignal = signal;
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      known: NO_DISCOVERIES,
      rediscoveryInterval: 1_000,
      clock: new GatewayClock(0, 0),
      random: () => 0.5,
      log: silentLog,
    });
    runtime.start();
    expect(requestSignal?.aborted).toBe(false);
    runtime.stop();
    expect(requestSignal?.aborted).toBe(true);
    await settled();
    expect(runtime.lastDiscoveryError).toBeNull();
  });
});
