import * as z from 'zod';
import type { GeneratedSite, GeneratedSiteUpstream, WaygateConfig } from '../define-config.ts';

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const path = z.string().min(1);
const headers = z
  .record(z.string(), z.string())
  .refine(
    (fields) => Object.entries(fields).every(([name, value]) => isHeaderField(name, value)),
    'must be names and values of header fields',
  );

const upstreamFields: z.ZodType<GeneratedSiteUpstream> = z.strictObject({
  host: z.string().min(1).optional(),
  ca: path.optional(),
  insecure: z.boolean().optional(),
});

const generatedSite: z.ZodType<GeneratedSite> = z
  .strictObject({
    url: httpUrl.optional(),
    from: path.optional(),
    out: path.optional(),
    name: z
      .string()
      .regex(/^[^/\\\0]+$/, 'must be a file name; "out" chooses the folder')
      .optional(),
    server: httpUrl.optional(),
    client: z.boolean().optional(),
    validators: z.enum(['zod', 'json']).optional(),
    overlay: z.union([path, z.literal(false)], { error: 'must be a path, or false' }).optional(),
    authVariable: z
      .string()
      .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, not the credentials')
      .optional(),
    headers: headers.optional(),
    include: z.array(z.string()).optional(),
    exclude: z.array(z.string()).optional(),
    schemas: z.enum(['help', 'options', 'off']).optional(),
    upstream: upstreamFields.optional(),
  })
  .refine(({ from, url }) => url !== undefined || from !== undefined, 'needs "url" or "from"');

/** The schema of `waygate.config.ts`. */
export const generateConfigSchema: z.ZodType<WaygateConfig> = z.strictObject({
  sites: z.array(generatedSite, { error: 'must be a list of sites' }).min(1, 'at least one site is required'),
});

/** Returns the JSON Schema of `waygate.config.ts`, for messages. */
export function createGenerateConfigJsonSchema(): object {
  return z.toJSONSchema(generateConfigSchema, { io: 'input' });
}

/** Whether a name and a value form a header field (RFC 9110 §5.1, §5.5). */
function isHeaderField(name: string, value: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[^\r\n\0]*$/.test(value);
}
