import { type BoardState, boardDefinition } from './boards/index.ts';
import { type ContentState, contentDefinition } from './content/index.ts';
import { createSite, type RunningSite } from './site/create-site.ts';
import type { ExampleSiteOptions } from './site/definition.ts';

/** Site A, a content site. */
export type ContentSite = RunningSite<ContentState>;
/** Site B, a site of project boards. */
export type BoardSite = RunningSite<BoardState>;

/**
 * A content site in memory: posts, pages and media with their revisions and autosaves, and an extension with uploads,
 * abilities and an assistant. A Hono app, alike at every start.
 *
 * ```ts
 * import { serve } from '@hono/node-server';
 * import { contentSite } from 'waygate/example';
 *
 * serve({ fetch: contentSite().fetch, port: 8081 });
 * ```
 */
export function contentSite(options?: ExampleSiteOptions): ContentSite {
  return createSite(contentDefinition, options);
}

/**
 * A site of project boards in memory: stages, tasks, labels, comments, time tracks, and roadmaps whose ideas are voted
 * on. A Hono app, alike at every start.
 *
 * ```ts
 * const site = boardSite({ seed: 7 });
 * site.clock.set(new Date('2026-01-05T09:00:00Z'));
 * const boards = await site.request('/wp-json/boards/v2/projects', { headers: { authorization } });
 * site.reset();
 * ```
 */
export function boardSite(options?: ExampleSiteOptions): BoardSite {
  return createSite(boardDefinition, options);
}
