import type { CacheRequest, ForwardToOrigin } from './cache-request.ts';
import type { HttpCache } from './http-cache.ts';

/** Maximum requests that are remembered: those of the last fetches that clients have caused. */
const MAX_REMEMBERED = 128;
/** Fetches at the same time. They take a part of what a small site can do, and leave clients the rest. */
const MAX_PARALLEL = 3;
/**
 * Milliseconds between a write and the first request. A comparison is evidence about a write only if the write has ended before,
 * at an earlier time of the clock.
 */
const DELAY = 5;

/** A read, and how it is forwarded. */
export interface RepeatedRead {
  readonly request: CacheRequest;
  readonly forward: ForwardToOrigin;
}

interface RememberedRead {
  /** `null` once the read is forgotten: V8 keeps outgrown tables of a map alive. */
  repeat: (() => RepeatedRead | null) | null;
  /** Whether a client has caused the last fetch. */
  isByClient: boolean;
}

/**
 * Requests what a write has marked again, in the background, so that most clients do not wait for it. It requests only what a
 * client has got since the last time, so the site does not get more such requests than clients send. Each comparison that follows
 * is evidence about that one write.
 */
export class MarkedRevalidation {
  readonly #cache: HttpCache;
  /** By key, the one that a client has caused last at the end. */
  readonly #remembered = new Map<string, RememberedRead>();
  /** What is still to be requested after the last write, in reverse order. */
  #pending: RememberedRead[] = [];
  #active = 0;
  #isScheduled = false;

  constructor(cache: HttpCache) {
    this.#cache = cache;
  }

  /**
   * Remembers how to request a response that a client has caused to be fetched.
   *
   * @param repeat must not refer to the request of the client. @returns `null` if the response may not be stored any more
   */
  remember(key: string, repeat: () => RepeatedRead | null): void {
    this.#forget(key);
    this.#remembered.set(key, { repeat, isByClient: true });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MAX_REMEMBERED && oldest !== undefined) this.#forget(oldest);
  }

  #forget(key: string): void {
    const remembered = this.#remembered.get(key);
    if (remembered === undefined) return;
    remembered.repeat = null;
    this.#remembered.delete(key);
  }

  /** Forgets all requests: those of an earlier snapshot would keep it in memory. */
  clear(): void {
    for (const remembered of this.#remembered.values()) remembered.repeat = null;
    this.#remembered.clear();
    this.#pending = [];
  }

  /** Begins after a write. Another write begins anew. */
  start(): void {
    if (this.#isScheduled || this.#remembered.size === 0) return;
    this.#isScheduled = true;
    this.#cache.clock.after(DELAY, () => {
      this.#isScheduled = false;
      this.#pending = [...this.#remembered.values()];
      while (this.#active < MAX_PARALLEL && this.#pending.length > 0) void this.#continue();
    });
  }

  /** Requests the next response, and when it has come, the one after it. */
  async #continue(): Promise<void> {
    this.#active += 1;
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      if (await this.#revalidate(next)) return;
    }
    this.#active -= 1;
  }

  /** @returns whether a fetch has begun. If none has, because one is in flight, the next write may need the response. */
  async #revalidate(remembered: RememberedRead): Promise<boolean> {
    const read = remembered.repeat?.() ?? null;
    if (read === null) return false;
    const hasBegun = await this.#cache.revalidateMarked(
      read.request,
      read.forward,
      ({ isUsed = false }) => isUsed || remembered.isByClient,
      (hasFailed) => {
        this.#active -= 1;
        // Clients find out when the site is back.
        if (hasFailed) this.#pending = [];
        if (this.#pending.length > 0) void this.#continue();
      },
    );
    if (hasBegun) remembered.isByClient = false;
    return hasBegun;
  }
}
