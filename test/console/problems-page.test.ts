import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EchoSite, startEchoSite } from '../support/echo-site.ts';
import { ADAPTERS, type RunningGateway } from '../support/gateway.ts';
import { ASSETS, type ConsoleTestClient, signIn, TOKEN, toText } from './support/console-client.ts';

/** A refusal as WordPress sends it, with a message that contains the value. */
const REFUSAL = {
  code: 'rest_invalid_param',
  message: 'Invalid parameter(s): secret-value',
  data: {
    status: 400,
    params: { status: 'secret-value is not one of publish, draft', '<b>x': '' },
    details: { status: { code: 'rest_not_in_enum', message: 'secret-value', data: null } },
  },
};

describe.each(Object.entries(ADAPTERS))('the page of problems on %s', (_, start) => {
  let site: EchoSite;
  let gateway: RunningGateway;
  let client: ConsoleTestClient;
  beforeAll(async () => {
    site = await startEchoSite((received, response) => {
      const isRefused = received.url.includes('status=');
      const isForbidden = received.url.includes('context=edit');
      if (!isRefused && !isForbidden) return false;
      response.statusCode = isRefused ? 400 : 401;
      response.setHeader('content-type', 'application/json; charset=UTF-8');
      response.end(JSON.stringify(isRefused ? REFUSAL : { code: 'rest_forbidden', message: 'secret-value' }));
      return true;
    });
    gateway = await start({
      sites: [{ name: 'blog', url: site.origin, validation: { mode: 'observe' } }],
      admin: { token: TOKEN },
      docs: () => ASSETS,
    });
    client = await signIn(gateway.request, TOKEN);
    for (const path of ['posts?status=secret-value', 'posts?context=edit']) {
      await (await gateway.request(`/blog/core/v2/${path}`)).arrayBuffer();
    }
    await (await gateway.request('/blog/unheard/of/secret-path')).arrayBuffer();
  });
  afterAll(async () => {
    await gateway.stop();
    await site.close();
  });

  test('names the parameters and rules of a refusal by the site, and no values', async () => {
    const read = async (): Promise<string> => {
      const html = await (await client.get('/-/console/sites/blog/problems')).text();
      expect(html).not.toMatch(/secret-|<b>x/);
      return toText(html);
    };
    await expect
      .poll(read)
      .toMatch(
        /GET \/core\/v2\/posts 400 .*: a parameter is invalid \(rest_invalid_param\) status : the value is not one of the allowed values/,
      );
    expect(await read()).toMatch(/GET \/core\/v2\/posts 401 [^0-9]*\(rest_forbidden\)/);
  });

  test('names the site in the heading, and in the title', async () => {
    const html = await (await client.get('/-/console/sites/blog/problems')).text();
    expect(html).toContain('<title>Problems · Echo · waygate console</title>');
    expect(html).toContain('<h1>Echo: Problems</h1>');
  });
});
