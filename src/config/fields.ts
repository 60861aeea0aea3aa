import { z } from 'zod';
import { parseDuration, parseSize } from './units.ts';

/** A configuration field that holds a duration. Its output is in milliseconds. */
export function durationField(): z.ZodType<number, string> {
  return parsedField(parseDuration, 'a duration such as 250ms, 30s, 5m or 1h');
}

/** A configuration field that holds a duration. Its output is in seconds. */
export function secondsField(): z.ZodType<number, string> {
  return durationField().transform((milliseconds) => milliseconds / 1000);
}

/** A configuration field that holds a size. Its output is in bytes. */
export function sizeField(): z.ZodType<number, string> {
  return parsedField(parseSize, 'a size such as 500KiB, 64MiB or 1GiB');
}

function parsedField(parse: (text: string) => number | undefined, noun: string): z.ZodType<number, string> {
  return z.string({ error: `must be ${noun}` }).transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `"${text}" is not ${noun}` });
    return z.NEVER;
  });
}
