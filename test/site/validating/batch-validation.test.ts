import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { RunningGateway } from '../../support/gateway.ts';
import { runGateway, runStubSite } from '../../support/run.ts';
import { readSmallIndex, type StubRequest } from '../../support/stub-site.ts';
import { readReport, TOKEN } from './report.ts';

const bad = { path: '/wp/v2/posts', body: { author: 'nobody' } };
const good = { path: '/wp/v2/posts', body: { title: 'a' } };

describe('a batch behind a gateway', () => {
  let running: RunningGateway;
  /** The number of batches that the site received whole. */
  let batchCount = 0;

  async function open(): Promise<void> {
    batchCount = 0;
    const intercept = ({ method }: StubRequest, response: ServerResponse): boolean => {
      if (method !== 'POST') return false;
      // An aborted body emits no `end`. PHP does not run an incomplete request.
      response.req.resume().once('end', () => {
        batchCount += 1;
        response.writeHead(207, { 'content-type': 'application/json' }).end('{"responses":[]}');
      });
      return true;
    };
    const { url } = await runStubSite({ index: readSmallIndex(), intercept });
    running = await runGateway(
      { name: 'blog', url, validation: { mode: 'strict' } },
      { admin: { token: TOKEN } },
    );
  }
  const send = (requests: readonly object[], more: object = {}): Promise<Response> =>
    running.request('/blog/batch/v1', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://app.example.com' },
      body: JSON.stringify({ requests, ...more }),
    });

  test('is forwarded whatever its parts are: the site validates them', async () => {
    await open();
    expect((await send([bad], { validation: 'require-all-validate' })).status).toBe(207);
    expect(batchCount).toBe(1);
    expect((await readReport(running, 'blog')).requests).toMatchObject({ valid: 1, refused: 0 });
  });

  test('is rejected for its own parameters', async () => {
    await open();
    const response = await send(Array(26).fill(good));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ data: { params: { requests: expect.any(String) } } });
    expect(batchCount).toBe(0);
  });
});
