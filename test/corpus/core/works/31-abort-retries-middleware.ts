import { retry } from '../../client.ts';

const seen: string[] = [];
let attempts = 0;
const client = connect({
  retries: retry(2),
  headers: { 'X-Corpus': 'yes' },
  fetch: async (...args) => {
    attempts += 1;
    return attempts === 1 ? new Response('busy', { status: 503 }) : fetch(...args);
  },
  middleware: [
    {
      onRequest: ({ request }) => {
        seen.push(`${request.method} ${request.headers.get('X-Corpus')}`);
      },
      onResponse: ({ response }) => {
        seen.push(String(response.status));
      },
    },
  ],
});

const { data: me, error } = await client.GET('/wp/v2/users/me', { signal: AbortSignal.timeout(30_000) });
if (error) throw new Error(error.message);
assert.ok(me.id > 0);
assert.equal(attempts, 2);
assert.equal(seen[0], 'GET yes');
assert.equal(seen.at(-1), '200');

const controller = new AbortController();
const pending = client.GET('/wp/v2/posts', { signal: controller.signal, retries: retry(0) });
controller.abort();
await assert.rejects(pending, { name: 'AbortError' });
