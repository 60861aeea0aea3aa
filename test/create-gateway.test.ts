import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createGateway } from '../src/create-gateway.ts';
import { serve } from '../src/gateway/node/index.ts';
import { closeAfterTest } from './support/close-after-test.ts';
import { runStubSite } from './support/run.ts';

test('a program states what a configuration file states, and has its defaults: a store and a server', async () => {
  const site = await runStubSite({ respond: () => ({ body: [] }) });
  const gateway = await createGateway({
    sites: [{ url: site.url, cache: { rules: [{ match: '/wp/v2/posts*', ttl: '5m' }] } }],
    port: 0,
    shutdownGrace: '500ms',
    app: (app) => void app.get('/own', (call) => call.text('own')),
  });
  await gateway.rediscover();
  const server = await serve({ gateway });
  closeAfterTest(() => server.stop());
  expect(await (await fetch(`${server.url}/own`)).text()).toBe('own');
  const read = async (): Promise<string> =>
    (await fetch(`${server.url}/wp/v2/posts`)).headers.get('cache-status') ?? '';
  await read();
  expect(await read()).toContain('stored');
  expect(await read()).toMatch(/hit; ttl=(?:300|29\d)$/);
});

test('a gateway is mounted in an app of the program', async () => {
  const site = await runStubSite();
  const gateway = await createGateway({ sites: [{ url: site.url }] });
  closeAfterTest(() => gateway.stop());
  await gateway.rediscover();
  const app = new Hono().get('/hello', (call) => call.text('hello')).route('/site', gateway.app);
  expect(await (await app.request('/hello')).text()).toBe('hello');
  expect((await app.request('/site/openapi.json')).status).toBe(200);
});

test.each([
  [{ sites: [{ url: 'http://127.0.0.1:9', timeout: 5 }] }, /sites\[0\]\.timeout/],
  [{ sites: [{ url: 'http://127.0.0.1:9', unknown: 1 }] }, /unknown key/],
  [{ sites: [{ url: 'http://127.0.0.1:9', document: '/no/such/file.json' }] }, /sites\[0\]\.document/],
])('a mistake is an error with its place: %j', async (settings, message) => {
  await expect(Reflect.apply(createGateway, null, [settings])).rejects.toThrow(message);
});
