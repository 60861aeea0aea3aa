import * as z from 'zod';
import { durationField, sizeField } from './field-schemas.ts';

/** Limits of the request bodies. Sizes are in bytes, times in milliseconds. */
export interface BodyConfig {
  readonly memory: number;
  readonly memoryPerClient?: number | undefined;
  readonly minRate: number;
  readonly ratePeriod: number;
}

export const bodySchema: z.ZodType<BodyConfig> = z.strictObject({
  memory: sizeField()
    .prefault('64MiB')
    .describe(
      'Memory for the request bodies that are validated before they are forwarded, of all clients together. Past it, bodies are forwarded without validation, or get 503 where they must be validated.',
    ),
  memoryPerClient: sizeField()
    .optional()
    .describe('The part of the memory that one client address may use. Unset: half of it.'),
  minRate: sizeField()
    .prefault('500')
    .describe(
      'Bytes that a request body must bring in each second, on average over a period. A slower request gets 408. 0: any rate.',
    ),
  ratePeriod: durationField().prefault('30s').describe('The period of minRate.'),
});
