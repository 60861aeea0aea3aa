import { createShapesReport } from '../../validation/shapes/index.ts';
import type { SiteValidation } from '../validating/site-validation.ts';
import { type AdminOperation, adminResponse } from './admin-router.ts';
import { respondForSite } from './site-operations.ts';

/** The parts of a mounted site that the operation shows. */
export interface SampledSite {
  readonly mount: string;
  readonly url: string;
  readonly validation: Pick<SiteValidation, 'listShapes'>;
}

/**
 * `GET /-/sites/<site>/shapes`: what the site's responses have in common, for `waygate reconcile --from`: types, names and
 * counts, no values. `sampling` is `false` if responses are not sampled (`validation.responses`).
 */
export function createShapesOperation(sites: ReadonlyMap<string, SampledSite>): AdminOperation {
  return {
    method: 'GET',
    path: '/-/sites/:site/shapes',
    access: 'token',
    respond: ({ params }) =>
      respondForSite(sites, params['site'], ({ url, validation }) => {
        const shapes = validation.listShapes();
        return adminResponse({ ...createShapesReport(url, shapes ?? []), sampling: shapes !== null });
      }),
  };
}
