import * as z from 'zod';
import { parseDuration, parseSize } from './units.ts';

/** Creates the schema of a configuration field that holds a duration. It outputs milliseconds. */
export function durationField(): z.ZodType<number, string> {
  return parsedField(parseDuration, 'a duration such as 250ms, 30s, 5m or 1h');
}

/** Creates the schema of a configuration field that holds a duration. It outputs seconds. */
export function secondsField(): z.ZodType<number, string> {
  return durationField().transform((milliseconds) => milliseconds / 1000);
}

/** Creates the schema of a configuration field that holds a size. It outputs bytes. */
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
