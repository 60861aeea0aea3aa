import { expect, test } from 'vitest';
import { contentDefinition } from '../../../src/sites/example/content/index.ts';
import { boardSite, contentSite } from '../../../src/sites/example/index.ts';
import { createSite } from '../../../src/sites/example/site/create-site.ts';

const ROOT = '/index.php?rest_route=/';

const CONTENT =
  'oembed/1.0 ext-a/v1 v1 ai/v1 core/v2 core-site-health/v1 core-block-editor/v1 core-abilities/v1';
const BOARDS =
  'oembed/1.0 boards/v2 ext-b/v1 crm/v1 crm/v2 boards crm mcp core/v2 core-site-health/v1 core-block-editor/v1 core-abilities/v1';

test.each([
  ['content', contentSite, CONTENT],
  ['board', boardSite, BOARDS],
])(
  'the %s site advertises its namespaces and its interface, the same at each start',
  async (_, start, namespaces) => {
    const site = start();
    const index = await (await site.request(ROOT)).json();
    expect(index.namespaces).toEqual(namespaces.split(' '));
    expect(await (await start().request(ROOT)).json()).toEqual(index);
    const { headers } = await site.request('https://example.com/');
    expect(headers.get('link')).toBe(
      '<https://example.com/index.php?rest_route=/>; rel="https://api.w.org/"',
    );
  },
);

test('the content site links to what it shows on its front page', async () => {
  const text = await (await contentSite({ base: 'https://example.com/site' }).request('/')).text();
  const index = 'https://example.com/site/index.php?rest_route=/';
  expect(text).toContain(`<link rel="https://api.w.org/" href="${index}">\n</head>`);
  expect(text).toMatch(/<ul>\n<li><a href="https:\/\/example\.com\/site\/\d{4}\/\d\d\/\d\d\//);
});

test('the content site returns to its first state on a reset', () => {
  const site = createSite(contentDefinition);
  const before = JSON.stringify(site.state());
  site.clock.set(new Date('2030-01-01T00:00:00Z'));
  site.reset();
  expect(JSON.stringify(site.state())).toBe(before);
  expect(site.clock.now().getTime()).toBeLessThan(Date.now() + 1000);
});
