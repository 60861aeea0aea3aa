import { type Clock, silentLog } from '../../ports.ts';
import type { Problem } from '../exchange/problem.ts';
import { type Quota, RateCounts } from './rate-counts.ts';

/** Wrong tokens of one client network. A network that goes on guessing stays counted. */
const QUOTA: Quota = { requests: 10, window: 15 * 60 * 1000 };

/**
 * Limits guesses of one secret: the admin token (for the console's sign-in and bearer requests together), the purge secret of a
 * site, or its webhook secret. Each network has its own limit and there is none for all: guesses from some networks lock out
 * nobody in another one.
 */
export class TokenAttempts {
  readonly #wrong: RateCounts;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wrong = new RateCounts(clock, silentLog, undefined);
  }

  /**
   * Records the result of a check. The limit is applied after the check, because checks run concurrently: of any number of
   * guesses that arrive at once, only those below the limit learn whether they are right.
   *
   * @param network {@link toClientNetwork} of the client
   * @param isRight whether the token is right
   * @returns seconds until the next attempt; 0 if the result may be used
   */
  record(network: string, isRight: boolean): number {
    const now = this.#clock.now();
    const count = this.#wrong.find(network, QUOTA, now);
    if (count.own >= QUOTA.requests) return Math.ceil((count.end - now) / 1000);
    if (!isRight) this.#wrong.add(network, count, QUOTA);
    return 0;
  }

  /**
   * Records the result of a check of a request.
   *
   * @param wrong the refusal of a wrong token
   * @returns the refusal; `null` if the token is right
   */
  check(network: string, isRight: boolean, wrong: Problem): Problem | null {
    const wait = this.record(network, isRight);
    if (wait === 0) return isRight ? null : wrong;
    const message = `Too many wrong tokens from this network. The next attempt is possible in ${wait} s.`;
    const headers = { 'retry-after': String(wait) };
    return { status: 429, code: 'gateway_too_many_attempts', message, headers };
  }

  /**
   * Does the same as {@link check} for a site that sends purges. If its address is unknown, the right secret is not limited: the
   * guesses of anybody would lock it out.
   */
  checkSender(network: string, isRight: boolean, wrong: Problem): Problem | null {
    return network === '' && isRight ? null : this.check(network, isRight, wrong);
  }
}
