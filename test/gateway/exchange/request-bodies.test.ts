import { describe, expect, test } from 'vitest';
import { startGateway } from '../../support/gateway.ts';
import { runEchoSite } from '../../support/run.ts';
import { waitUntil } from '../../support/wait.ts';

/** The memory in which bodies are held while they are validated. */

const LONG = 'a'.repeat(300_000);
const POST: RequestInit = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ title: LONG }),
};

describe('the memory for bodies on a gateway', () => {
  async function start(mode: 'strict' | 'observe', isFull = false) {
    const responding: (() => void)[] = [];
    const { origin: url, received } = await runEchoSite(({ method }, response) => {
      if (method === 'POST') responding.push(() => response.end('{}'));
      return method === 'POST';
    });
    const site = { document: undefined, passthrough: false, cache: {}, url, validation: { mode } };
    const { gateway, readMetrics, request } = await startGateway({ ...site, gateway: { cache: 'off' } });
    const { bodyMemory } = gateway.parts;
    const others = isFull ? bodyMemory.limits.ofNetwork : 0;
    for (const client of ['192.0.2.1', '192.0.2.2']) bodyMemory.take(client, others);
    return {
      ...{ received, responding, post: () => request('/core/v2/posts', POST) },
      async countBytes(): Promise<number> {
        return Number(/^waygate_body_memory_bytes (\d+)$/m.exec(await readMetrics())?.[1]) - 2 * others;
      },
    };
  }

  test('is reserved until the response is complete', async () => {
    const { countBytes, post, responding } = await start('strict');
    const response = post();
    await waitUntil(() => responding.length > 0);
    expect(await countBytes()).toBeGreaterThan(LONG.length / 2);
    responding[0]?.();
    await (await response).text();
    expect(await countBytes()).toBe(0);
  });

  test('is exceeded: the request is refused if it must be validated', async () => {
    const { countBytes, post, received } = await start('strict', true);
    const response = await post();
    expect([response.status, response.headers.has('retry-after')]).toEqual([503, true]);
    expect(await response.json()).toMatchObject({ code: 'gateway_busy' });
    expect([received.length, await countBytes()]).toEqual([0, 0]);
  });

  test('is exceeded: the request is forwarded if it is only observed', async () => {
    const { countBytes, post, received, responding } = await start('observe', true);
    const response = post();
    await waitUntil(() => responding.length > 0);
    responding[0]?.();
    expect((await response).status).toBe(200);
    expect(received[0]?.body).toContain(LONG);
    expect(await countBytes()).toBe(0);
  });
});
