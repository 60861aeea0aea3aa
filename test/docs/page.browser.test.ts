import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readIndex } from '../../src/discovery/index.ts';
import { loadDocsAssets } from '../../src/docs/packaged-assets.ts';
import { createDocsPageHeaders, renderDocsPage } from '../../src/docs/render-page.ts';
import type { JsonObject } from '../../src/json.ts';
import { toOpenApi } from '../../src/openapi/index.ts';
import { useBrowser } from '../support/browser.ts';
import { openResult, search, tryOperation, waitUntilSearchable } from '../support/docs-page.ts';

const assets = loadDocsAssets();
const browser = useBrowser();

/** Serves the documentation page in front of a site that echoes the path and query of each request. */
function docsServer(document: () => object) {
  const app = new Hono();
  const headers = { ...createDocsPageHeaders('test-nonce') };
  const page = {
    title: 'A site',
    documentUrl: '/site/openapi.json',
    assetsPath: '/site/docs/assets/',
    assets,
    nonce: 'test-nonce',
  };
  app.get('/site/docs', (context) => context.body(renderDocsPage(page), 200, headers));
  app.get('/site/docs/assets/:name', async (context) => {
    const asset = assets.find(context.req.param('name'));
    if (asset === undefined) return context.notFound();
    const assetHeaders = { 'content-type': asset.contentType, 'content-encoding': 'br' };
    return context.body(await asset.read('br'), 200, assetHeaders);
  });
  app.get('/site/openapi.json', (context) => context.json(document()));
  // A script of the site at the origin of the page, as with `passthrough`.
  const script = { 'content-type': 'text/javascript' };
  app.get('/site/uploads/script.js', (context) => context.body('globalThis.__ran = true', 200, script));
  app.all('/site/*', (context) => context.json({ answered: context.req.path, query: context.req.query() }));
  const server = createAdaptorServer({ fetch: app.fetch });
  let origin = '';
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());
  return () => `${origin}/site/docs`;
}

describe('the page of a WordPress 7.1', () => {
  const fixture = new URL('../fixtures/wordpress-7.1-index-help.json', import.meta.url);
  const base = 'https://example.com/';
  const url = docsServer(() => {
    const { index } = readIndex(readFileSync(fixture, 'utf8'));
    const address = { base, root: `${base}wp-json/`, spelling: 'pretty', prefix: 'wp-json' } as const;
    return toOpenApi({ address, index, diagnostics: [] }, { server: '/site' }).document;
  });

  test('can be searched and tried without console output or requests to other origins', async () => {
    const visit = await browser.visit(url());
    const found = await search(visit.page, 'menu item autosaves');
    expect(found).toContain('List menu item autosaves GET /wp/v2/menu-items/{id}/autosaves');

    expect(await search(visit.page, 'list categories')).toContain('List categories GET /wp/v2/categories');
    await openResult(visit.page, 'GET', '/wp/v2/categories');
    const response = await tryOperation(visit.page, 'GET', '/wp/v2/categories');
    expect(response.status).toBe('200 OK');
    expect(response.body).toContain('"answered": "/site/wp/v2/categories"');

    await browser.screenshot(visit.page, 'tried');
    expect(visit.crossOrigin()).toEqual([]);
    expect(visit.console).toEqual([]);
  });
});

describe('the page of a hostile site', () => {
  let reached = 0;
  const foreign = createAdaptorServer({
    fetch: () => {
      reached += 1;
      return new Response('globalThis.__ran = true', { headers: { 'content-type': 'text/javascript' } });
    },
  });
  let elsewhere = '';
  beforeAll(async () => {
    await new Promise<void>((listening) => foreign.listen(0, '127.0.0.1', listening));
    elsewhere = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  });
  afterAll(() => void foreign.close());

  const url = docsServer((): JsonObject => {
    const attack = `</script><script src="${elsewhere}/a.js"></script><script>globalThis.__ran = true</script>
<img src="${elsewhere}/pixel.png" onerror="globalThis.__ran = true"> ![a](${elsewhere}/b.png)
<a href="javascript:globalThis.__ran = true">click here</a><iframe src="${elsewhere}/"></iframe>
<style>@import url("${elsewhere}/c.css"); body { background: url("${elsewhere}/d.png") }</style>`;
    const operation = { operationId: 'attack', summary: attack, description: attack, responses: {} };
    return {
      openapi: '3.1.1',
      info: { title: attack, version: '1', description: attack },
      tags: [{ name: 'hostile', description: attack }],
      paths: { '/attack': { get: { ...operation, tags: ['hostile'] } } },
    };
  });

  test('runs no script of the site and fetches nothing from it', async () => {
    const visit = await browser.visit(url());
    await waitUntilSearchable(visit.page);
    await visit.page.getByText('click here').first().click();
    await visit.page.waitForTimeout(500);
    expect(await visit.page.evaluate(() => '__ran' in globalThis)).toBe(false);
    expect(reached).toBe(0);
  });

  test('runs no script that the site serves at the origin of the page', async () => {
    const visit = await browser.visit(url());
    await waitUntilSearchable(visit.page);
    const outcome = await visit.page.evaluate(
      () =>
        new Promise((resolve) => {
          const script = document.createElement('script');
          script.src = '/site/uploads/script.js';
          script.onload = () => resolve('loaded');
          script.onerror = () => resolve('refused');
          document.head.append(script);
        }),
    );
    expect(outcome).toBe('refused');
    expect(await visit.page.evaluate(() => '__ran' in globalThis)).toBe(false);
  });
});
