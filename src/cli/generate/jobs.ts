import { dirname, relative, resolve } from 'node:path';
import { ConfigurationError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { DiscoveryFlags, GeneratedFile, GeneratedSite, GenerateFlags } from '../../base/option-types.ts';
import { withoutCredentials } from '../../generator/discovery/redact.ts';
import type { LoadedGenerateConfig } from '../config/generate-config.ts';
import { GENERATED_FILES } from '../config/schema.ts';
import { requireHttpUrl } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { requireFileName, requireFolder } from '../output-files.ts';

/** One site to generate: the command line and the configuration in one. Paths are as a person sees them. */
export interface GenerationJob
  extends Omit<GeneratedSite, 'authVariable' | 'exclude' | 'headers' | 'include'>,
    DiscoveryFlags {
  readonly out: string;
  /** The file that has the site, as `--config` names it, and its modules; else the command line has it. */
  readonly config: { readonly flag: string | undefined; readonly modules: readonly string[] } | undefined;
  /** Environment with the credentials of this site. */
  readonly env: CommandIo['env'];
}

export type SiteFlags = DiscoveryFlags &
  Partial<Omit<GenerateFlags, keyof DiscoveryFlags>> & {
    /** `false` for `diff`, which compares what the site states. */
    readonly overlay?: false;
  };

/** @throws {ConfigurationError} when neither command line nor file names a site, or an argument is invalid */
export async function resolveJobs(
  url: string | undefined,
  flags: SiteFlags,
  io: Pick<CommandIo, 'cwd' | 'env'>,
): Promise<readonly GenerationJob[]> {
  const cwd = io.cwd ?? process.cwd();
  if (url !== undefined || flags.from !== undefined) {
    return [createJob({ url }, flags, io.env, undefined, cwd)];
  }
  const { loadGenerateConfig } = await import('../config/generate-config.ts');
  const loaded = await loadGenerateConfig(cwd, flags.config, io.env);
  if (loaded !== null) return jobsOf(loaded, flags, io.env, cwd);
  throw new ConfigurationError(
    'no site given. Add its URL, such as https://example.com, or write a waygate.config.ts with waygate init',
  );
}

function jobsOf(
  { config, file, modules }: LoadedGenerateConfig,
  flags: SiteFlags,
  env: CommandIo['env'],
  cwd: string,
): readonly GenerationJob[] {
  const isSingle = config.sites.length === 1;
  if (!isSingle && flags.name !== undefined) {
    throw new ConfigurationError(`--name applies to a single site, and ${file} has several`);
  }
  return config.sites.map((site, at) => {
    const place = `sites[${at}] of ${showPath(file, cwd)}`;
    return createJob(site, flags, credentialsOf(site, isSingle, env, place), { file, modules }, cwd);
  });
}

/** The credentials of one site are not sent to another: with several sites, each names its variable. */
function credentialsOf(
  { authVariable }: GeneratedSite,
  isSingle: boolean,
  env: CommandIo['env'],
  place: string,
): CommandIo['env'] {
  if (authVariable === undefined) return isSingle ? env : { ...env, WAYGATE_AUTH: undefined };
  const credentials = env[authVariable];
  if (credentials === undefined || credentials === '') {
    throw new ConfigurationError(
      `authVariable of ${place}: the environment variable ${authVariable} is not set`,
    );
  }
  return { ...env, WAYGATE_AUTH: credentials };
}

/** @param source the configuration file, whose folder the paths of the site are relative to; `undefined` for the command line */
function createJob(
  { authVariable: _, from, headers = {}, out = '.', overlay: path, ...site }: GeneratedSite,
  { config, exclude, header, include, only = [], overlay, ...given }: SiteFlags,
  env: CommandIo['env'],
  source: Pick<LoadedGenerateConfig, 'file' | 'modules'> | undefined,
  cwd: string,
): GenerationJob {
  const folder = source === undefined ? cwd : dirname(source.file);
  const show = (path: string): string => showPath(resolve(folder, path), cwd);
  const job = {
    ...site,
    from: from && show(from),
    out: show(out),
    // A path of the command line is shown as the user wrote it.
    ...omitUndefined(given),
    overlay: overlay ?? (path && show(path)),
    include: include.length > 0 ? include : (site.include ?? []),
    exclude: exclude.length > 0 ? exclude : (site.exclude ?? []),
    header: [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), ...header],
    config: source && { flag: config, modules: source.modules },
    env,
  };
  for (const [name, check] of CHECKS) {
    const { [name]: value } = job;
    if (value !== undefined) check(value);
  }
  const files = only.flatMap((text) => text.split(',').map(requireGeneratedFile));
  return { ...job, only: files.length > 0 ? files : site.only };
}

const CHECKS = [
  ['url', requireSiteUrl],
  ['from', requireFile],
  ['name', requireFileName],
  ['out', requireFolder],
] as const;

/** @throws {ConfigurationError} when the text names no file of a generation */
function requireGeneratedFile(text: string): GeneratedFile {
  const file = GENERATED_FILES.find((name) => name === text.trim());
  if (file !== undefined) return file;
  throw new ConfigurationError(`--only "${text.trim()}" is not one of ${GENERATED_FILES.join(', ')}`);
}

/** @throws {ConfigurationError} when the text is no URL. `diff` reads a file in the same place, so people try it here */
function requireSiteUrl(text: string): void {
  if (!URL.canParse(text) && /\.(?:json|ya?ml)$/i.test(text))
    throw new ConfigurationError(`"${text}" is a file, not the URL of a site: write --from ${text}`);
  requireHttpUrl(text);
}

/** @throws {ConfigurationError} when the source is a URL and not a file */
function requireFile(path: string): void {
  if (!/^https?:\/\//i.test(path)) return;
  throw new ConfigurationError(
    `--from reads a file. Give the URL without it: waygate generate ${withoutCredentials(path)}`,
  );
}

function showPath(path: string, cwd: string): string {
  const shown = relative(cwd, path);
  return shown.startsWith('..') ? path : shown || '.';
}
