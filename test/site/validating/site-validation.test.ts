import { describe, expect, test } from 'vitest';
import type { ValidationOptions } from '../../../src/config/option-types.ts';
import type { EchoSite, ReceivedRequest } from '../../support/echo-site.ts';
import type { RunningGateway } from '../../support/gateway.ts';
import { runEchoSite, runGateway } from '../../support/run.ts';
import { readReport, TOKEN } from './report.ts';

describe('behind a gateway', () => {
  let echo: EchoSite;
  let running: RunningGateway;

  async function open(validation: ValidationOptions): Promise<void> {
    echo = await runEchoSite();
    const site = { name: 'echo', url: echo.origin, validation };
    running = await runGateway(site, { admin: { token: TOKEN } });
  }
  const posts = (query: string, init?: RequestInit): Promise<Response> =>
    running.request(`/echo/core/v2/posts${query}`, init);
  const post = (title: unknown): Promise<Response> =>
    posts('', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    });
  const report = () => readReport(running, 'echo');
  const received = (): readonly ReceivedRequest[] =>
    echo.received.filter(({ url }) => url.includes('/posts'));
  const countRequests = (): number => received().length;

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
      expect(await report()).toMatchObject({
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
      expect(
        await (
          await posts('', { method: 'POST', body: '{"a":', headers: { 'content-type': 'application/json' } })
        ).json(),
      ).toMatchObject({
        code: 'rest_invalid_json',
      });
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
});
