import { vi } from 'vitest';

/** Waits until a condition holds. Rejects after twenty seconds, which a busy machine does not need. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { interval: 5, timeout: 20_000 });
}
