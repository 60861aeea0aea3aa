import type { JsonObject } from '../../../json.ts';
import type { BoardState, TimeTrack } from '../model/types.ts';
import { within } from '../rest/period.ts';
import type { Scope } from '../rest/scope.ts';

/** Committed time, added up. */
export interface TimeSum {
  minutes: number;
  billable: number;
  tracks: number;
}

/** The committed time tracks of a scope. Time that still runs counts for nothing yet. */
export function tracksIn({ timeTracks }: BoardState, { boards, period }: Scope): TimeTrack[] {
  return [...timeTracks.values()].filter(
    (track) => track.status === 'committed' && boards.has(track.boardId) && within(period, track.startedAt),
  );
}

/** Adds up by whatever `keyOf` says, the most time first. */
export function sumBy<Key>(tracks: readonly TimeTrack[], keyOf: (track: TimeTrack) => Key): [Key, TimeSum][] {
  const sums = new Map<Key, TimeSum>();
  for (const track of tracks) {
    const key = keyOf(track);
    const sum = sums.get(key) ?? { minutes: 0, billable: 0, tracks: 0 };
    sums.set(key, add(sum, track));
  }
  return [...sums].sort(([, one], [, other]) => other.minutes - one.minutes);
}

export function sumOf(tracks: readonly TimeTrack[]): TimeSum {
  return tracks.reduce(add, { minutes: 0, billable: 0, tracks: 0 });
}

function add(sum: TimeSum, { minutes, billable }: TimeTrack): TimeSum {
  sum.minutes += minutes;
  sum.billable += billable ? minutes : 0;
  sum.tracks += 1;
  return sum;
}

export const SUM_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  minutes: { description: 'Minutes committed.', type: 'integer' },
  billable_minutes: { description: 'Those of them that a customer pays for.', type: 'integer' },
  tracks: { description: 'Time tracks committed.', type: 'integer' },
};

export function showSum({ minutes, billable, tracks }: TimeSum): JsonObject {
  return { minutes, billable_minutes: billable, tracks };
}
