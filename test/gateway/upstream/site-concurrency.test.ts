import { describe, expect, test } from 'vitest';
import { SiteConcurrency, Slot } from '../../../src/gateway/upstream/site-concurrency.ts';
import { GatewayClock } from '../../support/gateway-clock.ts';

function setUp(options: { max: number; queue: number; wait?: number }) {
  const clock = new GatewayClock();
  const concurrency = new SiteConcurrency({ wait: 10_000, ...options }, clock);
  const events: string[] = [];
  const enter = (name: string, client = '192.0.2.1', mayWait = true): Slot => {
    const slot = new Slot(concurrency, {
      describe: () => ({ name: 'GET /', since: 0 }),
      send: () => void events.push(`send ${name}`),
      refuse: (seconds) => void events.push(`refuse ${name} ${seconds}`),
    });
    if (concurrency.enter(slot, client, mayWait)) slot.holder?.send();
    return slot;
  };
  /** What happened since the last call. */
  const happened = (): readonly string[] => events.splice(0);
  return { clock, concurrency, enter, happened };
}

describe('the requests of a site', () => {
  test('in the background are refused at once', () => {
    const { enter, happened } = setUp({ max: 1, queue: 5 });
    enter('a');
    enter('b', '192.0.2.1', false);
    expect(happened()).toEqual(['send a', 'refuse b 10']);
  });

  test('whose response is a stream lose their slot to those that wait', () => {
    const { clock, concurrency, enter, happened } = setUp({ max: 1, queue: 4, wait: 60_000 });
    const stream = enter('stream');
    stream.streamsSince = clock.now();
    clock.pass(30_000);
    expect(concurrency.report().active).toBe(1);
    enter('b');
    clock.pass(1_000);
    expect(happened()).toEqual(['send stream', 'send b']);
    // The end of the stream releases nothing again.
    enter('c');
    stream.release();
    expect(happened()).toEqual([]);
  });
});
