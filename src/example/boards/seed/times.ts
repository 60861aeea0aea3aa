import type { Random } from '../../site/random.ts';
import { type Timestamp, toTimestamp } from '../model/index.ts';

/** The day on which the made-up history ends: nothing in a new state was done later. A Monday. */
export const EPOCH: Date = new Date('2026-03-02T09:00:00Z');

const DAY = 86_400_000;

/** So many days before the epoch; negative for after it. */
export function daysAgo(days: number): Timestamp {
  return toTimestamp(new Date(EPOCH.getTime() - days * DAY));
}

/** A moment between two, both ends included, to the minute. */
export function between(random: Random, from: Timestamp, to: Timestamp): Timestamp {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const minutes = Math.max(0, Math.floor((end - start) / 60_000));
  return toTimestamp(new Date(start + random.integer(0, minutes) * 60_000));
}

/** Later by so many minutes, but not after the epoch. */
export function later(from: Timestamp, minutes: number): Timestamp {
  return toTimestamp(new Date(Math.min(Date.parse(from) + minutes * 60_000, EPOCH.getTime())));
}
