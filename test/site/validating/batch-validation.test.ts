import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../../src/gateway/index.ts';
import type { RunningGateway } from '../../support/gateway.ts';
import { runGateway, runStubSite } from '../../support/run.ts';
import { readSmallIndex, type StubRequest } from '../../support/stub-site.ts';
import { readReport, TOKEN } from './report.ts';

const bad = { path: '/wp/v2/posts', body: { author: 'nobody' } };
const good = { path: '/wp/v2/posts', body: { title: 'a' } };
const elsewhere = { path: '/hidden/v1/route', body: {} };
const multipart = new FormData();
multipart.set('requests[0][path]', elsewhere.path);

const created = { body: { id: 1 }, status: 201, headers: { Allow: 'GET, POST' } };

describe('a batch behind a gateway', () => {
  let running: RunningGateway;
  /** The number of batches that the site received whole. */
  let batchCount = 0;

  async function open(options: Partial<SiteOptions>, responses: readonly unknown[] = []): Promise<void> {
    batchCount = 0;
    const intercept = ({ method }: StubRequest, response: ServerResponse): boolean => {
      if (method !== 'POST') return false;
      // An aborted body emits no `end`. PHP does not run an incomplete request.
      response.req.resume().once('end', () => {
        batchCount += 1;
        response.writeHead(207, { 'content-type': 'application/json' }).end(JSON.stringify({ responses }));
      });
      return true;
    };
    const { url } = await runStubSite({ index: readSmallIndex(), intercept });
    running = await runGateway({ name: 'blog', url, ...options }, { admin: { token: TOKEN } });
  }
  const send = (requests: readonly object[], more: object = {}): Promise<Response> =>
    running.request('/blog/batch/v1', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://app.example.com' },
      body: JSON.stringify({ requests, ...more }),
    });

  test('is forwarded whatever its parts are: the site validates them', async () => {
    await open({ validation: { mode: 'strict' } });
    expect((await send([bad], { validation: 'require-all-validate' })).status).toBe(207);
    expect(batchCount).toBe(1);
    expect((await readReport(running, 'blog')).requests).toMatchObject({ valid: 1, refused: 0 });
  });

  test('is rejected for its own parameters', async () => {
    await open({ validation: { mode: 'strict' } });
    const response = await send(Array(26).fill(good));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ data: { params: { requests: expect.any(String) } } });
    expect(batchCount).toBe(0);
  });

  test.each<[string, SiteOptions['validation'] | undefined]>([
    ['off', undefined],
    ['observe', { mode: 'observe' }],
    ['strict', { mode: 'strict' }],
  ])('reaches no route that is not allowed outside a batch: %s', async (_, validation) => {
    await open({ unknownRoutes: 'refuse', ...(validation === undefined ? {} : { validation }) }, [created]);
    for (const path of [
      elsewhere.path,
      '//hidden/v1/route',
      'https://a.example.com/hidden/v1/route',
      'a:b',
    ]) {
      const response = await send([good, { ...elsewhere, path }]);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ code: 'rest_no_route' });
    }
    expect(batchCount).toBe(0);
    expect((await send([good])).status).toBe(207);
  });

  test.each<[string, RequestInit]>([
    ['in a multipart form', { body: multipart }],
    ['in a form', { body: new URLSearchParams({ 'requests[0][path]': elsewhere.path }) }],
    [
      'in a body above the limit',
      {
        body: JSON.stringify({ requests: [elsewhere], pad: 'a'.repeat(2 * 1024 * 1024) }),
        headers: { 'content-type': 'application/json' },
      },
    ],
    ['in invalid JSON', { body: '{"requests":[', headers: { 'content-type': 'application/json' } }],
  ])('reaches no such route when it is spelled %s', async (_, init) => {
    await open({ unknownRoutes: 'refuse' });
    const response = await running.request('/blog/batch/v1', { method: 'POST', ...init });
    expect([400, 404, 413]).toContain(response.status);
    const inQuery = `/blog/batch/v1?requests[0][path]=${elsewhere.path}`;
    expect((await running.request(inQuery, { method: 'POST' })).status).toBe(404);
    expect(batchCount).toBe(0);
  });
});
