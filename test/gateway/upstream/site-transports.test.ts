import { afterEach, expect, test, vi } from 'vitest';
import { SiteTransports } from '../../../src/gateway/upstream/dispatch-transport.ts';

afterEach(() => void vi.useRealTimers());

const SERVER = { origin: 'http://site.example', host: 'site.example', isConfigured: true } as const;

function create() {
  const close = vi.fn(() => new Promise<void>(() => {}));
  const destroy = vi.fn(async () => {});
  const send = () => ({ resume() {}, abort() {} });
  const transports = new SiteTransports(
    { timeouts: { connect: 1, headers: 1, body: 1 }, tls: undefined, lookup: undefined },
    () => ({ send, close, destroy }),
  );
  transports.get(SERVER);
  return { close, destroy, transports };
}

test('after a reload a download goes on for as long as it takes', async () => {
  vi.useFakeTimers();
  const { close, destroy, transports } = create();
  transports.retire();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(close).toHaveBeenCalledOnce();
  expect(destroy).not.toHaveBeenCalled();
});

test('at the stop of the gateway it is broken off after the grace', async () => {
  const { destroy, transports } = create();
  await transports.close(1);
  expect(destroy).toHaveBeenCalledOnce();
});
