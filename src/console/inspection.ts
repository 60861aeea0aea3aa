import type { LookupExplanation } from '../cache/cache-request.ts';
import type { CacheEntryPolicy } from '../site/caching/cache-entry.ts';
import type { ResolvedRequest, Snapshot } from '../site/snapshot/snapshot.ts';
import type { ValidationInspection } from '../site/validating/site-validation.ts';
import type { CacheBypass } from '../wordpress/shared-requests.ts';

/** What the gateway would do with a read at this moment, by the decisions that a request takes. */
export interface RequestInspection {
  readonly snapshot: Snapshot;
  readonly resolved: ResolvedRequest;
  /** `null` if the request is not validated, or is for no route. */
  readonly validation: ValidationInspection | null;
  /** `null` if nothing of the site is cached, if the request is for no route and no page, or if its header section is refused. */
  readonly caching: CachingInspection | null;
}

export interface CachingInspection {
  readonly resource: CacheEntryPolicy | CacheBypass;
  /** `null` if the request bypasses the store. */
  readonly lookup: (LookupExplanation & { readonly key: string; readonly publicBase: string }) | null;
}

/** The tags by which what is stored for a read is purged; those of its address if nothing is; `null` if it bypasses the store. */
export function listTags({ lookup, resource }: CachingInspection): readonly string[] | null {
  if (lookup === null || resource.kind === 'bypass') return null;
  return lookup.selected?.tags ?? resource.addressTags;
}
