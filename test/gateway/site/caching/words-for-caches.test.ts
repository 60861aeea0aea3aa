import { describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../../../src/gateway/index.ts';
import { type Answer, startGateway } from '../../../support/gateway.ts';
import { cacheStatusOf } from '../../../support/run.ts';

/** What sites, their plugins and their `.htaccess` say to caches, and what it means for the store. */

type Fields = Readonly<Record<string, string>>;

/** Requests an address three times. @returns the last response */
async function readThrice(path: string, answer: Answer, cache: SiteOptions['cache'] = { pages: 60 }) {
  const { read, request } = await startGateway({ cache }, (_, count) => ({
    ...answer,
    body: answer.body ?? `<p>${count}</p>`,
  }));
  for (const _time of [1, 2]) await read(path);
  const response = await request(path);
  await response.arrayBuffer();
  return { headers: response.headers, status: cacheStatusOf(response) };
}

const PAGE = '/hello/';
const ROUTE = '/wp-json/wp/v2/types';

describe('what a site says to browsers does not keep a response from the store', () => {
  const NOW = new Date().toUTCString();
  test.each<[Fields, string]>([
    [{ 'cache-control': 'max-age=0', expires: NOW }, 'wp-media/wp-rocket, h5bp/server-configs-apache'],
    [{ 'cache-control': 'public, max-age=0, must-revalidate' }, 'Netlify, Vercel'],
  ])('%j (%s)', async (fields) => {
    const page = await readThrice(PAGE, { headers: fields });
    expect(page.status).toMatch(/^hit; ttl=[56]\d$/);
    expect(page.headers.get('cache-control')).toBe(fields['cache-control']);
    const route = await readThrice(ROUTE, { headers: fields, body: '{}' });
    expect(route.status).toMatch(/^hit; ttl=(?:30|2\d)$/);
  });

  test.each<Fields>([
    { 'cache-control': 'no-cache' },
    { 'cache-control': 'max-age=0, s-maxage=0' },
    { 'cache-control': 'max-age=0', pragma: 'no-cache' },
    { 'cdn-cache-control': 'max-age=0' },
    { expires: '0' },
  ])('but %j does', async (fields) => {
    expect((await readThrice(PAGE, { headers: fields })).status).not.toMatch(/^hit/);
  });

  test('and without `pages` it is a page that nobody wants stored', async () => {
    const { status } = await readThrice(PAGE, { headers: { 'cache-control': 'max-age=0' } }, {});
    expect(status).not.toMatch(/^hit/);
  });
});

describe('a response that the site forbids another cache to store', () => {
  test.each<[string, string]>([
    ['X-LiteSpeed-Cache-Control', 'private,max-age=1800'],
    ['X-Accel-Expires', '0'],
    ['cf-edge-cache', 'no-cache'],
    ['Surrogate-Control', 'no-store'],
    ['Cloudflare-CDN-Cache-Control', 'no-store'],
    ['Vercel-CDN-Cache-Control', 'private'],
    ['Edge-Control', 'no-store'],
    // A lifetime of zero.
    ['Surrogate-Control', 'max-age=0'],
    ['Cloudflare-CDN-Cache-Control', 'max-age=0'],
    ['X-LiteSpeed-Cache-Control', 'public, s-maxage=00'],
    ['Edge-Control', 'cache-maxage=0'],
    ['Edge-Control', 'cache-maxage=0s'],
    ['Edge-Control', 'bypass-cache'],
    ['Surrogate-Control', 'max-age=60, max-age="0"'],
    ['Surrogate-Control', 'max-age=0+60'],
    ['Surrogate-Control', 'max-age=-1'],
    ['X-Cache-Enabled', 'False'],
    ['x-HTML-Edge-Cache', 'nocache'],
    ['X-WP-CF-Super-Cache', 'no-cache'],
  ])('is not stored: %s: %s', async (name, value) => {
    const found = await readThrice(PAGE, {
      headers: { [name]: value, 'cache-control': 'public, max-age=60' },
    });
    expect(found.status).toContain(`forbidden by ${name.toLowerCase()}`);
    expect(found.headers.get(name)).toBe(value);
  });

  test.each<[string, string]>([
    ['Surrogate-Control', 'max-age=60, no-store-remote'],
    ['Surrogate-Control', 'max-age=60+0'],
    ['Edge-Control', '!no-store, cache-maxage=0m60'],
    ['x-HTML-Edge-Cache', 'cache,bypass-cookies=wp-|wordpress'],
  ])('but a permission permits nothing and forbids nothing: %s: %s', async (name, value) => {
    expect((await readThrice(PAGE, { headers: { [name]: value } })).status).toMatch(/^hit; ttl=[56]\d$/);
  });
});

describe('a page with nonces is fresh for six hours at most', () => {
  test.each<[Fields, SiteOptions['cache']]>([
    [{ 'cache-control': 's-maxage=31536000, max-age=60' }, { pages: 60 }],
    [{ 'cache-control': 'public, max-age=86400' }, {}],
    [{ 'cdn-cache-control': 'max-age=86400' }, { rules: [{ match: '/hello/*', ttl: 60 }] }],
  ])('whatever the site states: %j with %j', async (headers, cache) => {
    const { status } = await readThrice(PAGE, { headers }, cache);
    const [, ttl] = /^hit; ttl=(\d+)$/.exec(status) ?? [];
    expect(Number(ttl)).toBeGreaterThan(21_500);
    expect(Number(ttl)).toBeLessThanOrEqual(21_600);
  });

  test.each([
    ['a file', '/wp-content/uploads/a.json', { 'content-type': 'application/json' }],
    ['a read', ROUTE, {}],
  ])('but %s for as long as the site states', async (_, path, type) => {
    const headers = { ...type, 'cache-control': 'public, max-age=86400' };
    expect((await readThrice(path, { headers, body: '{}' })).status).toMatch(/^hit; ttl=86[34]\d\d$/);
  });

  test('and the operator can say otherwise', async () => {
    const rules = [{ match: '/hello/*', ttl: 86_400, override: true }];
    const { status } = await readThrice(PAGE, { headers: { 'cache-control': 'max-age=60' } }, { rules });
    expect(status).toMatch(/^hit; ttl=86[34]\d\d$/);
  });
});

describe('texts that PHP sends are pages', () => {
  test.each([
    ['/robots.txt', 'text/plain; charset=utf-8', 'User-agent: *\nDisallow: /wp-admin/'],
    ['/site.webmanifest', 'application/manifest+json', '{"name":"A site"}'],
  ])('%s', async (path, type, body) => {
    expect((await readThrice(path, { headers: { 'content-type': type }, body })).status).toMatch(
      /^hit; ttl=[56]\d$/,
    );
  });

  test('but a text at any other address is not: /download/', async () => {
    const { status } = await readThrice('/download/', {
      headers: { 'content-type': 'text/plain' },
      body: 'a',
    });
    expect(status).not.toMatch(/^hit/);
  });
});
