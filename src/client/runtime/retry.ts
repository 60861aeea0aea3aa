import type { ClientEnvironment } from './types.ts';

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const RETRIED_STATUSES: readonly number[] = [429, 502, 503, 504];

/** Delay before the first repetition, in milliseconds. It doubles each time. */
const FIRST_DELAY = 500;
/** The client does not wait longer, in milliseconds. */
const MAX_DELAY = 60_000;

/** Whether a request with the method changes nothing, so that it may be repeated and redirected. */
export function isSafe(method: string): boolean {
  return SAFE_METHODS.includes(method);
}

/**
 * Returns how long to wait before a request is repeated, in milliseconds; `undefined` if it should not be repeated.
 *
 * @param response `undefined` after a network failure
 * @param attempt number of earlier repetitions
 */
export function retryDelay(
  response: Response | undefined,
  attempt: number,
  { random, now }: Pick<ClientEnvironment, 'random' | 'now'>,
): number | undefined {
  if (response !== undefined && !RETRIED_STATUSES.includes(response.status)) return undefined;
  const stated = response?.headers.get('retry-after') ?? '';
  const wait = /^\d+$/.test(stated) ? Number(stated) * 1000 : Date.parse(stated) - now();
  if (wait > MAX_DELAY) return undefined;
  return Number.isNaN(wait) ? random() * Math.min(MAX_DELAY, FIRST_DELAY * 2 ** attempt) : Math.max(0, wait);
}

/** Waits; rejects with the signal's reason. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as unknown);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
