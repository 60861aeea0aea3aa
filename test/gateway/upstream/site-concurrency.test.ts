import { describe, expect, test } from 'vitest';
import { SiteConcurrency, Slot } from '../../../src/gateway/upstream/site-concurrency.ts';

/** A clock whose timers the test runs. */
function createClock() {
  let now = 0;
  const tasks = new Set<{ readonly at: number; readonly task: () => void }>();
  return {
    now: () => now,
    after(delay: number, task: () => void) {
      const entry = { at: now + delay, task };
      tasks.add(entry);
      return () => void tasks.delete(entry);
    },
    /** Lets time pass, a second at a time. */
    pass(seconds: number): void {
      for (let second = 0; second < seconds; second += 1) {
        now += 1_000;
        const due = [...tasks].filter(({ at }) => at <= now);
        for (const entry of due) tasks.delete(entry);
        for (const { task } of due) task();
      }
    },
  };
}

function setUp(options: { max: number; queue: number; wait?: number }) {
  const clock = createClock();
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

  test('of clients take turns', () => {
    const { enter, happened } = setUp({ max: 1, queue: 10 });
    const slots: Record<string, Slot> = { first: enter('first') };
    for (const name of ['a1', 'a2', 'a3']) slots[name] = enter(name, '192.0.2.1');
    slots['b1'] = enter('b1', '192.0.2.2');
    slots['c1'] = enter('c1', '2001:db8::1');
    slots['c2'] = enter('c2', '2001:db8::2');
    happened();
    let last: Slot | undefined = slots['first'];
    const order: string[] = [];
    while (last !== undefined) {
      last.release();
      const [next = ''] = happened();
      const name = next.replace('send ', '');
      last = slots[name];
      if (last !== undefined) order.push(name);
    }
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  test('of a client that fills the queue give way to those of others', () => {
    const { concurrency, enter, happened } = setUp({ max: 1, queue: 4 });
    enter('first');
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) enter(name, '192.0.2.1');
    expect(happened()).toEqual(['send first', 'refuse a5 10']);
    enter('b1', '192.0.2.2');
    expect(happened()).toEqual(['refuse a4 10']);
    enter('b2', '192.0.2.2');
    expect(happened()).toEqual(['refuse a3 10']);
    enter('b3', '192.0.2.2');
    expect(happened()).toEqual(['refuse b3 10']);
    expect(concurrency.report()).toEqual({ active: 1, queued: 4, max: 1, refused: 4 });
  });

  test('whose response is a stream lose their slot to those that wait', () => {
    const { clock, concurrency, enter, happened } = setUp({ max: 1, queue: 4, wait: 60_000 });
    const stream = enter('stream');
    stream.streamsSince = clock.now();
    clock.pass(30);
    expect(concurrency.report().active).toBe(1);
    enter('b');
    clock.pass(1);
    expect(happened()).toEqual(['send stream', 'send b']);
    // The end of the stream releases nothing again.
    enter('c');
    stream.release();
    expect(happened()).toEqual([]);
  });
});
