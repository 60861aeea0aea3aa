import { boardDefinition } from './boards/index.ts';
import { contentDefinition } from './content/index.ts';
import { createSite, type ExampleSite } from './site/create-site.ts';
import type { ExampleSiteOptions } from './site/definition.ts';

export type { SiteUser, UserRole } from '../rest-server/declarations.ts';
export type { ExampleSite, SiteClock } from './site/create-site.ts';
export type { ExampleSiteOptions } from './site/definition.ts';
export { DEMO_USERS, type DemoUser } from './site/users.ts';

/**
 * Creates a WordPress-style REST site in memory with posts, pages, media and an assistant.
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
 * Creates a WordPress-style REST site in memory with project boards and roadmaps of ideas.
 *
 * @example
 * import { boardSite, DEMO_USERS } from 'waygate/example';
 *
 * const site = boardSite();
 * site.clock.set(new Date('2026-01-05T09:00:00Z'));
 * const [user] = DEMO_USERS;
 * const authorization = `Basic ${btoa(`${user?.login}:${user?.password}`)}`;
 * const response = await site.request('/wp-json/boards/v2/projects', { headers: { authorization } });
 * site.reset();
 */
export function boardSite(options?: ExampleSiteOptions): ExampleSite {
  return createSite(boardDefinition, options);
}
