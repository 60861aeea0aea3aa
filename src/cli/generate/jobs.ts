import { basename, dirname, join, relative, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { getAdditions } from '../../base/document-extensions.ts';
import { ConfigurationError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, parseJson, toJsonObject } from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { DiscoveryFlags, GeneratedFile, GeneratedSite, GenerateFlags } from '../../base/option-types.ts';
import type { FilePrinter, GenerateOptions } from '../../generate.ts';
import { isComparable } from '../../generator/changes/compare-documents.ts';
import { withoutCredentials } from '../../generator/discovery/address.ts';
import type { DiscoveredSite, SiteAddress } from '../../generator/discovery/index.ts';
import type { AskedRoutes, EarlierAnswers } from '../../generator/discovery/route-options.ts';
import {
  type GenerationReport,
  hasPaths,
  isDocument,
  type OpenApiDocument,
} from '../../generator/openapi/index.ts';
import type { LoadedGenerateConfig } from '../config/generate-config.ts';
import { GENERATED_FILES } from '../config/schema.ts';
import { readStructuredFile } from '../config/structured-file.ts';
import { type CommandIo, requireHttpUrl, resolveDiscovery, withProgress } from '../io.ts';
import { readFileIfPresent, requireFileName, requireFolder } from '../output-files.ts';

/** Paths are relative to the user's folder. */
export interface GenerationJob
  extends Omit<GeneratedSite, 'authVariable' | 'exclude' | 'headers' | 'include' | 'namespaces' | 'options'>,
    DiscoveryFlags {
  readonly out: string;
  readonly env: CommandIo['env'];
}

type SiteFlags = DiscoveryFlags &
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

/** Number of routes from which memory matters more than the time of garbage collections. */
const LARGE_SITE = 1_000;

export interface JobResult {
  readonly job: GenerationJob;
  readonly name: string;
  readonly out: string;
  readonly document: OpenApiDocument;
  /** Absent if the source is a document, which was generated before. */
  readonly report: GenerationReport | undefined;
  readonly overlay: string | undefined;
  /** The document of an earlier run, if it can be compared. */
  readonly stored: JsonObject | undefined;
  /** Parts of the site without an answer for now, such as `/wp/v2/books returned 503`. */
  readonly unread: readonly string[];
  /** Whether these are the index, or more than a tenth of the resources. */
  readonly isMuchUnread: boolean;
  /** Whether the earlier document stays, because the index could not be read whole. */
  readonly isKept: boolean;
  readonly files: ReadonlyMap<string, FilePrinter>;
}

/** @param keepTexts whether to keep the stored title and description: a renamed site makes no file stale */
export async function runJob(job: GenerationJob, keepTexts: boolean, io: CommandIo): Promise<JobResult> {
  const cwd = io.cwd ?? process.cwd();
  const generator = await import('../../generate.ts');
  const content =
    job.document === undefined
      ? undefined
      : await readStructuredFile(resolve(cwd, job.document), '--document');
  const given = isJsonObject(content) && typeof content['openapi'] === 'string' ? content : undefined;
  const nameOf = ({ base }: SiteAddress): string => job.name ?? generator.defaultBaseName(base);
  const site = given === undefined ? await readSite(job, content, io, nameOf) : undefined;
  const { due = 0, unread = [] } = site?.asked ?? {};
  const unreadIndex = site?.schemasFailure;
  // By default a heap grows to four times its size between two collections.
  if ((site?.index.routes.length ?? 0) > LARGE_SITE) setFlagsFromString('--heap-growing-percent=70');
  const fileName = basename(job.document ?? '').replace(/(?:\.openapi)?(?:\.(?:json|ya?ml))?$/i, '');
  const name = site === undefined ? (job.name ?? fileName) : nameOf(site.address);
  const overlay = await findOverlay(job, name, cwd, given !== undefined);
  const options: GenerateOptions = omitUndefined({
    server: job.server,
    overlay: overlay?.content,
    extend: job.extend,
  });
  const { document, report, remarks } =
    site === undefined
      ? {
          ...generator.selectDocumentRoutes(
            await openDocument(given, options.overlay, job.document ?? ''),
            job,
          ),
          report: undefined,
        }
      : {
          ...generator.createSiteDocument(site, { ...options, include: job.include, exclude: job.exclude }),
          remarks: [],
        };
  const stored = await readStoredDocument(resolve(cwd, job.out, `${name}.openapi.json`));
  const isKept = unreadIndex !== undefined && stored !== undefined;
  const written = isKept
    ? stored
    : stored !== undefined && keepTexts
      ? keepInfoTexts(document, stored)
      : document;
  const files = generator.listFiles(written, report, name, job);
  const isReplaced = [...files.keys()].some(
    (file) => resolve(cwd, job.out, file) === resolve(cwd, job.document ?? ''),
  );
  // A part of a document must not replace the whole.
  if (given !== undefined && isReplaced)
    throw new ConfigurationError(
      `--document ${job.document} is also the file to write. Give another --name or --out.`,
    );
  for (const remark of remarks) io.writeErr(`waygate: --document ${job.document}: ${remark}\n`);
  return {
    ...{
      job,
      name,
      out: job.out,
      document: isKept ? stored : document,
      report,
      overlay: overlay?.path,
      stored,
      files,
    },
    unread: unreadIndex === undefined ? unread : [unreadIndex],
    isKept,
    isMuchUnread: unreadIndex !== undefined || unread.length * 10 > due,
  };
}

async function readSite(
  job: GenerationJob,
  content: unknown,
  io: CommandIo,
  nameOf: (address: SiteAddress) => string,
): Promise<DiscoveredSite & { readonly asked?: AskedRoutes }> {
  const { readRecordedSite } = await import('../../generator/discovery/index.ts');
  if (job.document !== undefined) {
    try {
      return readRecordedSite(content, { include: job.include, exclude: job.exclude, url: job.url });
    } catch (cause) {
      if (!(cause instanceof ConfigurationError)) throw cause;
      throw new ConfigurationError(`--document ${job.document}: ${cause.message}`, { cause });
    }
  }
  const options = resolveDiscovery(job, job);
  const url = requireHttpUrl(job.url ?? '');
  const { discoverWith } = await import('../../generator/discovery/discover.ts');
  const { readRouteAdditions } = await import('../../generator/discovery/route-options.ts');
  const recall = async ({
    address,
  }: {
    readonly address: SiteAddress;
  }): Promise<EarlierAnswers | undefined> => {
    const path = join(job.out, `${nameOf(address)}.openapi.json`);
    const stored = await readStoredDocument(resolve(io.cwd ?? process.cwd(), path));
    if (stored === undefined) return undefined;
    const additions = readRouteAdditions(getAdditions(stored));
    return { asked: { additions, settled: new Set() }, isCurrent: false };
  };
  return withProgress(io, (onProgress) => discoverWith(url, { ...options, onProgress }, recall));
}

async function openDocument(
  content: JsonObject | undefined,
  overlay: unknown,
  path: string,
): Promise<OpenApiDocument> {
  const { applyOverlay } = await import('../../generator/openapi/index.ts');
  if (content === undefined || !isDocument(content) || !content.openapi.startsWith('3.1')) {
    throw new ConfigurationError(
      `--document ${path} is not an OpenAPI 3.1 document. waygate generate writes such a document as <name>.openapi.json.`,
    );
  }
  return overlay === undefined ? content : applyOverlay(content, overlay).document;
}

/** Reads the given overlay, or the one in the output folder. A document as the source already contains its overlay. */
async function findOverlay(
  { out, overlay }: GenerationJob,
  name: string,
  cwd: string,
  isDocument: boolean,
): Promise<{ readonly path: string; readonly content: unknown } | undefined> {
  if (overlay === false || (overlay === undefined && isDocument)) return undefined;
  const path = overlay ?? join(out, `${name}.overlay.json`);
  const isPresent = overlay !== undefined || (await readFileIfPresent(resolve(cwd, path))) !== null;
  if (!isPresent) return undefined;
  return { path, content: await readStructuredFile(resolve(cwd, path), 'overlay') };
}

/** @returns `undefined` if the file is missing, or can't be compared */
async function readStoredDocument(path: string): Promise<OpenApiDocument | undefined> {
  const document = parseJson((await readFileIfPresent(path)) ?? '');
  return hasPaths(document) && isComparable(document) && isDocument(document) ? document : undefined;
}

function keepInfoTexts(document: OpenApiDocument, stored: JsonObject): OpenApiDocument {
  const storedInfo = stored['info'];
  if (!isJsonObject(storedInfo)) return document;
  const generated: JsonObject = document;
  const { title: _title, description: _description, ...rest } = toJsonObject(generated['info']);
  const { description, title } = storedInfo;
  const kept: JsonObject = {
    ...generated,
    info: {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...rest,
    },
  };
  return isDocument(kept) ? kept : document;
}
