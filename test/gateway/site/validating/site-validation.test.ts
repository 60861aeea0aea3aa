import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ValidationOptions } from '../../../../src/base/option-types.ts';
import type { Log } from '../../../../src/gateway/index.ts';
import type { ValidationMode } from '../../../../src/generator/validation/request/result.ts';
import type { EchoSite } from '../../../support/echo-site.ts';
import type { RunningGateway } from '../../../support/gateway.ts';
import { runEchoSite, runGateway, runStubSite } from '../../../support/run.ts';
import type { StubRequest } from '../../../support/stub-site.ts';
import { readReport, TOKEN } from './report.ts';

let echo: EchoSite;
let running: RunningGateway;
const warnings: string[] = [];
const log: Log = { info() {}, warn: (_, message) => warnings.push(message), error() {} };

async function open(validation: ValidationOptions): Promise<void> {
  warnings.length = 0;
  echo = await runEchoSite();
  const site = { name: 'echo', url: echo.origin, validation };
  running = await runGateway(site, { admin: { token: TOKEN }, log });
}
const posts = (query: string, init?: RequestInit): Promise<Response> =>
  running.request(`/echo/core/v2/posts${query}`, init);
const postJson = (body: string): Promise<Response> =>
  posts('', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
const post = (title: unknown): Promise<Response> => postJson(JSON.stringify({ title }));
const countRequests = (): number => echo.received.filter(({ url }) => url.includes('/posts')).length;

describe('strict', () => {
  test('an invalid request is rejected with the messages of the site, and not forwarded', async () => {
    await open({ mode: 'strict' });
    const response = await posts('?page=x', { headers: { origin: 'https://app.example.com' } });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(await response.json()).toMatchObject({
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): page',
      data: {
        status: 400,
        params: { page: 'page is not of type integer.' },
        details: { page: { code: 'rest_invalid_type' } },
      },
    });
    expect(countRequests()).toBe(0);
    expect(await readReport(running, 'echo')).toMatchObject({
      mode: 'strict',
      requests: { valid: 0, forwarded: 0, refused: 1, too_complex: 0 },
    });
  });

  test('an invalid body is rejected, and a multipart one is left to the site', async () => {
    await open({ mode: 'strict' });
    const form = new FormData();
    form.set('title[]', 'a');
    form.set('file', new Blob(['x'.repeat(100_000)]), 'x.bin');
    const refused = await post(5);
    expect(refused.status).toBe(400);
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-z]{6}-[0-9a-z]+$/);
    expect((await post('five')).status).toBe(200);
    expect((await posts('', { method: 'POST', body: form })).status).toBe(200);
    expect(await (await postJson('{"a":')).json()).toMatchObject({ code: 'rest_invalid_json' });
    expect(countRequests()).toBe(2);
  });

  test('a body that exceeds the limit is rejected', async () => {
    await open({ mode: 'strict' });
    expect((await post('a'.repeat(9 * 1024 * 1024))).status).toBe(413);
    expect(countRequests()).toBe(0);
  });

  test('under enforce, a body is rejected by a stated limit only', async () => {
    await open({ mode: 'enforce' });
    expect((await post('a'.repeat(9 * 1024 * 1024))).status).toBe(200);
    await open({ mode: 'enforce', bodyLimit: 1000 });
    expect((await post('a'.repeat(2000))).status).toBe(413);
    expect(countRequests()).toBe(0);
  });
});

test.each<[ValidationMode, number]>([
  ['observe', 200],
  ['enforce', 200],
  ['strict', 413],
])(
  'a body with many values is too complex to be validated: %s gives %d, counts it and logs it once',
  async (mode, status) => {
    await open({ mode });
    const body = `{"title":"a","other":[${'{},'.repeat(100_000)}{}]}`;
    const responses = [await postJson(body), await postJson(body)];
    expect(responses.map((response) => response.status)).toEqual([status, status]);
    expect(echo.received.filter((received) => received.body === body).length).toBe(status === 200 ? 2 : 0);
    if (status === 413)
      expect(await responses[0]?.json()).toMatchObject({ code: 'gateway_body_too_complex' });
    expect(warnings.filter((message) => message.includes('too complex')).length).toBe(1);
    expect((await readReport(running, 'echo')).requests).toMatchObject({ too_complex: 2 });
  },
);

test('a batch is refused for its own parameters, and otherwise the site validates its parts', async () => {
  /** The number of batches that the site received whole. */
  let batches = 0;
  const intercept = ({ method }: StubRequest, response: ServerResponse): boolean => {
    if (method !== 'POST') return false;
    // An aborted body emits no `end`. PHP does not run an incomplete request.
    response.req.resume().once('end', () => {
      batches += 1;
      response.writeHead(207, { 'content-type': 'application/json' }).end('{"responses":[]}');
    });
    return true;
  };
  const { url } = await runStubSite({ intercept });
  running = await runGateway({ name: 'blog', url, validation: { mode: 'strict' } }, {});
  const send = (requests: readonly object[], more: object = {}): Promise<Response> =>
    running.request('/blog/batch/v1', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requests, ...more }),
    });
  const bad = { path: '/wp/v2/posts', body: { author: 'nobody' } };
  expect((await send([bad], { validation: 'require-all-validate' })).status).toBe(207);
  const refused = await send(Array(26).fill({ path: '/wp/v2/posts', body: { title: 'a' } }));
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ data: { params: { requests: expect.any(String) } } });
  expect(batches).toBe(1);
});
