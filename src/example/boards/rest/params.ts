import type { JsonObject } from '../../../json.ts';
import type { ArgumentSchemas, SiteError, SiteResponse } from '../../site/declarations.ts';
import type { RequestParams } from '../../site/request-params.ts';
import { listResponse, restError, slicePage } from '../../site/responses.ts';
import { isCalendarDay, type Timestamp, toDay } from '../model/index.ts';
import type { BoardRequest } from './route.ts';
import * as schema from './schema.ts';

/** Creates the error 400 for an argument that its schema allows and the state does not, in the words of WordPress. */
export function invalidArgument(name: string, message: string): SiteError {
  return {
    kind: 'error',
    status: 400,
    code: 'rest_invalid_param',
    message: `Invalid parameter(s): ${name}`,
    params: { [name]: message },
    details: { [name]: { code: 'rest_invalid_param', message, data: null } },
  };
}

/** Creates the error 409 for a change that the state does not allow: `refuseConflict('task_archived', '…')`. */
export function refuseConflict(code: string, message: string): SiteError {
  return restError(409, code, message);
}

/** Returns the value of an argument with an `enum`; `undefined` when the client sent none. */
export function enumParam<Value extends string>(
  params: RequestParams,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = params.string(name);
  return values.find((value) => value === text);
}

/** Returns the values of an array argument whose items have an `enum`. */
export function enumParams<Value extends string>(
  params: RequestParams,
  name: string,
  values: readonly Value[],
): Value[] {
  return params.strings(name).flatMap((text) => values.find((value) => value === text) ?? []);
}

/** Returns the trimmed text of an argument; an error when the text is empty. */
export function readRequiredText(
  { params }: BoardRequest,
  name: string,
  message: string,
  otherwise = '',
): string | SiteError {
  const text = params.string(name, otherwise).trim();
  return text === '' ? invalidArgument(name, message) : text;
}

/** Creates a test for texts that contain every word of the argument `search`, in any case. */
export function createWordFilter({ params }: BoardRequest): (text: string) => boolean {
  const words = params.string('search', '').toLowerCase().split(/\s+/);
  return (text) => words.every((word) => text.toLowerCase().includes(word));
}

/** Creates a test for texts that contain the argument `search`, in any case. */
export function createSubstringFilter({ params }: BoardRequest): (text: string) => boolean {
  const part = params.string('search', '').toLowerCase();
  return (text) => text.toLowerCase().includes(part);
}

/** Arguments of a paged list. */
export const PAGING_ARGS: ArgumentSchemas = {
  page: schema.integer('Page of the list, from 1.', { default: 1, minimum: 1 }),
  per_page: schema.integer('Items on a page.', { default: 20, minimum: 1, maximum: 100 }),
};

/** Creates the response with the requested page of a complete, sorted list. */
export function pageResponse<T>(
  { params }: BoardRequest,
  items: readonly T[],
  show: (item: T) => JsonObject,
): SiteResponse {
  const page = params.integer('page', 1);
  const perPage = params.integer('per_page', 20);
  return listResponse(slicePage(items, { page, perPage }).map(show), { total: items.length, page, perPage });
}

/** The pattern allows text after the day because `$` would allow a line feed; `maxLength` excludes both. */
const DAY: JsonObject = {
  type: 'string',
  format: 'date',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}',
  maxLength: 10,
};

/** Arguments of a period of days. */
export const PERIOD_ARGS: ArgumentSchemas = {
  from: { ...DAY, description: 'First day, in UTC: `2026-01-31`. Absent: from the beginning.' },
  to: { ...DAY, description: 'Last day, in UTC, which counts: `2026-01-31`. Absent: until now.' },
};

/** A range of days that includes its first and its last day. */
export interface DayPeriod {
  readonly from: string;
  readonly to: string;
}

const EARLIEST_DAY = '0000-01-01';

export function readPeriod({ params }: BoardRequest): DayPeriod | SiteError {
  const from = params.string('from', EARLIEST_DAY);
  const to = params.string('to', '9999-12-31');
  for (const [name, day] of Object.entries({ from, to })) {
    if (day !== EARLIEST_DAY && !isCalendarDay(day)) {
      return invalidArgument(name, `${name} is not a day of the calendar.`);
    }
  }
  return from <= to ? { from, to } : invalidArgument('to', 'to lies before from.');
}

export function isWithinPeriod({ from, to }: DayPeriod, at: Timestamp | null): boolean {
  return at !== null && from <= toDay(at) && toDay(at) <= to;
}
