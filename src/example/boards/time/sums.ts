import type { BoardState, TimeTrack } from '../model/index.ts';
import { groupBy } from '../reports/counts.ts';
import type { ReportScope } from '../reports/report.ts';
import { isWithinPeriod, type SchemasByName, schema } from '../rest/index.ts';

/** Sums of time tracks, as reports and timesheets show them. */
export interface TimeSum {
  readonly minutes: number;
  readonly billable_minutes: number;
  readonly tracks: number;
}

export const TIME_SUM_PROPERTIES: SchemasByName = {
  minutes: schema.integer('Minutes committed.'),
  billable_minutes: schema.integer('Those of them that a customer pays for.'),
  tracks: schema.integer('Time tracks committed.'),
};

/** Returns the committed time tracks of a scope, without running ones. */
export function committedTracksInScope(
  { timeTracks }: BoardState,
  { boards, period }: ReportScope,
): TimeTrack[] {
  return [...timeTracks.values()].filter(
    ({ status, boardId, startedAt }) =>
      status === 'committed' && boards.has(boardId) && isWithinPeriod(period, startedAt),
  );
}

export function sumTime(tracks: readonly TimeTrack[]): TimeSum {
  const total = (of: readonly TimeTrack[]): number => of.reduce((sum, { minutes }) => sum + minutes, 0);
  return {
    minutes: total(tracks),
    billable_minutes: total(tracks.filter(({ billable }) => billable)),
    tracks: tracks.length,
  };
}

/** Sums by key, the most time first. */
export function sumTimeBy<Key>(
  tracks: readonly TimeTrack[],
  keyOf: (track: TimeTrack) => Key,
): [Key, TimeSum][] {
  return [...groupBy(tracks, keyOf)]
    .map(([key, ofKey]): [Key, TimeSum] => [key, sumTime(ofKey)])
    .sort(([, one], [, other]) => other.minutes - one.minutes);
}
