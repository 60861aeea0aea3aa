import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ports.ts';
import type { Problem } from '../exchange/problem.ts';

/** Milliseconds for which wrong tokens count. */
const WINDOW = 15 * 60 * 1000;
/** Wrong tokens of one client network within {@link WINDOW}. */
const MAX_PER_NETWORK = 10;
/** Networks that are counted. The least recently used one is forgotten first, so one that goes on guessing is not. */
const MAX_NETWORKS = 10_000;

interface WrongTokens {
  count: number;
  /** When the first of them was sent. */
  readonly since: number;
}

/**
 * Limits guesses of one secret: the admin token (for the console's sign-in and bearer requests together), the purge secret of a
 * site, or its webhook secret. Each network has its own limit and there is none for all: guesses from some networks lock out
 * nobody in another one.
 */
export class TokenAttempts {
  /** Created with the first wrong token: it takes memory for {@link MAX_NETWORKS} at once. */
  #byNetwork: LRUCache<string, WrongTokens> | undefined;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
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
    const known = this.#byNetwork?.get(network);
    const wrong = known === undefined || now - known.since >= WINDOW ? { count: 0, since: now } : known;
    if (wrong.count >= MAX_PER_NETWORK) return Math.ceil((wrong.since + WINDOW - now) / 1000);
    if (!isRight) {
      wrong.count += 1;
      this.#byNetwork ??= new LRUCache({ max: MAX_NETWORKS });
      this.#byNetwork.set(network, wrong);
    }
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
