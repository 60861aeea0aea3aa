import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Log } from '../../../src/gateway/index.ts';
import { nodeDecode } from '../../../src/node/index.ts';
import type { ValidationMode } from '../../../src/validation/evidence/ledger.ts';
import type { EchoSite } from '../../support/echo-site.ts';
import { ADAPTERS, type RunningGateway } from '../../support/gateway.ts';
import { runEchoSite, runGateway } from '../../support/run.ts';

const token = 'the-token-of-the-tests';
const DISPOSITION = 'Content-Disposition: form-data; name="title"';
const BODIES = {
  'many values': { type: 'application/json', body: `{"title":"a","other":[${'{},'.repeat(100_000)}{}]}` },
  'a long part header': {
    type: 'multipart/form-data; boundary=b',
    body: `--b\r\n${DISPOSITION}${';a=b'.repeat(250_000)}\r\n\r\na\r\n--b--`,
  },
};
const INVALID = JSON.stringify({
  code: 'rest_invalid_param',
  message: 'Invalid parameter(s): page',
  data: { status: 400, params: { page: 'No.' } },
});

describe.each(Object.entries(ADAPTERS))('behind %s', (_name, start) => {
  let echo: EchoSite;
  let running: RunningGateway;
  const warnings: string[] = [];
  const log: Log = { info() {}, warn: (_, message) => warnings.push(message), error() {} };

  async function open(mode: ValidationMode): Promise<void> {
    warnings.length = 0;
    echo = await runEchoSite(({ url }, response) => {
      if (!url.includes('page=x')) return false;
      const coding = new URL(url, 'http://a').searchParams.get('coding');
      const encode = coding === 'br' ? brotliCompressSync : gzipSync;
      const headers = { 'content-type': 'application/json', 'content-encoding': coding ?? '' };
      response.writeHead(400, headers).end(encode(INVALID));
      return true;
    });
    const site = { name: 'echo', url: echo.origin, validation: { mode } };
    running = await runGateway(site, { admin: { token }, decode: nodeDecode, log }, start);
  }
  const get = async (path: string): Promise<string> =>
    (await running.request(path, { headers: { authorization: `Bearer ${token}` } })).text();

  const cases = (['many values', 'a long part header'] as const).flatMap((kind) =>
    (
      [
        ['observe', 200],
        ['enforce', 200],
        ['strict', 413],
      ] as const
    ).map(([mode, status]) => [kind, mode, status] as const),
  );
  test.each(cases)(
    'a body with %s is too complex to be validated: %s gives %d, counts it and logs it once',
    async (kind, mode, status) => {
      const { body, type } = BODIES[kind];
      await open(mode);
      const post = (): Promise<Response> =>
        running.request('/echo/core/v2/posts', {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        });
      const responses = [await post(), await post()];
      expect(responses.map((response) => response.status)).toEqual([status, status]);
      expect(echo.received.filter((received) => received.body === body).length).toBe(status === 200 ? 2 : 0);
      if (status === 413)
        expect(await responses[0]?.json()).toMatchObject({ code: 'gateway_body_too_complex' });
      expect(warnings.filter((message) => message.includes('too complex')).length).toBe(1);
      expect(await get('/-/metrics')).toContain('waygate_validation_too_complex_total{site="echo"} 2');
    },
  );

  test.each(['gzip', 'br'])(
    'the verdict of a refusal in %s is read with the injected decoder',
    async (coding) => {
      await open('observe');
      await (await running.request(`/echo/core/v2/posts?page=x&coding=${coding}`)).text();
      await expect
        .poll(async () => JSON.parse(await get('/-/sites/echo/validation')).outcomes)
        .toMatchObject({ refused: 1 });
    },
  );
});
