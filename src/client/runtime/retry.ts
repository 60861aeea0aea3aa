import type { RetryPolicy } from './options-and-results.ts';

const RETRIED_STATUSES: readonly number[] = [429, 502, 503, 504];

/** Delay before the first repetition, in milliseconds. It doubles each time. */
const FIRST_DELAY = 500;
/** The client does not wait longer, in milliseconds. */
const MAX_DELAY = 60_000;

/** Clock and timers that `retry` uses. */
interface RetryClock {
  readonly random: () => number;
  readonly now: () => number;
  readonly sleep: typeof sleep;
}

/**
 * Repeats `GET` and `HEAD` after a network failure or the status 429, 502, 503 or 504: `createClient({ …, retries: retry(3) })`.
 * The client waits as `Retry-After` says (at most 60 s, otherwise it does not repeat), or exponentially longer with jitter.
 *
 * @param times how often a request is repeated at most
 * @param environment replaces the time and the chance of the platform
 */
export function retry(times: number, environment: Partial<RetryClock> = {}): RetryPolicy {
  const clock = { random: Math.random, now: Date.now, sleep, ...environment };
  return async (send, signal) => {
    let result = await send();
    for (let attempt = 0; attempt < times && !signal?.aborted; attempt++) {
      const delay = retryDelay(result.response, attempt, clock);
      if (delay === undefined) break;
      await clock.sleep(delay, signal);
      // After an abort nothing is sent, and the call ends as any that is aborted.
      result = await send();
    }
    return result;
  };
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
  { random, now }: Pick<RetryClock, 'random' | 'now'>,
): number | undefined {
  if (response !== undefined && !RETRIED_STATUSES.includes(response.status)) return undefined;
  const declared = response?.headers.get('retry-after') ?? '';
  const wait = /^\d+$/.test(declared) ? Number(declared) * 1000 : Date.parse(declared) - now();
  if (wait > MAX_DELAY) return undefined;
  return Number.isNaN(wait) ? random() * Math.min(MAX_DELAY, FIRST_DELAY * 2 ** attempt) : Math.max(0, wait);
}

/** Waits, at most until the signal aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
