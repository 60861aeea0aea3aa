import { LRUCache } from 'lru-cache';
import type { SeenVersion } from '../../docs/changes/seen-version.ts';
import { ASSET_CACHE_CONTROL, DOCS_CODINGS, type DocsAssets } from '../../docs/docs-assets.ts';
import {
  createDocumentation,
  type Documentation,
  type DocumentationPage,
  type PageRequestAddress,
} from '../../docs/index.ts';
import { createDocsPageHeaders } from '../../docs/page-headers.ts';
import type { OperationPolicy } from '../../docs/pages/render-context.ts';
import type { ReferenceOperation } from '../../docs/reference/document-operations.ts';
import type { RequestHead } from '../../http/request-head.ts';
import type { DocsTarget } from '../../router/target.ts';
import { type Problem, problemResponse } from '../exchange/problem.ts';
import type { DocsAssetsLoader } from '../options/gateway-options.ts';
import { createRendition, type Rendition } from '../snapshot/rendition.ts';
import type { DocumentedApi, Snapshot } from '../snapshot/snapshot.ts';
import { acceptsCoding, matchesIfNoneMatch, prefersHtml } from './negotiation.ts';

/** Loads the files that the package contains, on platforms that have `node:fs`. */
export const loadPackagedDocs: DocsAssetsLoader = async () =>
  (await import('../../docs/packaged-assets.ts')).loadDocsAssets();

/** Options of {@link createDocsServer}. */
export interface DocsServerOptions {
  readonly loadDocs: DocsAssetsLoader;
  /** The versions of the document that the gateway has seen, the latest first. */
  readonly listVersions: () => readonly SeenVersion[];
  /** Describes how the gateway handles an operation. */
  readonly describePolicies: (operation: ReferenceOperation) => readonly OperationPolicy[];
}

/** Serves the documentation of one site. */
export interface DocsServer {
  /** @param baseUrl URL of the mount as the client sees it, without a slash at its end */
  respond(snapshot: Snapshot, target: DocsTarget, head: RequestHead, baseUrl: string): Promise<Response>;
}

const ASSETS_PREFIX = '/assets/';

/** Maximum bytes of rendered pages that are kept per snapshot. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024;

const CONTENT_TYPES: Readonly<Record<DocumentationPage['kind'], string>> = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  json: 'application/json',
};

/** Creates the server of one site's documentation. Pages are rendered on request and kept with their snapshot. */
export function createDocsServer({
  describePolicies,
  listVersions,
  loadDocs,
}: DocsServerOptions): DocsServer {
  const bySnapshot = new WeakMap<Snapshot, RenderedPages>();

  function getPages(snapshot: Snapshot, documented: DocumentedApi): RenderedPages {
    let pages = bySnapshot.get(snapshot);
    if (pages === undefined) {
      pages = createRenderedPages(
        createDocumentation({ ...documented, describePolicies, listVersions }),
        documented,
      );
      bySnapshot.set(snapshot, pages);
    }
    return pages;
  }

  return {
    async respond(snapshot, { path }, head, baseUrl) {
      const assets = await loadDocs();
      if (path.startsWith(ASSETS_PREFIX)) {
        const found = assets.find(path.slice(ASSETS_PREFIX.length));
        if (found !== undefined) return respondWithAsset(found, head);
      }
      const { documented } = snapshot;
      if (documented === null) return problemResponse(NO_DOCUMENTATION, head.method);
      const pages = getPages(snapshot, documented);
      const rendition = await pages.get(path, baseUrl, assets);
      if (rendition === undefined) {
        if (!prefersHtml(head.headers)) return problemResponse(NO_SUCH_PAGE, head.method);
        const text = await pages.renderMissing(path, baseUrl, assets);
        const headers = { ...createDocsPageHeaders(assets.scriptIntegrity), vary: 'Accept' };
        return new Response(head.method === 'HEAD' ? null : text, { status: 404, headers });
      }
      const headers =
        rendition.contentType === CONTENT_TYPES.html
          ? createDocsPageHeaders(assets.scriptIntegrity)
          : TEXT_HEADERS;
      return respondWithRendition(rendition, head, headers);
    },
  };
}

