import { vi } from 'vitest';

/** Waits until a condition holds. Rejects after a time in milliseconds that a busy machine does not need. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeout = 20_000,
): Promise<void> {
  await vi.waitUntil(condition, { interval: 5, timeout });
}
