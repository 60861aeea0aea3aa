import { Hono } from 'hono';
import { MockSite } from '../mock/mock-site.ts';
import boardIndex from './boards/index.json' with { type: 'json' };
import boardItems from './boards/items.json' with { type: 'json' };
import { contentDefinition } from './content/index.ts';
import { createSite, type ExampleSite } from './site/create-site.ts';
import type { ExampleSiteOptions } from './site/definition.ts';

export type { SiteUser, UserRole } from '../rest-server/declarations.ts';
export type { ExampleSite, SiteClock } from './site/create-site.ts';
export type { ExampleSiteOptions } from './site/definition.ts';
export { DEMO_USERS, type DemoUser } from './site/users.ts';

/**
 * Creates a WordPress-style REST site in memory with posts, pages, media and abilities.
 *
 * @example
 * import { contentSite } from 'waygate/example';
 *
 * const site = contentSite({ seed: 7 });
 * const response = await site.request('/wp-json/core/v2/posts?per_page=2');
 * const posts: unknown = await response.json();
 */
export function contentSite(options?: ExampleSiteOptions): ExampleSite {
  return createSite(contentDefinition, options);
}

/**
 * Creates a mock of a site with project boards and roadmaps of ideas, from its recorded index. It has no users.
 *
 * @example
 * import { boardSite } from 'waygate/example';
 *
 * const site = boardSite();
 * const response = await site.request('/wp-json/boards/v2/projects?per_page=2');
 * const boards: unknown = await response.json();
 */
export function boardSite(): Hono {
  const site = new MockSite(boardIndex, 'https://boards.example.com/', boardItems);
  return new Hono().all('*', (call) => site.fetch(call.req.raw));
}
