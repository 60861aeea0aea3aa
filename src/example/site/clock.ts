import type { SiteClock } from './definition.ts';

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
