import type { RetryPolicy } from './options-and-results.ts';

const RETRIED_STATUSES: readonly number[] = [429, 502, 503, 504];

/** Delay before the first repetition, in milliseconds. It doubles each time. */
const FIRST_DELAY = 500;
/** Maximum delay, in milliseconds. */
const MAX_DELAY = 60_000;

interface RetryClock {
  readonly random: () => number;
  readonly now: () => number;
  readonly sleep: typeof sleep;
}

/**
 * Repeats `GET` after a network failure or the status 429, 502, 503 or 504: `createClient({ …,
 * retries: retry(3) })`. The client waits as `Retry-After` says, up to 60 s, or exponentially longer.
 *
 * @param times maximum number of repetitions
 * @param environment replaces the platform's time and randomness
 */
export function retry(times: number, environment: Partial<RetryClock> = {}): RetryPolicy {
  const clock = { random: Math.random, now: Date.now, sleep, ...environment };
  return async (send, signal) => {
    let result = await send();
    for (let attempt = 0; attempt < times && !signal?.aborted; attempt++) {
      const delay = retryDelay(result.response, attempt, clock);
      if (delay === undefined) break;
      await clock.sleep(delay, signal);
      // After an abort nothing is sent, and the call ends as aborted.
      result = await send();
    }
    return result;
  };
}

/**
 * Delay in milliseconds; `undefined` for no repetition.
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
