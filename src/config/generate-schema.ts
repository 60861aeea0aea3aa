import { z } from 'zod';
import type { GeneratedSite, GeneratedSiteUpstream, WaygateConfig } from '../define-config.ts';

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const path = z.string().min(1);

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
    name: z.string().optional(),
    server: httpUrl.optional(),
    client: z.boolean().optional(),
    validators: z.enum(['zod', 'json']).optional(),
    overlay: z.union([path, z.literal(false)], { error: 'must be a path, or false' }).optional(),
    authVariable: z
      .string()
      .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, not the credentials')
      .optional(),
    headers: z.record(z.string(), z.string()).optional(),
    include: z.array(z.string()).optional(),
    exclude: z.array(z.string()).optional(),
    schemas: z.enum(['help', 'options', 'off']).optional(),
    upstream: upstreamFields.optional(),
  })
  .refine(({ from, url }) => url !== undefined || from !== undefined, 'needs "url" or "from"');

/** The schema of `waygate.config.ts`. */
export const generateConfigSchema: z.ZodType<WaygateConfig> = z.strictObject({
  sites: z.array(generatedSite).min(1, 'at least one site is required'),
});
