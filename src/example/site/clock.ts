/** The clock of a site. It follows the system time until it is set. */
export interface SiteClock {
  now(): Date;
  /** Stops the clock at a time. `null` returns it to the system time. */
  set(time: Date | null): void;
  /** Moves a running or stopped clock forward. */
  advance(milliseconds: number): void;
}

/** Creates a clock that follows `systemClock` until it is set. */
export function createSiteClock(systemClock: () => number = Date.now): SiteClock {
  let stoppedAt: number | null = null;
  let offset = 0;
  return {
    now: () => new Date(stoppedAt ?? systemClock() + offset),
    set(time) {
      stoppedAt = time === null ? null : time.getTime();
      offset = 0;
    },
    advance(milliseconds) {
      if (stoppedAt === null) offset += milliseconds;
      else stoppedAt += milliseconds;
    },
  };
}
