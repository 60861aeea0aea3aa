import type { SiteClock } from './definition.ts';

/** A clock that runs as another does, until it is set. */
export function createClock(computer: () => number = Date.now): SiteClock {
  let stopped: number | null = null;
  let ahead = 0;
  return {
    now: () => new Date(stopped ?? computer() + ahead),
    set(time) {
      stopped = time === null ? null : time.getTime();
      ahead = 0;
    },
    advance(milliseconds) {
      if (stopped === null) ahead += milliseconds;
      else stopped += milliseconds;
    },
  };
}
