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

/** Paths are relative to the user's folder. */
export interface GenerationJob
  extends Omit<GeneratedSite, 'authVariable' | 'exclude' | 'headers' | 'include' | 'namespaces' | 'options'>,
    DiscoveryFlags {
  readonly out: string;
  readonly env: CommandIo['env'];
}

export type SiteFlags = DiscoveryFlags &
  Partial<Omit<GenerateFlags, keyof DiscoveryFlags>> & {
    /** `false` for `diff`, which compares what the site states. */
    readonly overlay?: false;
  };

export async function resolveJobs(
  url: string | undefined,
  flags: SiteFlags,
  io: Pick<CommandIo, 'cwd' | 'env'>,
): Promise<readonly GenerationJob[]> {
  const cwd = io.cwd ?? process.cwd();
  if (url !== undefined || flags.document !== undefined) {
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
  { config, file }: LoadedGenerateConfig,
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
    return createJob(site, flags, credentialsOf(site, isSingle, env, place), file, cwd);
  });
}

/** With several sites, each names its own variable, so that no site gets another site's credentials. */
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

/** @param file configuration file, in whose folder the site's paths are; `undefined` for the command line */
function createJob(
  { authVariable: _, document, headers = {}, out = '.', overlay: path, ...site }: GeneratedSite,
  { config, exclude, header, include, namespaces, only = [], options, overlay, ...given }: SiteFlags,
  env: CommandIo['env'],
  file: string | undefined,
  cwd: string,
): GenerationJob {
  const folder = file === undefined ? cwd : dirname(file);
  const show = (path: string): string => showPath(resolve(folder, path), cwd);
  const job = {
    ...site,
    document: document && show(document),
    out: show(out),
    // A path of the command line is shown as the user wrote it.
    ...omitUndefined(given),
    overlay: overlay ?? (path && show(path)),
    include: include.length > 0 ? include : (site.include ?? []),
    exclude: exclude.length > 0 ? exclude : (site.exclude ?? []),
    namespaces: namespaces.length > 0 ? namespaces : (site.namespaces ?? []),
    options: options === false ? false : (site.options ?? true),
    header: [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), ...header],
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
  ['document', requireFile],
  ['name', requireFileName],
  ['out', requireFolder],
] as const;

function requireGeneratedFile(text: string): GeneratedFile {
  const file = GENERATED_FILES.find((name) => name === text.trim());
  if (file !== undefined) return file;
  throw new ConfigurationError(`--only "${text.trim()}" is not one of ${GENERATED_FILES.join(', ')}`);
}

/** People give a file in place of the URL, because `diff` takes both. */
function requireSiteUrl(text: string): void {
  if (!URL.canParse(text) && /\.(?:json|ya?ml)$/i.test(text))
    throw new ConfigurationError(`"${text}" is a file, not the URL of a site: write --document ${text}`);
  requireHttpUrl(text);
}

function requireFile(path: string): void {
  if (!/^https?:\/\//i.test(path)) return;
  throw new ConfigurationError(
    `--document reads a file. Give the URL without it: waygate generate ${withoutCredentials(path)}`,
  );
}

function showPath(path: string, cwd: string): string {
  const shown = relative(cwd, path);
  return shown.startsWith('..') ? path : shown || '.';
}
