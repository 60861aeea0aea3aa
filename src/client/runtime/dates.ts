import type { ClientOptions, Middleware } from './options-and-results.ts';

/** A time as WordPress writes it, mostly without its zone. MySQL has a space in it. */
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?$/i;

/**
 * Adds what replaces the texts of times in UTC by dates: members whose name ends in `_gmt`. Others, such as `date`, are in the time
 * zone of the site, so that they stay texts. A text that is no time, such as `0000-00-00 00:00:00`, becomes an invalid date.
 */
export function withDates(options: ClientOptions): ClientOptions {
  const last: Middleware = {
    async around(_, attempt) {
      const result = await attempt();
      readDates(result.data);
      return result;
    },
  };
  return { ...options, middleware: [...(options.middleware ?? []), last] };
}

/** Replaces times in a value of any depth. */
function readDates(data: unknown): void {
  const waiting: Record<string, unknown>[] = [{ data }];
  // The loop also visits the members that it adds.
  for (const members of waiting) {
    for (const [name, member] of Object.entries(members)) {
      if (typeof member === 'object') waiting.push((member ?? {}) as Record<string, unknown>);
      else if (typeof member === 'string' && name.endsWith('_gmt')) members[name] = toDate(member);
    }
  }
}

function toDate(text: string): Date {
  const [, day, time, zone = 'Z'] = TIME.exec(text) ?? [];
  return new Date(`${day}T${time}${zone}`);
}
