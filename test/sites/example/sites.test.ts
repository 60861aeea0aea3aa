import { describe, expect, test } from 'vitest';
import { boardDefinition } from '../../../src/sites/example/boards/index.ts';
import { contentDefinition } from '../../../src/sites/example/content/index.ts';
import { boardSite, contentSite } from '../../../src/sites/example/index.ts';
import { createSite } from '../../../src/sites/example/site/create-site.ts';

const ROOT = '/index.php?rest_route=/';

const CONTENT =
  'oembed/1.0 ext-a/v1 v1 ai/v1 core/v2 core-site-health/v1 core-block-editor/v1 core-abilities/v1';
const BOARDS =
  'oembed/1.0 boards/v2 ext-b/v1 crm/v1 crm/v2 boards crm mcp core/v2 core-site-health/v1 core-block-editor/v1 core-abilities/v1';

describe.each([
  ['the content site', contentSite, () => createSite(contentDefinition), CONTENT],
  ['the board site', boardSite, () => createSite(boardDefinition), BOARDS],
] as const)('%s', (_name, start, startWithState, namespaces) => {
  test('advertises its namespaces, and has the same data at each start', async () => {
    const index = await (await start().request(ROOT)).json();
    expect(index.namespaces).toEqual(namespaces.split(' '));
    expect(await (await start({ seed: 1 }).request(ROOT)).json()).toEqual(index);
  });

  test('links to its interface and to what it shows on its front page', async () => {
    const response = await start({ base: 'https://example.com/site' }).request('/');
    const text = await response.text();
    const index = 'https://example.com/site/index.php?rest_route=/';
    expect(response.headers.get('link')).toBe(`<${index}>; rel="https://api.w.org/"`);
    expect(text).toContain(`<link rel="https://api.w.org/" href="${index}">\n</head>`);
    expect(text).toMatch(/<ul>\n<li><a href="https:\/\/example\.com\/site\/(?:\d{4}\/\d\d\/\d\d|roadmap)\//);
  });

  test('returns to its first state on a reset', () => {
    const site = startWithState();
    const before = JSON.stringify(site.state());
    site.clock.set(new Date('2030-01-01T00:00:00Z'));
    site.reset();
    expect(JSON.stringify(site.state())).toBe(before);
    expect(site.clock.now().getTime()).toBeLessThan(Date.now() + 1000);
  });
});
