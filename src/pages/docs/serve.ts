import { LRUCache } from 'lru-cache';
import { createRendition, type Rendition, toRenditionReply, toResponse } from '../../base/http/rendition.ts';
import { getOrCreate } from '../../base/memoize.ts';
import { countOf, toMarkdownText, toPlainText } from '../../base/text.ts';
import type { DocsRequest } from '../../gateway/surfaces.ts';
import { createResponseExamples } from '../../generator/example-values/document-examples.ts';
import { createRequestForms } from '../../generator/reference/operation-samples.ts';
import {
  CHANGES_ADDRESS,
  createReference,
  GUIDE_ADDRESS,
  toAnchor,
} from '../../generator/reference/reference.ts';
import { createSearchIndex, type PageEntry } from '../../generator/reference/search-index.ts';
import { findAsset, loadDocsAssets, respondWithAsset } from '../ui/packaged-assets.ts';
import { createDocsPageHeaders, toRoot } from '../ui/page.tsx';
import { describeCodes, GUIDE } from './guide.ts';
import { CHANGES_TITLE, EXTRA_PAGES, type RenderContext } from './layout.tsx';
import {
  CREDENTIALS_LEAD,
  listDocuments,
  renderChangesPage,
  renderGuidePage,
  renderReferencePage,
} from './pages.tsx';

const ASSETS_PREFIX = '/assets/';

const MAX_CACHED_BYTES = 8 * 1024 * 1024;

const CONTENT_TYPES: Readonly<Record<DocumentationPage['kind'], string>> = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json',
};

/** What the pages of one document have in common. */
type Documentation = Pick<RenderContext, 'findOperation' | 'reference' | 'responseExamples' | 'source'>;

type RenderedPages = readonly [Documentation, LRUCache<string, Rendition>];

const pagesByDocument = new WeakMap<object, RenderedPages>();

export async function respondToDocs(request: DocsRequest): Promise<Response | null> {
  const { addresses, baseUrl, changes, documented, findOperation, head, path } = request;
  const assets = await loadDocsAssets();
  if (path.startsWith(ASSETS_PREFIX)) {
    const found = await findAsset(path.slice(ASSETS_PREFIX.length));
    if (found !== undefined) return respondWithAsset(found, head);
  }
  if (documented === null) return null;
  const { document, localize, routePrefix, title } = documented;
  const [documentation, renditions] = getOrCreate(pagesByDocument, documented, () => [
    {
      findOperation,
      reference: createReference(document, title),
      responseExamples: createResponseExamples(document),
      source: { document, localize },
    },
    new LRUCache<string, Rendition>({
      maxSize: MAX_CACHED_BYTES,
      sizeCalculation: ({ body, gzip }) => body.byteLength + gzip.byteLength,
    }),
  ]);
  const requestUrl = baseUrl + routePrefix;
  const pageHeaders = createDocsPageHeaders(assets.script.integrity);
  // Pages contain the URL that the client uses. JSON contains no URL of the gateway.
  const key = path.endsWith('.json') ? path : `${baseUrl}\n${changes[0]?.time}\n${path}`;
  let rendition = renditions.get(key);
  if (rendition === undefined) {
    const page = await renderDocs(documentation, { path, addresses, baseUrl, requestUrl, assets, changes });
    if (page === undefined) return null;
    rendition = await createRendition(page.text, CONTENT_TYPES[page.kind]);
    renditions.set(key, rendition);
  }
  const isHtml = rendition.contentType === CONTENT_TYPES.html;
  return toResponse(toRenditionReply(rendition, head, isHtml ? pageHeaders : TEXT_HEADERS), head.method);
}

const TEXT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
};

interface DocumentationPage {
  readonly kind: 'html' | 'markdown' | 'json';
  readonly text: string;
}

/** @param path what follows `/docs` */
async function renderDocs(
  documentation: Documentation,
  {
    path,
    ...request
  }: Pick<RenderContext, 'addresses' | 'baseUrl' | 'changes' | 'requestUrl' | 'assets'> & {
    readonly path: string;
  },
): Promise<DocumentationPage | undefined> {
  const { reference, source } = documentation;
  const docs = request.addresses.docs.slice(1);
  const root = toRoot(docs + path);
  const context: RenderContext = { ...documentation, ...request, root, docs: root + docs };
  switch (path) {
    case '':
    case '/':
      return { kind: 'html', text: await renderReferencePage(context, undefined) };
    case '.md':
      return { kind: 'markdown', text: renderOverviewMarkdown(context) };
    case `/${GUIDE_ADDRESS}`:
      return { kind: 'html', text: await renderGuidePage(context) };
    case `/${CHANGES_ADDRESS}`:
      return { kind: 'html', text: await renderChangesPage(context) };
    case '/search.json':
      return { kind: 'json', text: await renderSearchIndex(context) };
  }
  const form = reference.find(/^\/(.*)\.json$/.exec(path)?.[1] ?? '');
  if (form !== undefined) return { kind: 'json', text: createRequestForms(form, source) };
  const page = reference.find(path.replace(/^\/|\/$/g, ''));
  return page && { kind: 'html', text: await renderReferencePage(context, page) };
}

async function renderSearchIndex({ reference, source }: RenderContext): Promise<string> {
  const url = GUIDE_ADDRESS;
  const pages: readonly PageEntry[] = [
    { title: GUIDE.title, place: '', url, names: GUIDE.words },
    { title: CHANGES_TITLE, place: '', url: CHANGES_ADDRESS, names: 'changelog history diff breaking' },
    ...describeCodes(reference).flatMap(({ advice, codes: group, status }) =>
      group.map((code) => ({
        ...{ title: code, place: 'Errors', names: status, description: advice },
        url: `${url}#${toAnchor(code)}`,
      })),
    ),
  ];
  return JSON.stringify(await createSearchIndex(reference, source.document, pages));
}

/** The overview for programs: `/docs.md`. */
function renderOverviewMarkdown(context: RenderContext): string {
  const { addresses, baseUrl, reference, requestUrl, source } = context;
  const description = toMarkdownText(source.localize(toPlainText(reference.description)));
  const { extent, namespaces } = reference;
  const end = description === '' ? '' : /\p{P}$/u.test(description) ? ' ' : '. ';
  return `${[
    `# ${toMarkdownText(reference.title)}`,
    '',
    `> ${description}${end}REST interface with ${extent}.`,
    '',
    `Base URL: ${requestUrl}`,
    '',
    CREDENTIALS_LEAD,
    '',
    '## Documents',
    '',
    ...listDocuments(addresses, baseUrl).map(([title, url]) => `- [${title}](${url})`),
    ...EXTRA_PAGES.map(([title, address]) => `- [${title}](${baseUrl}${addresses.docs}/${address})`),
    '',
    '## Documents by namespace',
    '',
    ...namespaces
      .filter(({ namespace }) => namespace !== '')
      .map(({ namespace, operationCount: operations, title }) => {
        const url = `${baseUrl}${addresses.openapi}?${new URLSearchParams({ namespace })}`;
        return `- [${toMarkdownText(title)}](${url}): ${countOf(operations, 'operation')}`;
      }),
  ].join('\n')}\n`;
}
