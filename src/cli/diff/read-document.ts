import type { DiffFlags } from '../../../generated/option-types.d.ts';
import { readLimitedBody } from '../../discovery/client.ts';
import { withoutCredentials } from '../../discovery/redact.ts';
import { getSiteBase } from '../../document-extensions.ts';
import { ConfigurationError, DiscoveryError, messageOf } from '../../errors.ts';
import { selectDocumentRoutes } from '../../generate.ts';
import { isJsonObject, parseJsonBytes } from '../../json.ts';
import { isDocument, type OpenApiDocument } from '../../openapi/index.ts';
import { resolveDiscovery, selectRoutes } from '../flags.ts';
import { resolveJobs } from '../generate/jobs.ts';
import { runJob } from '../generate/run-job.ts';
import type { CommandIo } from '../io.ts';

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/**
 * Reads the document of a file, of a URL that ends in `.json`, of a running gateway, or of a site, as `waygate generate` reads it.
 *
 * @throws {ConfigurationError} when a file is neither an OpenAPI 3.1 document nor a recorded index
 * @throws {DiscoveryError} when the URL cannot be read
 */
export async function readDocument(
  source: string,
  flags: DiffFlags,
  io: CommandIo,
): Promise<OpenApiDocument> {
  if (!isUrl(source)) return generateDocument(undefined, { ...flags, from: source }, io);
  const { pathname, search } = new URL(source);
  const isNamed = pathname.endsWith('.json');
  const url = new URL(withoutCredentials(source));
  url.pathname = isNamed ? pathname : `${pathname.replace(/\/$/, '')}/openapi.json`;
  url.search = isNamed ? search : '';
  const document = await requestDocument(url, flags, io);
  if (isNamed && typeof document === 'string') {
    throw new DiscoveryError(`cannot read ${url.href}: ${document}`, { reason: 'unreachable' });
  }
  // A site may have a document of something else there.
  if (typeof document === 'string' || !(isNamed || getSiteBase(document) !== undefined)) {
    return generateDocument(source, flags, io);
  }
  return selectDocumentRoutes(document, selectRoutes(flags)).document;
}

async function generateDocument(
  url: string | undefined,
  { format: _, ...flags }: DiffFlags & { readonly from?: string },
  io: CommandIo,
): Promise<OpenApiDocument> {
  try {
    const [job] = await resolveJobs(url, { ...flags, overlay: false }, io);
    if (job === undefined) throw new ConfigurationError('no document is named');
    return (await runJob(job, { keepTexts: false }, io)).document;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(error.message.replace(/^--from /, ''), { cause: error });
  }
}

/** Milliseconds. */
const TIMEOUT = 30_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Requests a document, without credentials. @returns the reason if there is none */
async function requestDocument(url: URL, flags: DiffFlags, io: CommandIo): Promise<OpenApiDocument | string> {
  const { options } = await resolveDiscovery(url.href, flags, io);
  const { fetch = globalThis.fetch, maxBytes = MAX_BYTES, timeout = TIMEOUT } = options;
  const signal = AbortSignal.timeout(Math.min(timeout, TIMEOUT));
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' }, signal });
    const read = await readLimitedBody(response, { maxBytes, truncate: false }, signal);
    if (!response.ok) return `status ${response.status}`;
    const document = read.kind === 'too-large' ? undefined : parseJsonBytes(read.bytes);
    return isJsonObject(document) && isDocument(document) && document.openapi.startsWith('3.1')
      ? document
      : 'it is not an OpenAPI 3.1 document';
  } catch (error) {
    return messageOf(error);
  }
}
