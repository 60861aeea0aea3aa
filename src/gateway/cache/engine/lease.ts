import type { Clock } from '../../../base/ports.ts';
import type { CacheStore, Lease, StoreMark } from '../store.ts';
import type { CacheEngineLimits, FetchPlan } from './fetch-plan.ts';

export interface Turn {
  readonly lease: Lease | null;
  /** `undefined`: another gateway has stored a newer response. */
  readonly mark: StoreMark | null | undefined;
}

/** Waits for the lease of a key, a newer response of another gateway, or `leaseDuration`. */
export async function waitForTurn(
  { clock, limits, store }: { readonly clock: Clock; limits: CacheEngineLimits; readonly store: CacheStore },
  collapseKey: string,
  plan: FetchPlan,
  isOver: () => boolean,
): Promise<Turn> {
  const end = clock.now() + limits.leaseDuration;
  for (;;) {
    const lease = (await store.acquireLease?.(collapseKey, limits.leaseDuration)) ?? null;
    // The previous holder might have stored its response since the lookup.
    const { mark, responses } = await store.get(plan.request.key);
    const [newest] = responses;
    if (newest !== undefined && newest.responseTime !== plan.newestResponseTime)
      return { lease, mark: undefined };
    if (lease !== null) return { lease, mark };
    if (isOver() || clock.now() >= end) return { lease, mark: plan.mark };
    await new Promise<void>((resolve) => void clock.after(limits.leasePollInterval, resolve));
  }
}
