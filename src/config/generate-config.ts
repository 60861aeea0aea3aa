import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { GeneratedSite, GeneratedSiteUpstream, WaygateConfig } from '../define-config.ts';
import { ConfigurationError, messageOf } from '../errors.ts';
import { createKnownKeysHint, describeIssues } from './describe-issues.ts';

/** The names of the configuration file of `waygate generate`. The first that exists is read. */
export const CONFIG_FILE_NAMES = [
  'waygate.config.ts',
  'waygate.config.mts',
  'waygate.config.js',
  'waygate.config.mjs',
] as const;

/** A configuration, and the file that it came from. */
export interface LoadedGenerateConfig {
  /** Absolute path of the file. */
  readonly file: string;
  readonly config: WaygateConfig;
}

/**
 * Loads the configuration of `waygate generate`. The file is a program: it runs.
 *
 * @param folder the folder that is searched
 * @param file the path of the file, if the user names one; relative to `folder`
 * @returns `null` if no file is named and the folder has none
 * @throws {ConfigurationError} when the file cannot be loaded or its content is not a configuration
 */
export async function loadGenerateConfig(
  folder: string,
  file: string | undefined,
): Promise<LoadedGenerateConfig | null> {
  const path = file === undefined ? await findConfigFile(folder) : await requireModule(folder, file);
  if (path === null) return null;
  const result = generateConfigSchema.safeParse(await importDefault(path));
  if (result.success) return { file: path, config: result.data };
  const hint = createKnownKeysHint(createGenerateConfigJsonSchema());
  const issues = describeIssues(result.error.issues, 'the default export', hint);
  throw new ConfigurationError(`${path} is invalid\n${issues.map((issue) => `  ${issue}`).join('\n')}`);
}

/** @throws {ConfigurationError} when the file does not exist, or is the configuration of `waygate serve` */
async function requireModule(folder: string, file: string): Promise<string> {
  const path = resolve(folder, file);
  if (!(await isPresent(path))) throw new ConfigurationError(`--config ${file}: there is no such file`);
  if (!/\.(?:ya?ml|json)$/i.test(file)) return path;
  throw new ConfigurationError(
    `--config ${file}: waygate generate reads a module such as waygate.config.ts; YAML and JSON are for waygate serve`,
  );
}

function isPresent(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function findConfigFile(folder: string): Promise<string | null> {
  for (const name of CONFIG_FILE_NAMES) {
    const path = join(folder, name);
    if (await isPresent(path)) return path;
  }
  return null;
}

/**
 * Imports a module's default export. Node imports TypeScript from version 22.18 on, so jiti does it. `waygate` is this copy of
 * the package: the file loads even where the package is not installed (`npx waygate`).
 */
async function importDefault(path: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const { defineConfig } = await import('../define-config.ts');
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    virtualModules: { waygate: { defineConfig } },
  });
  try {
    return await jiti.import(path, { default: true });
  } catch (cause) {
    throw new ConfigurationError(`cannot load ${path}: ${messageOf(cause)}`, { cause });
  }
}

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
const generateConfigSchema: z.ZodType<WaygateConfig> = z.strictObject({
  sites: z.array(generatedSite, { error: 'must be a list of sites' }).min(1, 'at least one site is required'),
});

/** Returns the JSON Schema of `waygate.config.ts`, for messages. */
function createGenerateConfigJsonSchema(): object {
  return z.toJSONSchema(generateConfigSchema, { io: 'input' });
}

/** Whether a name and a value form a header field (RFC 9110 §5.1, §5.5). */
function isHeaderField(name: string, value: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[^\r\n\0]*$/.test(value);
}
