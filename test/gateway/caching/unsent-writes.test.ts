import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../../src/cache/stores/memory-store.ts';
import { systemClock } from '../../../src/ports.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { ADAPTERS, startNodeGateway } from '../../support/gateway.ts';
import { startStubSite } from '../../support/stub-site.ts';
import { waitUntil } from '../../support/wait.ts';

/** Requests that may write, and that the site never gets. Each would count as one that runs, for ever. */

async function start(startGateway: typeof startNodeGateway) {
  const site = await startStubSite();
  const store = new MemoryStore({ clock: systemClock });
  const options = { url: site.url, passthrough: true, validation: { mode: 'strict' } } as const;
  const gateway = await startGateway({ sites: [options], cache: store });
  closeAfterTest(gateway.stop, site.close);
  return { gateway, store };
}

describe.each(Object.entries(ADAPTERS))('%s forgets', (_, startGateway) => {
  test.each<[string, string, number, RequestInit]>([
    ['a read that may write', '/wp-cron.php', 504, { headers: { 'cache-control': 'only-if-cached' } }],
    ['a refused body', '/wp-json/batch/v1', 400, { method: 'POST', body: '{"requests":1}' }],
  ])('%s', async (_case, path, status, init) => {
    const { gateway, store } = await start(startGateway);
    const headers = { 'content-type': 'application/json', ...init.headers };
    expect((await gateway.request(path, { ...init, headers })).status).toBe(status);
    await waitUntil(() => store.openWrites.size === 0, 4_000);
  });
});

test('a handshake of WebSocket that may write is forgotten', async () => {
  const { gateway, store } = await start(startNodeGateway);
  const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
  const fields = 'Host: example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  socket.write(`GET /wp-admin/?_wpnonce=1 HTTP/1.1\r\n${fields}`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  await waitUntil(() => store.openWrites.size === 0, 4_000);
});
