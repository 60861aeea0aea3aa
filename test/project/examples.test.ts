import { beforeAll, expect, test } from 'vitest';
import { closeAfterTest } from '../support/close-after-test.ts';
import { runEchoSite } from '../support/run.ts';
import { waitUntil } from '../support/wait.ts';

beforeAll(async () => {
  const site = await runEchoSite();
  const environment = { SHOP_URL: site.origin, BLOG_URL: site.origin, SHOP_TOKEN: 'secret', PORT: '0' };
  Object.assign(process.env, environment);
});

type Get = (path: string, headers?: Record<string, string>) => Promise<Response>;

/** Each program of `examples/hono`, and how it is reached and stopped. */
const PROGRAMS: Readonly<Record<string, () => Promise<{ readonly get: Get; stop(): unknown }>>> = {
  'fetch.ts': async () => {
    const { default: app } = await import('../../examples/hono/fetch.ts');
    return { get: async (path, headers = {}) => app.request(path, { headers }), stop() {} };
  },
  'node-server.ts': async () => {
    const { server } = await import('../../examples/hono/node-server.ts');
    if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    return {
      get: (path, headers = {}) => fetch(`http://localhost:${port}${path}`, { headers }),
      stop: () => server.close(),
    };
  },
  // The last one: it stops the gateway of the app.
  'serve.ts': async () => {
    const { server } = await import('../../examples/hono/serve.ts');
    return { get: (path, headers = {}) => fetch(server.url + path, { headers }), stop: () => server.stop() };
  },
};

test.each(Object.entries(PROGRAMS))(
  'examples/hono/%s serves an app with a gateway of two sites',
  async (_, start) => {
    const { get, stop } = await start();
    closeAfterTest(stop);
    const hello = await get('/hello');
    expect([hello.headers.get('server-timing'), await hello.text()]).toEqual([
      expect.stringContaining('total'),
      'hello',
    ]);
    expect((await get('/shop/core/v2/posts')).status).toBe(401);
    await waitUntil(async () => (await get('/-/ready')).ok);
    for (const path of ['/shop/core/v2/posts', '/blog/core/v2/posts']) {
      const response = await get(path, { authorization: 'Bearer secret' });
      expect([response.status, response.headers.get('server-timing')]).toEqual([
        200,
        expect.stringContaining('total'),
      ]);
      expect(await response.json()).toMatchObject({ url: expect.stringContaining('/core/v2/posts') });
    }
  },
);
