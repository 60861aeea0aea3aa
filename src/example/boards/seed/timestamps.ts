import type { SeededRandom } from '../../site/random.ts';
import { type Timestamp, toTimestamp } from '../model/index.ts';

/** The end of the generated history: a new state contains no later timestamp. A Monday. */
export const SEED_END: Date = new Date('2026-03-02T09:00:00Z');

const DAY = 86_400_000;

/** A number of days before the epoch; a negative number is after it. */
export function daysBeforeSeedEnd(days: number): Timestamp {
  return toTimestamp(new Date(SEED_END.getTime() - days * DAY));
}

/** A random timestamp from a range that includes both ends, in whole minutes after its start. */
export function randomTimestamp(random: SeededRandom, from: Timestamp, to: Timestamp): Timestamp {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const minutes = Math.max(0, Math.floor((end - start) / 60_000));
  return toTimestamp(new Date(start + random.integer(0, minutes) * 60_000));
}

/** Adds minutes, up to the epoch. */
export function addMinutesUntilSeedEnd(from: Timestamp, minutes: number): Timestamp {
  return toTimestamp(new Date(Math.min(Date.parse(from) + minutes * 60_000, SEED_END.getTime())));
}
