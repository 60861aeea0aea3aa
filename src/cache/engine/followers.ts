import type { CacheStatus } from '../../http/cache-status.ts';
import type { StoredResponse } from '../store.ts';
import type { ClientExchange } from './client-exchange.ts';
import { LeaderStream } from './leader-stream.ts';
import type { EngineContext } from './engine-context.ts';

const NOBODY: readonly ClientExchange[] = [];

/** Those who want the answer of one flight: the leader, who gets it as it comes, and who waits until it is whole. */
export class Followers {
  readonly #around: EngineContext;
  readonly #onLeft: () => void;
  /** Most have nobody. */
  #waiting: Set<ClientExchange> | undefined;
  #leader: { readonly caller: ClientExchange; readonly lead: LeaderStream } | undefined;

  /** @param onLeft called when one of them has gone */
  constructor(around: EngineContext, onLeft: () => void) {
    this.#around = around;
    this.#onLeft = onLeft;
  }

  get lead(): LeaderStream | undefined {
    return this.#leader?.lead;
  }

  get leader(): ClientExchange | undefined {
    return this.#leader?.caller;
  }

  get isWaitedFor(): boolean {
    return this.#waiting !== undefined && this.#waiting.size > 0;
  }

  get isEmpty(): boolean {
    return this.#leader === undefined && !this.isWaitedFor;
  }

  /** @param onRoom called when the leader can take more */
  follow(caller: ClientExchange, onRoom: () => void): void {
    const lead = new LeaderStream(caller.sink, onRoom);
    this.#leader = { caller, lead };
    caller.attach({
      resume: () => lead.resume(),
      abort: () => {
        lead.abort();
        this.dismissLeader();
        this.#onLeft();
      },
    });
  }

  wait(caller: ClientExchange): void {
    const waiting = this.#waiting ?? new Set();
    this.#waiting = waiting;
    waiting.add(caller);
    caller.attach({
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
  take(which: (caller: ClientExchange) => boolean = () => true): readonly ClientExchange[] {
    const waiting = this.#waiting;
    if (waiting === undefined || waiting.size === 0) return NOBODY;
    const taken = [...waiting].filter(which);
    for (const caller of taken) waiting.delete(caller);
    return taken;
  }

  /** …the leader with them, who has nothing of the answer yet. */
  takeAll(): readonly ClientExchange[] {
    const leader = this.#leader?.caller;
    this.#leader = undefined;
    return leader === undefined ? this.take() : [leader, ...this.take()];
  }

  /**
   * Gives all who may have it a stale answer in place of the site's.
   *
   * @param asked see {@link EngineContext.serveStaleOnError}
   */
  excuse(stale: StoredResponse, asked: CacheStatus): void {
    const leader = this.#leader;
    if (leader !== undefined && !leader.lead.started && this.#around.serveStaleOnError(leader.caller, stale, asked)) {
      this.#leader = undefined;
    }
    const waiting = this.#waiting;
    const shared = asked.hit === true ? asked : { ...asked, collapsed: true };
    for (const caller of [...(waiting ?? NOBODY)]) {
      // One of them may have made another leave meanwhile.
      if (waiting?.has(caller) && this.#around.serveStaleOnError(caller, stale, shared)) waiting.delete(caller);
    }
  }
}
