import type { JsonObject } from '../../../json.ts';
import type { Args } from '../../site/declare.ts';
import { moment } from '../model/state.ts';
import type { Moment } from '../model/types.ts';
import { invalid } from './refusals.ts';
import type { BoardRequest } from './route.ts';

const SHAPE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Reads RFC 3339, which is in UTC where it names no zone; undefined for anything else, February 30 among it. */
export function readMoment(text: string): Moment | undefined {
  const [, day, time, zone = 'Z'] = SHAPE.exec(text) ?? [];
  if (day === undefined || time === undefined || !isDay(day)) return undefined;
  const date = new Date(`${day}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(date.getTime()) ? undefined : moment(date);
}

/** Whether a text is a day of the calendar: `2026-02-28`. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && moment(date).startsWith(text);
}

/** The day of a moment: `2026-03-02`. */
export function dayOf(at: Moment): string {
  return at.slice(0, 10);
}

/** The end of the pattern is the longest length: `$` would let a line feed pass. */
const DAY: JsonObject = {
  type: 'string',
  format: 'date',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}',
  maxLength: 10,
};

/** The arguments of what is computed over some days. */
export const PERIOD: Args = {
  from: { ...DAY, description: 'First day, in UTC: `2026-01-31`. Absent: from the beginning.' },
  to: { ...DAY, description: 'Last day, in UTC, which counts: `2026-01-31`. Absent: until now.' },
};

/** Some days, both ends included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

export function readPeriod({ params }: BoardRequest): Period | ReturnType<typeof invalid> {
  const from = params.string('from', '0000-01-01');
  const to = params.string('to', '9999-12-31');
  for (const [name, day] of Object.entries({ from, to })) {
    if (day !== '0000-01-01' && !isDay(day)) return invalid(name, `${name} is not a day of the calendar.`);
  }
  return from <= to ? { from, to } : invalid('to', 'to lies before from.');
}

export function within({ from, to }: Period, at: Moment | null): boolean {
  return at !== null && from <= dayOf(at) && dayOf(at) <= to;
}
