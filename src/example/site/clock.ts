/** A site's clock. Runs as the computer's until it is set. */
export interface SiteClock {
  now(): Date;
  /** Stops the clock at a time, or with null lets it run as the computer's again. */
  set(time: Date | null): void;
  /** Moves it on by milliseconds, running or stopped. */
  advance(milliseconds: number): void;
}

/** A clock that runs as another does, until it is set. */
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
