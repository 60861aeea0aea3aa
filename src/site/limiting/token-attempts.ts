import type { Problem } from '../../exchange/problem.ts';
import { type Clock, silentLog } from '../../ports.ts';
import { type Quota, RateCounts } from './rate-counts.ts';

/** Wrong tokens of one client network. A network that goes on guessing stays counted. */
const QUOTA: Quota = { requests: 10, window: 15 * 60 * 1000 };

/**
 * Limits guesses of one secret: the admin token (for the console's sign-in and bearer requests together), the purge secret of a
 * site, or its webhook secret. Each network has its own limit. The right secret is never refused: an operator or Prometheus can share
 * a network with whoever guesses, e.g. behind one NAT. Secrets of 16 characters and more cannot be guessed at the rate of requests.
 */
export class TokenAttempts {
  readonly #wrong: RateCounts;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wrong = new RateCounts(clock, silentLog, undefined);
  }

  /**
   * Records a wrong token.
   *
   * @param network {@link toClientNetwork} of the client
   * @returns seconds until the next attempt is answered; 0 if this one is
   */
  recordWrong(network: string): number {
    const now = this.#clock.now();
    const count = this.#wrong.find(network, QUOTA, now);
    if (count.own >= QUOTA.requests) return Math.ceil((count.end - now) / 1000);
    this.#wrong.add(network, count, QUOTA);
    return 0;
  }

  /**
   * Records the result of a check of a request.
   *
   * @param wrong the refusal of a wrong token
   * @returns the refusal; `null` if the token is right
   */
  check(network: string, isRight: boolean, wrong: Problem): Problem | null {
    if (isRight) return null;
    const wait = this.recordWrong(network);
    if (wait === 0) return wrong;
    const message = `Too many wrong tokens from this network. Send the right one, or wait ${wait} s.`;
    const headers = { 'retry-after': String(wait) };
    return { status: 429, code: 'gateway_too_many_attempts', message, headers };
  }
}
