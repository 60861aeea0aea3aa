import type { Random } from '../../site/random.ts';
import { moment } from '../model/state.ts';
import type { Moment } from '../model/types.ts';

/** The day on which the made-up history ends: nothing in a new state was done later. A Monday. */
export const EPOCH: Date = new Date('2026-03-02T09:00:00Z');

const DAY = 86_400_000;

/** So many days before the epoch; negative for after it. */
export function daysAgo(days: number): Moment {
  return moment(new Date(EPOCH.getTime() - days * DAY));
}

/** A moment between two, both ends included, to the minute. */
export function between(random: Random, from: Moment, to: Moment): Moment {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const minutes = Math.max(0, Math.floor((end - start) / 60_000));
  return moment(new Date(start + random.integer(0, minutes) * 60_000));
}

/** Later by so many minutes, but not after the epoch. */
export function later(from: Moment, minutes: number): Moment {
  return moment(new Date(Math.min(Date.parse(from) + minutes * 60_000, EPOCH.getTime())));
}
