import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SiteSlots, type SlotMessages } from '../../src/cli/serve/workers/site-slots.ts';
import { SiteConcurrency, Slot } from '../../src/upstream/site-connections.ts';

/** Messages between processes: each sender's keep their order, and all others may be delayed. */
class Channels {
  readonly #queues: (() => void)[][] = [];

  open(): (deliver: () => void) => void {
    const queue: (() => void)[] = [];
    this.#queues.push(queue);
    return (deliver) => void queue.push(deliver);
  }

  /** Delivers a message of one of the channels. @returns false if there is none */
  deliver(choice: number): boolean {
    const waiting = this.#queues.filter((queue) => queue.length > 0);
    const deliver = waiting[choice % Math.max(1, waiting.length)]?.shift();
    deliver?.();
    return deliver !== undefined;
  }
}

interface Worker {
  readonly concurrency: SiteConcurrency;
  readonly end: () => void;
  isRunning: boolean;
}

test('the workers never send more requests than the site may work on, and each request is sent', () => {
  const choice = fc.nat({ max: 1_000 });
  const step = fc.record({
    kind: fc.constantFrom('send', 'send', 'finish', 'deliver', 'deliver', 'replace'),
    choice,
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(step, { maxLength: 200 }),
      (max, count, steps) => {
        const channels = new Channels();
        const slots = new SiteSlots(max, count);
        const clock = { now: () => 0, after: () => () => {} };
        /** Requests that the site works on. */
        const active: { readonly slot: Slot; readonly worker: Worker }[] = [];
        let unsent = 0;
        const start = (): Worker => {
          const [toWorker, toPrimary] = [channels.open(), channels.open()];
          const inWorker = (run: () => void): void => toWorker(() => worker.isRunning && run());
          const inPrimary = (run: () => void): void => toPrimary(() => worker.isRunning && run());
          const messages: SlotMessages = {
            grant: (granted) => inWorker(() => concurrency.grant(granted)),
            recall: () => inWorker(() => concurrency.recall()),
          };
          const concurrency = new SiteConcurrency({ max, queue: 1_000 }, clock, {
            share: slots.add(messages),
            ask: () => inPrimary(() => slots.ask(messages)),
            giveBack: (returned) => inPrimary(() => slots.giveBack(messages, returned)),
          });
          const worker: Worker = { concurrency, isRunning: true, end: () => slots.remove(messages) };
          return worker;
        };
        const workers = Array.from({ length: count }, start);
        const send = (worker: Worker): void => {
          unsent += 1;
          const slot: Slot = new Slot(worker.concurrency, {
            send() {
              unsent -= 1;
              active.push({ slot, worker });
              expect(active.length).toBeLessThanOrEqual(max);
            },
            refuse: () => expect.unreachable(),
          });
          if (worker.concurrency.enter(slot, `192.0.2.${unsent % 7}`, true)) slot.holder?.send();
        };
        const finish = (at: number): void =>
          active.splice(at % Math.max(1, active.length), 1)[0]?.slot.release();
        for (const { choice: at, kind } of steps) {
          const worker = workers[at % count] as Worker;
          if (kind === 'send') send(worker);
          else if (kind === 'finish') finish(at);
          else if (kind === 'deliver') channels.deliver(at);
          else {
            // Its requests end with it.
            unsent -= worker.concurrency.report().queued;
            worker.isRunning = false;
            active.splice(0, active.length, ...active.filter((each) => each.worker !== worker));
            worker.end();
            workers[at % count] = start();
          }
        }
        for (let round = 0; round < 10_000 && unsent > 0; round += 1) {
          if (!channels.deliver(round)) finish(round);
        }
        expect(unsent).toBe(0);
      },
    ),
  );
});
