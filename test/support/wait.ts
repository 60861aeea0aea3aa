import { connect } from 'node:net';
import { vi } from 'vitest';

/** Waits until a condition holds. Rejects after a time in milliseconds that a busy machine does not need. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeout = 60_000,
): Promise<void> {
  await vi.waitUntil(condition, { interval: 5, timeout });
}

/** Waits until a URL has a response of success. */
export function waitUntilOk(url: string): Promise<void> {
  const isOk = async (): Promise<boolean> => (await fetch(url)).ok;
  return waitUntil(() => isOk().catch(() => false));
}

/** Waits until a value has been the same several times, every few milliseconds. */
export async function waitUntilStable<T>(read: () => T | Promise<T>, times = 12, interval = 5): Promise<T> {
  let [last, seen] = [await read(), 0];
  await vi.waitUntil(
    async () => {
      const value = await read();
      seen = value === last ? seen + 1 : 0;
      last = value;
      return seen >= times;
    },
    { interval, timeout: 60_000 },
  );
  return last;
}

/** Lets all other work have turns of the event loop. */
export async function giveTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until a port of this machine refuses connections. */
export function waitUntilClosed(port: number): Promise<void> {
  return waitUntil(
    () =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.destroy();
          resolve(false);
        });
        socket.on('error', () => resolve(true));
      }),
  );
}
