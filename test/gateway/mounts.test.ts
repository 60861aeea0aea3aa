import { expect, test } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { getGatewayInternals } from '../../src/gateway/gateway.ts';
import { handleHead } from '../../src/gateway/handle.ts';
import { createGateway } from '../../src/gateway/index.ts';
import { DocumentRepresentations } from '../../src/site/snapshot/document-representations.ts';
import { ASSETS } from '../console/support/console-client.ts';
import { runEchoSite, runGateway } from '../support/run.ts';

test('an invalid overlay is refused', () => {
  const sites = [{ url: 'http://example.com', overlay: {} }];
  expect(() => createGateway({ sites })).toThrow(ConfigurationError);
});

test('two gateways in one process share no state', async () => {
  const { origin: url } = await runEchoSite();
  const one = await runGateway({ url, name: 'one' });
  const other = await runGateway({ url, name: 'other' });
  expect((await one.request('/one/core/v2/posts')).status).toBe(200);
  expect((await one.request('/other/core/v2/posts')).status).toBe(404);
  await one.stop();
  expect((await other.request('/other/core/v2/posts')).status).toBe(200);
});

test('the document and its page contain the path of the public URL', async () => {
  const { origin: url } = await runEchoSite();
  const options = { publicUrl: 'https://example.com/api/', docs: () => ASSETS };
  const { request } = await runGateway({ url, name: 'echo' }, options);
  expect(await (await request('/echo/openapi.json')).json()).toMatchObject({
    servers: [{ url: '/api/echo' }],
  });
  const page = await (await request('/echo/docs')).text();
  // Links of the page are relative, so that they need no setting below another proxy.
  expect(page).toMatch(/src="\.\/docs\/assets\/[^"]+\.js"/);
  expect(page).toContain('https://example.com/api/echo');
  const missing = await request('/echo/docs/assets/none', { method: 'HEAD' });
  expect([missing.status, await missing.text()]).toEqual([404, '']);
});

test.each([
  ['127.0.0.1', '198.51.100.7'],
  ['192.0.2.1', '192.0.2.1'],
])('the client of a local response, through the peer %s, is %s', (peerAddress, client) => {
  const gateway = createGateway({ sites: [{ url: 'http://example.com' }], trust: ['127.0.0.1'] });
  const handled = handleHead(getGatewayInternals(gateway).context, {
    ...{ method: 'GET', target: '/-/health', peerAddress, protocol: 'http', httpVersion: '1.1' },
    headers: ['Host', 'a', 'X-Forwarded-For', '198.51.100.7'],
  });
  expect(handled.client).toBe(client);
});

test('a document is rendered once for the same namespaces, whatever unknown ones are asked for', async () => {
  const document = { paths: {}, 'x-waygate': { namespaces: ['a/v1', 'b/v1'], routes: [] } };
  let count = 0;
  const renditions = new DocumentRepresentations(document, function* () {
    count += 1;
    yield;
    return document;
  });
  const get = (...namespaces: string[]) => renditions.get({ format: 'json', namespaces });
  const [first, second] = await Promise.all([get(), get()]);
  expect(second).toBe(first);
  expect([(await get()) === first, count]).toEqual([true, 1]);
  expect(await get('b/v1', 'x', 'a/v1')).toBe(await get('a/v1', 'b/v1', 'y', 'a/v1'));
  expect(await get('x')).toBe(await get('y', 'z'));
  expect(await get('x')).not.toBe(first);
});
