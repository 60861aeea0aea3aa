import { expect, test } from 'vitest';
import { waitUntil } from '../support/wait.ts';
import { ADMIN, connectAgent, runAgentShop } from './agent.ts';

/** A shop that holds the answer to its fifth new post until it is released. */
async function runHolding(rights: object) {
  let created = 0;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const shop = await runAgentShop(async ({ method }) => {
    if (method === 'POST') created += 1;
    const id = created;
    if (method === 'POST' && id === 5) await released;
    return { body: { id, status: 'draft', title: { raw: 'A' } } };
  }, rights);
  return { ...shop, release, created: () => created };
}

test.each(['auto', 'legacy'] as const)(
  'a call that its client (%s) cancels sends nothing more, and the log says what was sent',
  async (era) => {
    const shop = await runHolding({ writes: ['draft'] });
    const { client } = await connectAgent(shop.url, ADMIN, era);
    const stopping = new AbortController();
    const calls = Array.from({ length: 12 }, (_, at) => ({ body: { title: `Post ${at}` } }));
    const params = { name: 'write_operation', arguments: { id: 'createPost', calls } };
    const called = client.callTool(params, { signal: stopping.signal });
    await waitUntil(() => shop.created() === 5);
    stopping.abort();
    await expect(called).rejects.toThrow();
    const logged = (): readonly unknown[] =>
      shop.lines.flatMap(({ msg, outcome }) => (msg === 'an agent called a tool' ? [outcome] : []));
    await waitUntil(() => logged().length === 6);
    shop.release();
    // Four items, the one whose answer nobody waited for, and the call.
    expect(logged()).toEqual([200, 200, 200, 200, 'cancelled', 'cancelled']);
    expect(shop.created()).toBe(5);
  },
);

/** A client of 2026-07-28 asks for itself, between two requests. */
test('a question whose call a legacy client cancels is withdrawn', async () => {
  const shop = await runHolding({ writes: ['publish'] });
  const { client } = await connectAgent(shop.url, ADMIN, 'legacy', { elicitation: { form: {} } });
  const stopping = new AbortController();
  let isWithdrawn = false;
  client.setRequestHandler('elicitation/create', (_, { mcpReq }) => {
    mcpReq.signal.addEventListener('abort', () => {
      isWithdrawn = true;
    });
    stopping.abort();
    return new Promise(() => {});
  });
  const body = { title: 'A', status: 'publish' };
  const params = { name: 'write_operation', arguments: { id: 'createPost', body } };
  await expect(client.callTool(params, { signal: stopping.signal })).rejects.toThrow();
  await waitUntil(() => isWithdrawn);
  expect(shop.created()).toBe(0);
});
