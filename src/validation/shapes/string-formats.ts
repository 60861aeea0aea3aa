/** A format that a shape claims if every string of a set has it. */
interface StringFormat {
  /** The value of `format`. */
  readonly name: string;
  readonly test: (text: string) => boolean;
}

/** A date and a time of day: the values are in range, so that `0000-00-00 00:00:00` is none. */
const DATE = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?';

/**
 * The formats, each with its own bit. `date-time` has an offset from UTC (RFC 3339). WordPress writes most dates without
 * one: `2026-01-05T09:00:00`, the format `date-time-local` of the OpenAPI Format Registry.
 */
export const STRING_FORMATS: readonly StringFormat[] = [
  { name: 'date-time', test: toTest(new RegExp(`^${DATE}T${TIME}(?:Z|[+-]\\d\\d:\\d\\d)$`)) },
  { name: 'date-time-local', test: toTest(new RegExp(`^${DATE}T${TIME}$`)) },
  { name: 'date', test: toTest(new RegExp(`^${DATE}$`)) },
  {
    name: 'email',
    test: toTest(/^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z\d-]{1,63}(?:\.[A-Za-z\d-]{1,63}){1,8}$/),
  },
  {
    name: 'uri',
    test: (text) => /^(?:https?|ftp|mailto|tel|urn|data):[!-~]+$/i.test(text) && URL.canParse(text),
  },
  { name: 'uuid', test: toTest(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/) },
];

/** Longer strings have no format. */
const MAX_FORMAT_LENGTH = 2048;

function toTest(pattern: RegExp): StringFormat['test'] {
  return (text) => pattern.test(text);
}

/** Returns the bit mask of the formats that a string has. */
export function matchStringFormats(text: string): number {
  if (text === '' || text.length > MAX_FORMAT_LENGTH) return 0;
  let mask = 0;
  for (const [bit, { test }] of STRING_FORMATS.entries()) if (test(text)) mask |= 1 << bit;
  return mask;
}

/** Returns the name of the first format of a bit mask; `undefined` if it has none. */
export function nameStringFormat(mask: number): string | undefined {
  return STRING_FORMATS.find((_, bit) => (mask & (1 << bit)) !== 0)?.name;
}
