import { z } from 'zod';
import { parseDuration } from './duration.ts';
import { parseSize } from './size.ts';

/** A length of time as people write it, in milliseconds once read. */
export function duration(): z.ZodType<number, string> {
  return z
    .string({ error: 'must be a length of time such as 250ms, 30s, 5m or 1h' })
    .transform((text, context) => {
      const milliseconds = parseDuration(text);
      if (milliseconds !== undefined) return milliseconds;
      context.addIssue({
        code: 'custom',
        message: `"${text}" is not a length of time such as 250ms, 30s, 5m or 1h`,
      });
      return z.NEVER;
    });
}

/** The same in seconds. */
export function seconds(): z.ZodType<number, string> {
  return duration().transform((milliseconds) => milliseconds / 1000);
}

/** A number of bytes as people write it. */
export function size(): z.ZodType<number, string> {
  return z.string({ error: 'must be a size such as 500KiB, 64MiB or 1GiB' }).transform((text, context) => {
    const bytes = parseSize(text);
    if (bytes !== undefined) return bytes;
    context.addIssue({ code: 'custom', message: `"${text}" is not a size such as 500KiB, 64MiB or 1GiB` });
    return z.NEVER;
  });
}
