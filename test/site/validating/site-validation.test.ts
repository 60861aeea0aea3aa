import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ValidationOptions } from '../../../src/config/option-types.ts';
import type { GatewayOptions } from '../../../src/gateway/index.ts';
import type { EchoSite, ReceivedRequest } from '../../support/echo-site.ts';
import { ADAPTERS, type RunningGateway } from '../../support/gateway.ts';
import { runEchoSite, runGateway } from '../../support/run.ts';
import { readReport, TOKEN } from './plugin-site.ts';

const NO_OUTCOMES = { accepted: 0, refused: 0, disagreed: 0, missed: 0, undecided: 0, not_forwarded: 0 };

/** Sends WordPress's response for invalid parameters. */
function respondInvalid(response: ServerResponse, ...params: readonly string[]): true {
  respond(response, 400, {
    code: 'rest_invalid_param',
    message: `Invalid parameter(s): ${params.join(', ')}`,
    data: { status: 400, params: Object.fromEntries(params.map((name) => [name, 'No.'])) },
  });
  return true;
}

function respond(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return true;
}

/**
 * Handles the requests of a site that requires a numeric `page`, as its index declares, and accepts any `title`,
 * which its index restricts.
 */
function respondAsSite(request: ReceivedRequest, response: ServerResponse): boolean {
  const { pathname, searchParams } = new URL(request.url, 'http://a');
  if (!pathname.endsWith('/posts')) return false;
  const page = searchParams.get('page');
  return page !== null && !/^\d+$/.test(page) ? respondInvalid(response, 'page') : false;
}

describe.each(Object.entries(ADAPTERS))('behind %s', (_name, start) => {
  let echo: EchoSite;
  let running: RunningGateway;

  async function open(
    validation: ValidationOptions,
    more: Partial<GatewayOptions> = {},
    respondingSite: typeof respondAsSite = respondAsSite,
  ): Promise<void> {
    echo = await runEchoSite(respondingSite);
    const site = { name: 'echo', url: echo.origin, validation };
    running = await runGateway(site, { admin: { token: TOKEN }, ...more }, start);
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

  describe('observe', () => {
    test('every request is forwarded, and the result is compared with the verdict of the site', async () => {
      await open({ mode: 'observe' });
      expect((await posts('?page=2')).status).toBe(200);
      expect((await posts('?page=x')).status).toBe(400);
      expect((await post({ secret: 'hunter2' })).status).toBe(200);
      expect(countRequests()).toBe(3);
      const { mode, outcomes, rules } = await report();
      expect(mode).toBe('observe');
      expect(outcomes).toEqual({ ...NO_OUTCOMES, accepted: 1, refused: 1, disagreed: 1 });
      expect(rules).toMatchObject([
        { param: 'title', use: 'write', disagreed: 1, status: 'suspended' },
        { param: 'page', use: 'core', rule: 'rest_invalid_type', agreed: 1, status: 'core' },
      ]);
      expect(JSON.stringify(rules)).not.toMatch(/hunter2|secret/);
    });

    test('a valid request that the site rejects is counted as missed', async () => {
      await open({ mode: 'observe' }, {}, (_, response) => respondInvalid(response, 'page'));
      await posts('?page=2');
      expect((await report()).outcomes).toEqual({ ...NO_OUTCOMES, missed: 1 });
    });
  });

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
        outcomes: { ...NO_OUTCOMES, not_forwarded: 1 },
      });
    });

    test('an invalid body is rejected, whatever its media type', async () => {
      await open({ mode: 'strict' });
      const form = new FormData();
      form.set('title', 'a');
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

    test('a HEAD request is rejected without a body, an OPTIONS request never', async () => {
      await open({ mode: 'strict' });
      const head = await posts('?page=x', { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([400, '']);
      expect(countRequests()).toBe(0);
      await posts('?page=x', { method: 'OPTIONS' });
      expect(countRequests()).toBe(1);
    });

    test('a valid request reaches the site byte for byte', async () => {
      await open({ mode: 'strict' });
      const body = '{ "title" : "\\u0041",  "x":1e3 }';
      const headers = { 'content-type': 'application/json' };
      await posts('?page=%201&a[]=1', { method: 'POST', body, headers });
      expect(received()[0]).toMatchObject({ url: '/wp-json/core/v2/posts?page=%201&a[]=1', body });
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

  describe('evidence', () => {
    test('is collected from an enveloped response', async () => {
      await open({ mode: 'observe' }, {}, (_request, response) =>
        respond(response, 200, {
          body: {
            code: 'rest_invalid_param',
            message: 'No.',
            data: { status: 400, params: { page: 'No.' } },
          },
          status: 400,
          headers: [],
        }),
      );
      await posts('?page=x&_envelope=1');
      expect((await report()).outcomes).toMatchObject({ refused: 1, disagreed: 0 });
    });
  });
});
