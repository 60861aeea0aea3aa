import type { RequestHead } from '../../base/http/exchange.ts';
import { prefersHtml } from '../../base/http/fields.ts';
import type { SiteSummary } from './pages.tsx';
import { PROBLEMS, problemResponse } from '../../gateway/exchange/problem.ts';
import { loadPackagedDocs, respondWithRendition } from '../../gateway/site/documents/documents.ts';
import type { MountedSite } from '../../gateway/site/mounted-site.ts';
import { createRendition } from '../../gateway/site/snapshot/document-representations.ts';

/** Responds as HTML or JSON if no site is mounted at `/`. */
export async function serveSites(sites: readonly MountedSite[], head: RequestHead): Promise<Response> {
  if (head.method !== 'GET' && head.method !== 'HEAD') return problemResponse(PROBLEMS.readOnly);
  const summaries = sites.map(summarize);
  if (!prefersHtml(head.headers)) {
    const text = JSON.stringify({ sites: summaries.map(toListing) });
    return respondWithRendition(await createRendition(text, 'application/json'), head, VARYING);
  }
  const assets = await loadPackagedDocs();
  const { renderSitesPage } = await import('./pages.tsx');
  const { createDocsPageHeaders } = await import('../ui/page.tsx');
  const page = await createRendition(await renderSitesPage(summaries, assets), 'text/html; charset=utf-8');
  return respondWithRendition(page, head, { ...createDocsPageHeaders(assets.scriptIntegrity), ...VARYING });
}

const VARYING: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  vary: 'Accept, Accept-Encoding',
  'x-content-type-options': 'nosniff',
};

function summarize({ runtime, settings }: MountedSite): SiteSummary {
  const { addresses, name } = settings;
  const documented = runtime.snapshot?.documented ?? null;
  return { addresses, name, title: documented?.title ?? name, isDocumented: documented !== null };
}

function toListing({ addresses, isDocumented, name, title }: SiteSummary): object {
  const url = `../../gateway/${name}`;
  const links = { docs: url + addresses.docs, document: url + addresses.openapi };
  return { name, title, url: `${url}/`, ...(isDocumented ? links : {}) };
}
