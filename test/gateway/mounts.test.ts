import { expect, test } from 'vitest';
import { DocumentRepresentations } from '../../src/site/snapshot/document-representations.ts';
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

test('a document is rendered once for the same namespaces, whatever unknown ones are asked for', async () => {
  const document = { paths: {}, 'x-waygate': { namespaces: ['a/v1', 'b/v1'], routes: [] } };
  let count = 0;
  const renditions = new DocumentRepresentations(document, function* () {
    count += 1;
    yield;
    return document;
  });
  const get = (...namespaces: string[]) => renditions.get({ namespaces });
  const [first, second] = await Promise.all([get(), get()]);
  expect(second).toBe(first);
  expect([(await get()) === first, count]).toEqual([true, 1]);
  expect(await get('b/v1', 'x', 'a/v1')).toBe(await get('a/v1', 'b/v1', 'y', 'a/v1'));
  expect(await get('x')).toBe(await get('y', 'z'));
  expect(await get('x')).not.toBe(first);
});
