import { LRUCache } from 'lru-cache';
import { isWeakMatch, parseEntityTags } from '../../../base/http/entity-tag.ts';
import type { IncomingRequestHead, RequestHead } from '../../../base/http/exchange.ts';
import { fieldValue, prefersHtml } from '../../../base/http/fields.ts';
import { getOrCreate } from '../../../base/memoize.ts';
import type { Documentation, DocumentationPage } from '../../../pages/docs/index.ts';
import type { DocsAssets, PackagedFile } from '../../../pages/ui/packaged-assets.ts';
import { listPreferredCodings } from '../../cache/compressor.ts';
import { PROBLEMS, type Problem, problemResponse, toErrorPage } from '../../exchange/problem.ts';
import type { AgentTarget, DocumentTarget, OwnAddresses } from '../../router/target.ts';
import { createRendition, type Rendition } from '../snapshot/document-representations.ts';
import type { SiteRuntime } from '../snapshot/site-runtime.ts';
import type { DocumentedApi, OwnTarget, Snapshot } from '../snapshot/snapshot.ts';

type DocumentsTarget = Exclude<OwnTarget, AgentTarget>;

interface DocumentedSite {
  readonly runtime: SiteRuntime;
  readonly settings: { readonly addresses: OwnAddresses };
  readBaseUrl(head: IncomingRequestHead): string;
}

export function createDocumentResponse(
  head: IncomingRequestHead,
  target: DocumentsTarget,
  snapshot: Snapshot,
  site: DocumentedSite,
  requestId: string,
): Response | Promise<Response> {
  const refuse = (problem: Problem): Response =>
    problemResponse(toErrorPage(problem, head, requestId), head.method);
  if (target.kind === 'refused') return refuse(target);
  if (target.kind === 'not-found') return refuse(PROBLEMS.noSuchPath);
  if (!isReadOfDocument(target, head)) return problemResponse(PROBLEMS.readOnly);
  switch (target.kind) {
    case 'document':
      return serveDocument(snapshot, target, head);
    case 'docs':
      return serveDocs(snapshot, target.path, head, site);
  }
}

export function isReadOfDocument({ kind }: DocumentsTarget, { method }: RequestHead): boolean {
  return kind !== 'refused' && kind !== 'not-found' && (method === 'GET' || method === 'HEAD');
}

export const NOT_READY = 'gateway_not_ready';

export function createNotReadyProblem({ failureSummary }: Pick<SiteRuntime, 'failureSummary'>): Problem {
  return {
    status: 503,
    code: NOT_READY,
    message:
      failureSummary === null
        ? 'The site has not been read yet. Try again in a moment.'
        : `The site cannot be served yet. ${failureSummary} Try again later.`,
    headers: { 'retry-after': '5' },
  };
}

async function serveDocument(
  { representations }: Snapshot,
  { isOtherVersion, namespaces }: DocumentTarget,
  head: RequestHead,
): Promise<Response> {
  if (representations === null) return problemResponse(PROBLEMS.noDocument);
  if (isOtherVersion) return problemResponse(PROBLEMS.noSuchVersion, head.method);
  const known = representations.namespaces;
  if (!namespaces.every((name) => known.includes(name)))
    return problemResponse(PROBLEMS.noSuchNamespace, head.method);
  const rendition = await representations.get(namespaces);
  if (rendition === null) return problemResponse(PROBLEMS.tooManyDocuments, head.method);
  return respondWithRendition(rendition, head, DOCUMENT_HEADERS);
}

const DOCUMENT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag',
};

const ASSETS_PREFIX = '/assets/';

const MAX_CACHED_BYTES = 8 * 1024 * 1024;

const CONTENT_TYPES: Readonly<Record<DocumentationPage['kind'], string>> = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json',
};

export const loadPackagedDocs = async (): Promise<DocsAssets> =>
  (await import('../../../pages/ui/packaged-assets.ts')).loadDocsAssets();

type RenderedPages = readonly [Documentation, LRUCache<string, Rendition>];

const pagesBySnapshot = new WeakMap<Snapshot, RenderedPages>();

