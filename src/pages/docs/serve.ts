import { LRUCache } from 'lru-cache';
import type { RequestHead } from '../../base/http/exchange.ts';
import { prefersHtml } from '../../base/http/fields.ts';
import { createRendition, type Rendition, respondWithRendition } from '../../base/http/rendition.ts';
import { getOrCreate } from '../../base/memoize.ts';
import type { DocsRequest, SiteSummary } from '../../gateway/surfaces.ts';
import { findAsset, loadDocsAssets, respondWithAsset } from '../ui/packaged-assets.ts';
import { createDocsPageHeaders } from '../ui/page.tsx';
import { Documentation, type DocumentationPage } from './index.ts';
import { renderSitesPage } from './pages.tsx';

const ASSETS_PREFIX = '/assets/';

const MAX_CACHED_BYTES = 8 * 1024 * 1024;

const CONTENT_TYPES: Readonly<Record<DocumentationPage['kind'], string>> = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json',
};

type RenderedPages = readonly [Documentation, LRUCache<string, Rendition>];

const pagesByDocument = new WeakMap<object, RenderedPages>();

export async function respondToDocs(request: DocsRequest): Promise<Response | null> {
  const { addresses, baseUrl, documented, findOperation, head, path } = request;
  const assets = await loadDocsAssets();
  if (path.startsWith(ASSETS_PREFIX)) {
    const found = await findAsset(path.slice(ASSETS_PREFIX.length));
    if (found !== undefined) return respondWithAsset(found, head);
  }
  if (documented === null) return null;
  const [documentation, renditions] = getOrCreate(pagesByDocument, documented, () => [
    new Documentation({ ...documented, findOperation }),
    new LRUCache<string, Rendition>({
      maxSize: MAX_CACHED_BYTES,
      sizeCalculation: ({ body, gzip }) => body.byteLength + gzip.byteLength,
    }),
  ]);
  const pageRequest = { path, addresses, baseUrl, requestUrl: baseUrl + documented.routePrefix, assets };
  const pageHeaders = createDocsPageHeaders(assets.script.integrity);
  // Clients choose both. What programs read contains no URL of the gateway.
  const key = path.endsWith('.json') ? path : `${baseUrl}\n${path}`;
  let rendition = renditions.get(key);
  if (rendition === undefined) {
    const page = await documentation.render(pageRequest);
    if (page === undefined) {
      if (!prefersHtml(head.headers)) return null;
      const text = await documentation.renderMissing(pageRequest);
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

export async function listSites(sites: readonly SiteSummary[], head: RequestHead): Promise<Response> {
  if (!prefersHtml(head.headers)) {
    const text = JSON.stringify({ sites: sites.map(toListing) });
    return respondWithRendition(await createRendition(text, CONTENT_TYPES.json), head, VARYING);
  }
  const assets = await loadDocsAssets();
  const page = await createRendition(await renderSitesPage(sites, assets), CONTENT_TYPES.html);
  return respondWithRendition(page, head, { ...createDocsPageHeaders(assets.script.integrity), ...VARYING });
}

const VARYING: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  vary: 'Accept, Accept-Encoding',
  'x-content-type-options': 'nosniff',
};

function toListing({ addresses, isDocumented, name, title }: SiteSummary): object {
  const url = `./${name}`;
  const links = { docs: url + addresses.docs, document: url + addresses.openapi };
  return { name, title, url: `${url}/`, ...(isDocumented ? links : {}) };
}
