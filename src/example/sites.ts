import { boardDefinition } from './boards/index.ts';
import { contentDefinition } from './content/index.ts';
import { createSite, type ExampleSite } from './site/create-site.ts';
import type { ExampleSiteOptions } from './site/definition.ts';

/**
 * Creates the content site, a WordPress-style REST site in memory: posts, pages and media with revisions and autosaves,
 * and an extension with uploads, abilities and an assistant.
 *
 * @param options the seed of the data, the latency, and limits
 * @returns a Hono app. Each start with the same seed has the same data.
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
 * Creates the board site, a WordPress-style REST site in memory: project boards with stages, tasks, labels, comments and
 * time tracks, and roadmaps of ideas that users vote on.
 *
 * @param options the seed of the data, the latency, and limits
 * @returns a Hono app. Each start with the same seed has the same data.
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
