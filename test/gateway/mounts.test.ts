import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { getGatewayInternals } from '../../src/gateway/gateway.ts';
import { handleHead } from '../../src/gateway/handle.ts';
import { createGateway, type GatewayOptions } from '../../src/gateway/index.ts';
import { stringifyDocument } from '../../src/openapi/index.ts';
import { DocumentRepresentations } from '../../src/site/snapshot/document-representations.ts';
import { startEchoSite } from '../support/echo-site.ts';

describe('the name of a site', () => {
  test.each(['a/b', '-', 'a b', '../a', '%61'])('must be one path segment, and cannot be %j', (name) => {
    expect(() => createGateway({ sites: [{ url: 'http://example.com', name }] })).toThrow(ConfigurationError);
  });

  test('must be unique', () => {
    const sites = [
      { url: 'http://example.com', name: 'a' },
      { url: 'http://example.com/b', name: 'a' },
    ];
    expect(() => createGateway({ sites })).toThrow(/used twice/);
  });
});

test('two gateways in one process share no state', async () => {
  const site = await startEchoSite();
  const start = async (options: Partial<GatewayOptions>, name: string) => {
    const gateway = createGateway({ sites: [{ url: site.origin, name }], ...options });
    await gateway.rediscover();
    return gateway;
  };
  const one = await start({}, 'one');
  const other = await start({}, 'other');
  expect((await one.request('/one/core/v2/posts')).status).toBe(200);
  expect((await one.request('/other/core/v2/posts')).status).toBe(404);
  one.stop();
  expect((await other.request('/other/core/v2/posts')).status).toBe(200);
  other.stop();
  await site.close();
});

test('the document and its page contain the path of the public URL', async () => {
  const site = await startEchoSite();
  const gateway = createGateway({
    sites: [{ url: site.origin, name: 'echo' }],
    publicUrl: 'https://example.com/api/',
    docs: () => ({
      styleName: 's.css',
      scriptName: 'r.js',
      scriptIntegrity: 'sha256-x',
      searchWorkerName: 'w.js',
      licencesName: 'l.txt',
      consoleStyleName: 'c.css',
      consoleScriptName: 'c.js',
      consoleScriptIntegrity: 'sha256-y',
      find: () => undefined,
    }),
  });
  await gateway.rediscover();
  expect(await (await gateway.request('/echo/openapi.json')).json()).toMatchObject({
    servers: [{ url: '/api/echo' }],
  });
  const page = await (await gateway.request('/echo/docs')).text();
  // Links of the page are relative, so that they need no setting below another proxy.
  expect(page).toContain('src="./docs/assets/r.js"');
  expect(page).toContain('https://example.com/api/echo');
  const missing = await gateway.request('/echo/docs/assets/none', { method: 'HEAD' });
  expect([missing.status, await missing.text()]).toEqual([404, '']);
  gateway.stop();
  await site.close();
});

test.each([
  ['127.0.0.1', '198.51.100.7'],
  ['192.0.2.1', '192.0.2.1'],
])('the client of a local response, through the peer %s, is %s', (peerAddress, client) => {
  const gateway = createGateway({ sites: [{ url: 'http://example.com' }], trust: ['127.0.0.1'] });
  const handled = handleHead(getGatewayInternals(gateway).context, {
    method: 'GET',
    target: '/-/health',
    headers: ['Host', 'a', 'X-Forwarded-For', '198.51.100.7'],
    peerAddress,
    protocol: 'http',
    httpVersion: '1.1',
  });
  expect(handled.client).toBe(client);
});

test('unknown namespaces do not make another representation of the document', async () => {
  const document = { paths: {}, 'x-waygate': { namespaces: ['a/v1', 'b/v1'], routes: [] } };
  const renditions = new DocumentRepresentations(document, function* () {
    yield;
    return document;
  });
  const get = (...namespaces: string[]) => renditions.get({ format: 'json', namespaces });
  expect(await get('b/v1', 'x', 'a/v1')).toBe(await get('a/v1', 'b/v1', 'y', 'a/v1'));
  expect(await get('x')).toBe(await get('y', 'z'));
  expect(await get('x')).not.toBe(await get());
});

test('the whole document is rendered once, whatever its size', async () => {
  let count = 0;
  const document = {
    paths: {},
    text: 'x'.repeat(40 * 1024 * 1024),
    'x-waygate': { namespaces: [], routes: [] },
  };
  const renditions = new DocumentRepresentations(document, function* () {
    count += 1;
    yield;
    return document;
  });
  const get = () => renditions.get({ format: 'json', namespaces: [] });
  const [first, second] = await Promise.all([get(), get()]);
  expect(first).toBe(second);
  expect(await get()).toBe(first);
  expect(new TextDecoder().decode(first.body)).toBe(stringifyDocument(document));
  expect(count).toBe(1);
});
