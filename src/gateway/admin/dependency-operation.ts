import { createDependencyReport } from '../caching/dependency-report.ts';
import type { SiteCaching } from '../caching/site-caching.ts';

import { type AdminOperation, adminResponse } from './admin-router.ts';
import { respondForSite, siteKey } from './site-operations.ts';

/** The parts of a mounted site that the operation shows. */
export interface CachedSite {
  readonly mount: string;
  /** `null` if nothing of the site is cached. */
  readonly caching: Pick<SiteCaching, 'learning' | 'purgeCounts'> | null;
}

/**
 * `GET /-/sites/<site>/dependencies`: what writes have purged and kept, and what was learned. `?offset=` continues after the
 * first thousand pairs.
 */
export function createDependencyOperation(sites: ReadonlyMap<string, CachedSite>): AdminOperation {
  return {
    method: 'GET',
    path: '/-/sites/:site/dependencies',
    access: 'token',
    respond: ({ params, request }) =>
      respondForSite(sites, params['site'], (site) => {
        const offset = Number(new URL(request.url).searchParams.get('offset') ?? 0);
        const { learning = null, purgeCounts = NO_COUNTS } = site.caching ?? {};
        const start = Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
        return adminResponse({
          site: siteKey(site),
          ...createDependencyReport(learning, purgeCounts, start),
        });
      }),
  };
}

const NO_COUNTS = { writes: 0, purged: 0, kept: 0 };
