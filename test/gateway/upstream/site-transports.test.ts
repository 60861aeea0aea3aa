import { expect, test, vi } from 'vitest';
import { SiteTransports } from '../../../src/gateway/upstream/dispatch-transport.ts';

test('at the stop of the gateway a download is broken off after the grace', async () => {
  const destroy = vi.fn(async () => {});
  const transports = new SiteTransports(
    { timeouts: { connect: 1, headers: 1, body: 1 }, tls: undefined, lookup: undefined },
    () => ({ send: () => ({ resume() {}, abort() {} }), close: () => new Promise(() => {}), destroy }),
  );
  transports.get({ origin: 'http://site.example', host: 'site.example', isConfigured: true });
  await transports.close(1);
  expect(destroy).toHaveBeenCalledOnce();
});
