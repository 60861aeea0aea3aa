import { expect, test } from 'vitest';
import { runEchoSite, runGateway } from '../support/run.ts';

test('the document and its page contain the path of the public URL', async () => {
  const { origin: url } = await runEchoSite();
  const options = { publicUrl: 'https://example.com/api/' };
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