async function getPages(snapshot: Snapshot, documented: DocumentedApi): Promise<RenderedPages> {
  const { Documentation } = await import('../../../pages/docs/index.ts');
  return getOrCreate(pagesBySnapshot, snapshot, () => [
    new Documentation({
      ...documented,
      findOperation(method, path) {
        const match = snapshot.matcher.match(method, path);
        return match.kind === 'found' && match.isCertain ? match.operation : undefined;
      },
    }),
    new LRUCache<string, Rendition>({
      maxSize: MAX_CACHED_BYTES,
      sizeCalculation: ({ body, gzip }) => body.byteLength + gzip.byteLength,
    }),
  ]);
}

async function serveDocs(
  snapshot: Snapshot,
  path: string,
  head: IncomingRequestHead,
  site: DocumentedSite,
): Promise<Response> {
  const assets = await loadPackagedDocs();
  if (path.startsWith(ASSETS_PREFIX)) {
    const found = assets.find(path.slice(ASSETS_PREFIX.length));
    if (found !== undefined) return respondWithAsset(found, head);
  }
  const { documented } = snapshot;
  if (documented === null) return problemResponse(PROBLEMS.noDocument, head.method);
  const [documentation, renditions] = await getPages(snapshot, documented);
  const { createDocsPageHeaders } = await import('../../../pages/ui/page.tsx');
  const baseUrl = site.readBaseUrl(head);
  const request = {
    path,
    addresses: site.settings.addresses,
    baseUrl,
    requestUrl: baseUrl + documented.routePrefix,
    assets,
  };
  const pageHeaders = createDocsPageHeaders(assets.scriptIntegrity);
  // Clients choose both. What programs read contains no URL of the gateway.
  const key = path.endsWith('.json') ? path : `${baseUrl}\n${path}`;
  let rendition = renditions.get(key);
  if (rendition === undefined) {
    const page = await documentation.render(request);
    if (page === undefined) {
      if (!prefersHtml(head.headers)) return problemResponse(PROBLEMS.noSuchPage, head.method);
      const text = await documentation.renderMissing(request);
      const headers = { ...pageHeaders, vary: 'Accept' };
      return new Response(head.method === 'HEAD' ? null : text, { status: 404, headers });
    }
    rendition = await createRendition(page.text, CONTENT_TYPES[page.kind]);
    renditions.set(key, rendition);
  }
  const isHtml = rendition.contentType === CONTENT_TYPES.html;
  return respondWithRendition(rendition, head, isHtml ? pageHeaders : TEXT_HEADERS);
}

const TEXT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
};

export function respondWithRendition(
  { body, contentType, etag, gzip }: Rendition,
  { headers: requestHeaders, method }: RequestHead,
  headers: Readonly<Record<string, string>>,
): Response {
  const isGzip = acceptsGzip(requestHeaders);
  // RFC 9110 §8.8.3.3: the bytes differ.
  const tag = isGzip ? `${etag.slice(0, -1)}-gzip"` : etag;
  const sent: Record<string, string> = { vary: 'Accept-Encoding', ...headers, etag: tag };
  const known = fieldValue(requestHeaders, 'if-none-match') ?? '';
  if (known.trim() === '*' || parseEntityTags(known).some((each) => isWeakMatch(each, tag))) {
    const { 'content-type': _, ...validators } = sent;
    return new Response(null, { status: 304, headers: validators });
  }
  sent['content-type'] = contentType;
  sent['content-length'] = String(isGzip ? gzip.byteLength : body.byteLength);
  if (isGzip) sent['content-encoding'] = 'gzip';
  return new Response(method === 'HEAD' ? null : isGzip ? gzip : body, { headers: sent });
}

const assets = new WeakMap<PackagedFile, Promise<Rendition>>();

const ASSET_HEADERS: Readonly<Record<string, string>> = {
  // RFC 8246
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
};

export async function respondWithAsset(asset: PackagedFile, head: RequestHead): Promise<Response> {
  const rendition = getOrCreate(assets, asset, () => createRendition(asset.text, asset.type));
  return respondWithRendition(await rendition, head, ASSET_HEADERS);
}

function acceptsGzip(headers: readonly string[]): boolean {
  return listPreferredCodings(fieldValue(headers, 'accept-encoding'), ['gzip']).length > 0;
}