const TEXT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
};

interface RenderedPages {
  get(path: string, baseUrl: string, assets: DocsAssets): Promise<Rendition | undefined>;
  /** Renders the page at an address that has none. It is not kept. */
  renderMissing(path: string, baseUrl: string, assets: DocsAssets): Promise<string>;
}

function createRenderedPages(documentation: Documentation, { routePrefix }: DocumentedApi): RenderedPages {
  const cache = new LRUCache<string, Rendition>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ body, gzip }) => body.byteLength + gzip.byteLength,
  });
  const toAddress = (path: string, baseUrl: string): PageRequestAddress => ({
    path,
    baseUrl,
    requestUrl: baseUrl + routePrefix,
  });
  return {
    renderMissing: (path, baseUrl, assets) => documentation.renderMissing(toAddress(path, baseUrl), assets),
    async get(path, baseUrl, assets) {
      // The client chooses both, so the number of keys is unbounded; pages that do not exist are not kept.
      // What programs read contains no URL of the gateway, and the index of the search is costly.
      const key = path.endsWith('.json') ? path : `${baseUrl}\n${path}\n${documentation.describeState(path)}`;
      const known = cache.get(key);
      if (known !== undefined) return known;
      const page = await documentation.render(toAddress(path, baseUrl), assets);
      if (page === undefined) return undefined;
      const rendition = await createRendition(page.text, CONTENT_TYPES[page.kind]);
      cache.set(key, rendition);
      return rendition;
    },
  };
}

/** Responds with a text that was rendered before: not at all if the client has it, compressed if the client accepts it. */
export function respondWithRendition(
  { body, contentType, etag, gzip }: Rendition,
  { headers: requestHeaders, method }: RequestHead,
  headers: Readonly<Record<string, string>>,
): Response {
  const isGzip = acceptsCoding(requestHeaders, 'gzip');
  // Each coding has its own tag (RFC 9110 §8.8.3.3), as the bytes differ.
  const tag = isGzip ? `${etag.slice(0, -1)}-gzip"` : etag;
  const sent: Record<string, string> = { vary: 'Accept-Encoding', ...headers, etag: tag };
  if (matchesIfNoneMatch(requestHeaders, tag)) {
    const { 'content-type': _, ...validators } = sent;
    return new Response(null, { status: 304, headers: validators });
  }
  sent['content-type'] = contentType;
  sent['content-length'] = String(isGzip ? gzip.byteLength : body.byteLength);
  if (isGzip) sent['content-encoding'] = 'gzip';
  return new Response(method === 'HEAD' ? null : isGzip ? gzip : body, { headers: sent });
}

/** Responds with a file of the pages, in the smallest coding that the client accepts. */
export async function respondWithAsset(
  asset: NonNullable<ReturnType<DocsAssets['find']>>,
  { headers: requestHeaders, method }: RequestHead,
): Promise<Response> {
  const coding =
    DOCS_CODINGS.find((name) => name === 'identity' || acceptsCoding(requestHeaders, name)) ?? 'identity';
  const bytes = await asset.read(coding);
  const headers: Record<string, string> = {
    'content-type': asset.contentType,
    'content-length': String(bytes.byteLength),
    'cache-control': ASSET_CACHE_CONTROL,
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  };
  if (coding !== 'identity') headers['content-encoding'] = coding;
  return new Response(method === 'HEAD' ? null : bytes, { headers });
}

const NO_SUCH_PAGE: Problem = {
  status: 404,
  code: 'gateway_not_found',
  message: 'The documentation has no such page. /docs, below the mount of the site, lists all pages.',
};

const NO_DOCUMENTATION: Problem = {
  status: 404,
  code: 'gateway_no_document',
  message: 'Discovery is off for this site, so it has no documentation.',
};
