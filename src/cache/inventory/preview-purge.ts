import type { Clock } from '../../ports.ts';
import { runInSlices, visitInSteps } from '../../steps.ts';
import { calculateTimeToLive } from '../policy/index.ts';
import type { PurgeSelection, StoreInspector } from '../store.ts';
import { estimateResponseSize } from '../stores/size-estimate.ts';

/** What a purge would select in the memory of this process. */
export interface PurgePreview {
  readonly responses: number;
  /** Estimated memory, in bytes. */
  readonly bytes: number;
  /** The first of them. */
  readonly examples: readonly PurgeExample[];
  /** Whether other gateways may store more that the purge selects. */
  readonly isShared: boolean;
}

/** One response that a purge would select. */
export interface PurgeExample {
  /** The cache key. */
  readonly key: string;
  readonly status: number;
  readonly bytes: number;
  /** Seconds until it is stale; negative after that. */
  readonly ttl: number;
}

/** Maximum examples of a preview. */
export const MAX_PREVIEWED = 50;

/** Counts what a purge would select, in slices, and changes nothing. */
export async function previewPurge(
  inspector: StoreInspector,
  selection: PurgeSelection,
  clock: Clock,
): Promise<PurgePreview> {
  const selected = inspector.select(selection);
  const examples: PurgeExample[] = [];
  const now = clock.now();
  let responses = 0;
  let bytes = 0;
  const visit = visitInSteps(selected.keys, (key) => {
    for (const response of inspector.peek(key)) {
      if (!selected.matches(response)) continue;
      const size = estimateResponseSize(response);
      responses += 1;
      bytes += size;
      if (examples.length >= MAX_PREVIEWED) continue;
      const { status } = response;
      examples.push({ key, status, bytes: size, ttl: calculateTimeToLive(response, now) });
    }
  });
  await runInSlices(visit, clock);
  return { responses, bytes, examples, isShared: inspector.isShared };
}
