import { basename, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { ConfigurationError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, parseJson, toJsonObject } from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { FilePrinter, GenerateOptions } from '../../generate.ts';
import { isComparable } from '../../generator/changes/compare-documents.ts';
import type { DiscoveredSite } from '../../generator/discovery/index.ts';
import {
  type GenerationReport,
  hasPaths,
  isDocument,
  type OpenApiDocument,
} from '../../generator/openapi/index.ts';
import { readStructuredFile } from '../config/structured-file.ts';
import { requireHttpUrl, resolveDiscovery } from '../flags.ts';
import { type CommandIo, withProgress } from '../io.ts';
import { readFileIfPresent } from '../output-files.ts';
import type { GenerationJob } from './jobs.ts';

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
  /** The document of an earlier run, if its texts are kept. */
  readonly stored: JsonObject | undefined;
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
  const site = given === undefined ? await readSite(job, content, io) : undefined;
  // By default a heap grows to four times its size between two collections.
  if ((site?.index.routes.length ?? 0) > LARGE_SITE) setFlagsFromString('--heap-growing-percent=70');
  const fileName = basename(job.document ?? '').replace(/(?:\.openapi)?(?:\.(?:json|ya?ml))?$/i, '');
  const name = job.name ?? (site === undefined ? fileName : generator.defaultBaseName(site.address.base));
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
  const stored = keepTexts
    ? await readStoredDocument(resolve(cwd, job.out, `${name}.openapi.json`))
    : undefined;
  const written = stored === undefined ? document : keepInfoTexts(document, stored);
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
  return { job, name, out: job.out, document, report, overlay: overlay?.path, stored, files };
}

async function readSite(job: GenerationJob, content: unknown, io: CommandIo): Promise<DiscoveredSite> {
  const { discover, readRecordedSite } = await import('../../generator/discovery/index.ts');
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
  return withProgress(io, (onProgress) => discover(url, { ...options, onProgress }));
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
async function readStoredDocument(path: string): Promise<JsonObject | undefined> {
  const document = parseJson((await readFileIfPresent(path)) ?? '');
  return hasPaths(document) && isComparable(document) ? document : undefined;
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
