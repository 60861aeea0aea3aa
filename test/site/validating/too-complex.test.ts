import { describe, expect, test } from 'vitest';
import type { Log } from '../../../src/gateway/index.ts';
import type { ValidationMode } from '../../../src/validation/request/result.ts';
import type { EchoSite } from '../../support/echo-site.ts';
import type { RunningGateway } from '../../support/gateway.ts';
import { runEchoSite, runGateway } from '../../support/run.ts';

const token = 'the-token-of-the-tests';
const BODY = `{"title":"a","other":[${'{},'.repeat(100_000)}{}]}`;

describe('behind a gateway', () => {
  let echo: EchoSite;
  let running: RunningGateway;
  const warnings: string[] = [];
  const log: Log = { info() {}, warn: (_, message) => warnings.push(message), error() {} };

  async function open(mode: ValidationMode): Promise<void> {
    warnings.length = 0;
    echo = await runEchoSite();
    const site = { name: 'echo', url: echo.origin, validation: { mode } };
    running = await runGateway(site, { admin: { token }, log });
  }
  const get = async (path: string): Promise<string> =>
    (await running.request(path, { headers: { authorization: `Bearer ${token}` } })).text();

  test.each([
    ['observe', 200],
    ['enforce', 200],
    ['strict', 413],
  ] as const)(
    'a body with many values is too complex to be validated: %s gives %d, counts it and logs it once',
    async (mode, status) => {
      await open(mode);
      const post = (): Promise<Response> =>
        running.request('/echo/core/v2/posts', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: BODY,
        });
      const responses = [await post(), await post()];
      expect(responses.map((response) => response.status)).toEqual([status, status]);
      expect(echo.received.filter((received) => received.body === BODY).length).toBe(status === 200 ? 2 : 0);
      if (status === 413)
        expect(await responses[0]?.json()).toMatchObject({ code: 'gateway_body_too_complex' });
      expect(warnings.filter((message) => message.includes('too complex')).length).toBe(1);
      expect(await get('/-/metrics')).toContain(
        'waygate_validation_requests_total{site="echo",outcome="too_complex"} 2',
      );
    },
  );
});
