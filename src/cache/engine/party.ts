import type { CacheStatus } from '../../http/cache-status.ts';
import type { StoredResponse } from '../store.ts';
import type { Caller } from './caller.ts';
import { Lead } from './lead.ts';
import type { Surroundings } from './surroundings.ts';

const NOBODY: readonly Caller[] = [];

/** Those who want the answer of one flight: the leader, who gets it as it comes, and who waits until it is whole. */
export class Party {
  readonly #around: Surroundings;
  readonly #onLeft: () => void;
  /** Most have nobody. */
  #waiting: Set<Caller> | undefined;
  #leader: { readonly caller: Caller; readonly lead: Lead } | undefined;

  /** @param onLeft called when one of them has gone */
  constructor(around: Surroundings, onLeft: () => void) {
    this.#around = around;
    this.#onLeft = onLeft;
  }

  get lead(): Lead | undefined {
    return this.#leader?.lead;
  }

  get leader(): Caller | undefined {
    return this.#leader?.caller;
  }

  get isWaitedFor(): boolean {
    return this.#waiting !== undefined && this.#waiting.size > 0;
  }

  get isEmpty(): boolean {
    return this.#leader === undefined && !this.isWaitedFor;
  }

  /** @param onRoom called when the leader can take more */
  follow(caller: Caller, onRoom: () => void): void {
    const lead = new Lead(caller.sink, onRoom);
    this.#leader = { caller, lead };
    caller.follow({
      resume: () => lead.resume(),
      abort: () => {
        lead.leave();
        this.dismissLeader();
        this.#onLeft();
      },
    });
  }

  wait(caller: Caller): void {
    const waiting = this.#waiting ?? new Set();
    this.#waiting = waiting;
    waiting.add(caller);
    caller.follow({
      resume() {},
      abort: () => {
        if (waiting.delete(caller)) this.#onLeft();
      },
    });
  }

  dismissLeader(): void {
    this.#leader = undefined;
  }

  /** Those who wait, or such of them; they are somebody else's to answer from here on. */
  take(which: (caller: Caller) => boolean = () => true): readonly Caller[] {
    const waiting = this.#waiting;
    if (waiting === undefined || waiting.size === 0) return NOBODY;
    const taken = [...waiting].filter(which);
    for (const caller of taken) waiting.delete(caller);
    return taken;
  }

  /** …the leader with them, who has nothing of the answer yet. */
  takeAll(): readonly Caller[] {
    const leader = this.#leader?.caller;
    this.#leader = undefined;
    return leader === undefined ? this.take() : [leader, ...this.take()];
  }

  /**
   * Gives all who may have it a stale answer in place of the site's.
   *
   * @param asked see {@link Surroundings.giveStale}
   */
  excuse(stale: StoredResponse, asked: CacheStatus): void {
    const leader = this.#leader;
    if (leader !== undefined && !leader.lead.begun && this.#around.giveStale(leader.caller, stale, asked)) {
      this.#leader = undefined;
    }
    const waiting = this.#waiting;
    const shared = asked.hit === true ? asked : { ...asked, collapsed: true };
    for (const caller of [...(waiting ?? NOBODY)]) {
      // One of them may have made another leave meanwhile.
      if (waiting?.has(caller) && this.#around.giveStale(caller, stale, shared)) waiting.delete(caller);
    }
  }
}
