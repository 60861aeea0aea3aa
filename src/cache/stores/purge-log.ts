import type { PurgeSelection } from '../store.ts';

/** How long a purge is remembered by name, in milliseconds: longer than a site is waited for. */
const REMEMBERED = 10 * 60_000;
/** How many tags and keys are remembered by name. */
const MOST = 20_000;

/**
 * What was purged when. An answer that was asked for before a purge of one of its tags may be older than the write that
 * the purge was for, and must not come into the store after it. Bounded: what is no longer remembered by name counts
 * against all that was asked for before it.
 */
export class PurgeLog {
  readonly #most: number;
  /** In the order of their times: whatever is purged again is moved to the end. */
  readonly #marks = new Map<string, number>();
  /** All that was asked for until then is refused. */
  #floor = Number.NEGATIVE_INFINITY;
  #latest = Number.NEGATIVE_INFINITY;

  constructor(most: number = MOST) {
    this.#most = most;
  }

  record(selection: PurgeSelection, now: number): void {
    // A clock that was set back must not put a purge before an earlier one.
    const time = Math.max(now, this.#latest);
    this.#latest = time;
    if (selection.kind === 'all') {
      this.#marks.clear();
      this.#floor = time;
      return;
    }
    for (const mark of marksOf(selection)) {
      this.#marks.delete(mark);
      this.#marks.set(mark, time);
    }
    for (const [mark, since] of this.#marks) {
      if (this.#marks.size <= this.#most && since > time - REMEMBERED) break;
      this.#marks.delete(mark);
      this.#floor = since;
    }
  }

  /** Whether a purge strikes an answer that was asked for at `time`. In the same millisecond it may have been before. */
  isPurgedSince(key: string, tags: readonly string[], time: number): boolean {
    if (time <= this.#floor) return true;
    // Nothing was purged since: so it is nearly always.
    if (time > this.#latest) return false;
    const struck = (mark: string) => (this.#marks.get(mark) ?? Number.NEGATIVE_INFINITY) >= time;
    return struck(keyMark(key)) || tags.some((tag) => struck(tagMark(tag)));
  }
}

const keyMark = (key: string): string => `k${key}`;
const tagMark = (tag: string): string => `t${tag}`;

function marksOf(selection: Exclude<PurgeSelection, { kind: 'all' }>): readonly string[] {
  return selection.kind === 'keys' ? selection.keys.map(keyMark) : selection.tags.map(tagMark);
}
