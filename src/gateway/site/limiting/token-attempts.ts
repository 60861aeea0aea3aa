import type { Clock } from '../../../base/ports.ts';
import type { Problem } from '../../exchange/problem.ts';
import { type Quota, RateCounts } from './site-limits.ts';

const QUOTA: Quota = { requests: 10, window: 15 * 60 * 1000 };

/** Limits guesses of a secret by network. The right one passes: an operator can share the network. */
export class TokenAttempts {
  readonly #wrong = new RateCounts();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns seconds until the next attempt is answered; 0 if this one is */
  recordWrong(network: string): number {
    const now = this.#clock.now();
    const count = this.#wrong.find(network, QUOTA, now);
    if (count.requests >= QUOTA.requests) return Math.ceil((count.end - now) / 1000);
    count.requests += 1;
    return 0;
  }

  check(network: string, isRight: boolean, wrong: Problem): Problem | null {
    if (isRight) return null;
    const wait = this.recordWrong(network);
    if (wait === 0) return wrong;
    const message = `Too many wrong tokens from this network. Send the right one, or wait ${wait} s.`;
    const headers = { 'retry-after': String(wait) };
    return { status: 429, code: 'gateway_too_many_attempts', message, headers };
  }
}
