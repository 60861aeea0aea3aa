import { expect, test } from 'vitest';
import type { Middleware } from '../../../../src/generator/client/runtime/options-and-results.ts';
import { retry } from '../../../../src/generator/client/runtime/retry.ts';
import { echoOf, useStubApi } from './stub.ts';

const api = useStubApi();

/** Hooks that record when they run. */
function recorder(name: string, log: string[]): Middleware {
  return {
    onRequest: ({ request, method, path }) => {
      log.push(`${name} ${method} ${path} ${new URL(request.url).pathname}`);
    },
    onResponse: ({ response }) => {
      log.push(`${name} ${response.status}`);
    },
    async around(_, attempt) {
      const result = await attempt();
      if (result.error?.status === 0) log.push(`${name} ${result.error.code}`);
      return result;
    },
  };
}

test('for each attempt, onRequest runs in order, onResponse and around in reverse order', async () => {
  const log: string[] = [];
  api.respond(() => (api.requests.length === 1 ? { status: 503 } : 'break'));
  const middleware = [recorder('first', log), {}, recorder('second', log)];
  const retries = retry(1, { sleep: async () => undefined });
  const { error } = await api.client({ middleware, retries }).GET('/posts/{id}', { path: { id: 5 } });
  expect(error?.code).toBe('network_failure');
  const begun = ['first', 'second'].map((name) => `${name} GET /posts/{id} /wp-json/posts/5`);
  const failed = ['second network_failure', 'first network_failure'];
  expect(log).toEqual([...begun, 'second 503', 'first 503', ...begun, ...failed]);
});

test('a hook replaces the request, and runs before the credentials are added', async () => {
  const seen: (string | null)[] = [];
  const middleware: Middleware[] = [
    { onRequest: ({ request }) => new Request(`${request.url}?a=1`, request) },
    {
      onRequest: async ({ request }) => {
        seen.push(request.headers.get('authorization'));
        request.headers.set('X-Hook', 'h');
      },
    },
  ];
  const client = api.client({ middleware, auth: { username: 'u', password: 'p' } });
  const { data } = await client.POST('/a', { body: { b: 1 } });
  const sent = { method: 'POST', url: '/wp-json/a?a=1', body: '{"b":1}', headers: { 'x-hook': 'h' } };
  expect(echoOf(data)).toMatchObject(sent);
  expect(echoOf(data).headers['authorization']).toMatch(/^Basic /);
  expect(seen).toEqual([null]);
});

test('a hook replaces the response', async () => {
  const middleware: Middleware[] = [
    { onResponse: async ({ response }) => Response.json({ seen: await response.json() }) },
    { onResponse: () => Response.json('replaced') },
  ];
  expect((await api.client({ middleware }).GET('/a')).data).toEqual({ seen: 'replaced' });
});

test('around replaces the result of an attempt without a response', async () => {
  api.respond(() => 'break');
  const supply: Middleware = {
    async around(_, attempt) {
      const { error, ...result } = await attempt();
      return error?.source === 'network' ? { ...result, data: 'offline' } : result;
    },
  };
  expect((await api.client({ middleware: [supply], throw: true }).GET('/a')).data).toBe('offline');
});

test('a hook that reads the body itself is named, and nothing is sent again', async () => {
  const middleware: Middleware = { onResponse: async ({ response }) => void (await response.json()) };
  const retries = retry(3, { sleep: async () => undefined });
  const client = api.client({ middleware: [middleware], retries });
  for (const method of ['GET', 'POST'] as const)
    await expect(client[method]('/a')).rejects.toThrow(/^onResponse must read response/);
  expect(api.requests).toHaveLength(2);
});

test('hooks see the options of the call, with what the index does not declare', async () => {
  const seen: unknown[] = [];
  const middleware: Middleware = {
    onRequest: ({ method, path, options }) => void seen.push([method, path, options]),
  };
  const options = { path: { id: 5 }, query: { page: 1 } };
  await api.client({ middleware: [middleware] }).GET('/a/{id}', { ...options, extra: { lang: 'de' } });
  expect(seen).toEqual([['GET', '/a/{id}', { ...options, query: { page: 1, lang: 'de' } }]]);
});
