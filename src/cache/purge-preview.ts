import type { Clock } from '../ports.ts';
import { runInSlices, visitInSteps } from '../steps.ts';
import { calculateTimeToLive } from './policy/storability.ts';
import { type CacheStore, isSelected, type PurgeSelection } from './store.ts';
import { sizeOf } from './stores/memory-store.ts';

/** The responses in the memory of this process that a purge would select. */
export interface PurgePreview {
  readonly responses: number;
  /** Memory in bytes, approximately. */
  readonly bytes: number;
  /** The first of them. */
  readonly examples: readonly PurgeExample[];
}

interface PurgeExample {
  readonly key: string;
  readonly status: number;
  readonly bytes: number;
  /** Seconds until it is stale; negative after that. */
  readonly ttl: number;
}

/** Maximum examples of a preview. */
export const MAX_PREVIEWED = 50;

/** Counts the responses that a purge would select, in slices, and changes nothing. */
export async function previewPurge(
  store: CacheStore,
  selection: PurgeSelection,
  clock: Clock,
): Promise<PurgePreview> {
  const examples: PurgeExample[] = [];
  const now = clock.now();
  let responses = 0;
  let bytes = 0;
  const visit = visitInSteps(store.report().entries, ([key, stored]) => {
    for (const response of stored) {
      if (!isSelected(selection, key, response.tags)) continue;
      const size = sizeOf(response);
      responses += 1;
      bytes += size;
      if (examples.length >= MAX_PREVIEWED) continue;
      const { status } = response;
      examples.push({ key, status, bytes: size, ttl: calculateTimeToLive(response, now) });
    }
  });
  await runInSlices(visit, clock);
  return { responses, bytes, examples };
}
