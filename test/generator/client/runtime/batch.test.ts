import { describe, expect, test } from 'vitest';
import { type BatchRequest, runBatch } from '../../../../src/generator/client/runtime/batch.ts';
import { useStubApi } from './stub.ts';

const api = useStubApi();

interface SentBatch {
  readonly validation: string;
  readonly requests: readonly { readonly method: string; readonly path: string; readonly body?: unknown }[];
}

const sent = (): readonly SentBatch[] => api.requests.map(({ body }) => JSON.parse(body));

/** Answers each request of a batch with its path, as `WP_REST_Server::serve_batch_request_v1` writes it. */
function serveBatches(): void {
  api.respond(({ body }) => {
    const { requests } = JSON.parse(body) as SentBatch;
    const headers = { Allow: 'GET, POST' };
    const responses = requests.map(({ path }) => ({ body: { path }, status: 200, headers }));
    return { status: 207, body: { responses } };
  });
}

describe('batch', () => {
  const two: readonly BatchRequest[] = [
    ['POST', '/a'],
    ['POST', '/b'],
  ];

  test('sends the requests as one, with paths, queries and bodies, and keeps their order', async () => {
    serveBatches();
    const client = api.client({}, { slashes: ['/templates/'] });
    const results = await runBatch(client, [
      ['POST', '/wp/v2/posts', { body: { title: 'A', tags: [] }, headers: { 'X-One': '1' } }],
      ['DELETE', '/wp/v2/posts/{id}', { path: { id: 5 }, query: { force: true }, extra: { list: ['a b'] } }],
      ['PUT', '/templates/{id}', { path: { id: 'theme//home' } }],
      ['PATCH', '/a'],
    ]);
    expect(api.targets).toEqual(['POST /wp-json/batch/v1']);
    const requests = [
      { method: 'POST', path: '/wp/v2/posts', body: { title: 'A', tags: [] }, headers: { 'X-One': '1' } },
      { method: 'DELETE', path: '/wp/v2/posts/5?force=1&list%5B0%5D=a+b' },
      { method: 'PUT', path: '/templates/theme//home' },
      { method: 'PATCH', path: '/a' },
    ];
    expect(sent()).toEqual([{ validation: 'normal', requests }]);
    const paths = results.map(({ data }) => (data as { path: string }).path);
    expect(paths).toEqual(sent()[0]?.requests.map(({ path }) => path));
    const headers = { Allow: 'GET, POST' };
    expect(results[0]).toEqual({ data: { path: '/wp/v2/posts' }, status: 200, headers });
  });

  test('gives each request its own error', async () => {
    const error = { code: 'rest_post_invalid_id', message: 'Invalid post ID.', data: { status: 404 } };
    const responses = [
      { body: { id: 1 }, status: 201, headers: [] },
      { body: error, status: 404, headers: [] },
      { body: 'senseless', status: 500, headers: null },
    ];
    api.respond(() => ({ status: 207, body: { responses } }));
    // The option `throw` of the client is for the call as a whole; a batch returns its errors.
    const results = await runBatch(api.client({ throw: true }), [...two, ['POST', '/c']]);
    const missing = { source: 'site', status: 404, ...error, data: { status: 404, params: {} } };
    const unknown = expect.objectContaining({ source: 'client', code: 'client_unknown_error' });
    expect(results).toEqual([
      { data: { id: 1 }, status: 201, headers: {} },
      { error: missing, status: 404, headers: {} },
      { error: unknown, status: 500, headers: {} },
    ]);
  });

  test('tells which requests were not run because another was refused', async () => {
    const data = { status: 400, params: { title: 't' } };
    const body = { code: 'rest_invalid_param', message: 'm', data };
    const responses = [null, { body, status: 400, headers: [] }];
    api.respond(() => ({ status: 207, body: { failed: 'validation', responses } }));
    const results = await runBatch(api.client(), two, { validation: 'require-all-validate' });
    expect(sent()[0]?.validation).toBe('require-all-validate');
    expect(results.map(({ error }) => error?.code)).toEqual(['client_batch_skipped', 'rest_invalid_param']);
    expect(results[1]?.error?.data['params']).toEqual({ title: 't' });
  });

  test.each([[{ responses: {} }], [{ responses: [] }], [null]])(
    'gives each request an error if the response is %j',
    async (body) => {
      api.respond(() => ({ status: 207, body }));
      const results = await runBatch(api.client(), two);
      expect(results.map(({ error }) => error?.code)).toEqual(Array(2).fill('client_batch_skipped'));
    },
  );

  test('sends at most 25 requests at once, one batch after the other', async () => {
    serveBatches();
    const request = (_: unknown, id: number): BatchRequest => ['POST', '/posts/{id}', { path: { id } }];
    const requests = Array.from({ length: 60 }, request);
    const results = await runBatch(api.client(), requests);
    expect(sent().map(({ requests }) => requests.length)).toEqual([25, 25, 10]);
    expect(results.map(({ data }) => data)).toEqual(requests.map((_, id) => ({ path: `/posts/${id}` })));
    await runBatch(api.client(), requests, { size: 40 });
    expect(sent().map(({ requests }) => requests.length)).toEqual([25, 25, 10, 40, 20]);
  });

  test('refuses to split requests that must all be valid', async () => {
    const requests = Array.from({ length: 26 }, (): BatchRequest => ['POST', '/posts']);
    const batch = runBatch(api.client(), requests, { validation: 'require-all-validate' });
    await expect(batch).rejects.toThrow('at most 25 requests');
    expect(api.requests).toEqual([]);
  });

  test.each([
    ['of the site', () => ({ status: 404, body: { code: 'rest_no_route' } }), 'rest_no_route', 404],
    ['of the network', () => 'break' as const, 'network_failure', 0],
  ])('gives each request the error of the batch as a whole: %s', async (_, reply, code, status) => {
    api.respond(reply);
    const failed = { error: { code }, status, headers: {} };
    expect(await runBatch(api.client(), two)).toMatchObject([failed, failed]);
  });

  test('rejects when the signal aborts', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(runBatch(api.client(), two, { signal })).rejects.toThrow('enough');
  });
});
