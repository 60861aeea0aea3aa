import { createResponseExamples } from '../example-values/response-examples.ts';
import type { JsonObject } from '../json.ts';
import { renderChangesPage } from './changes/changes-page.tsx';
import { renderChangesJson, renderChangesMarkdown } from './changes/changes-text.ts';
import type { SeenVersion } from './changes/seen-version.ts';
import { renderLlmsText, renderOverviewMarkdown } from './markdown/overview-markdown.ts';
import { renderPageMarkdown } from './markdown/resource-markdown.ts';
import { renderMissingPage } from './pages/missing-page.tsx';
import { type OperationPolicy, type PageAssets, type RenderContext, toRoot } from './pages/render-context.ts';
import { renderReferencePage } from './pages/render-page.tsx';
import type { ReferenceOperation } from './reference/document-operations.ts';
import { CHANGES_ADDRESS, createReference, type Reference } from './reference/reference.ts';
import { createSearchIndex } from './search/search-index.ts';
import { createRequestForms } from './try/create-forms.ts';

/** Options of {@link createDocumentation}. */
export interface DocumentationOptions {
  readonly document: JsonObject;
  readonly title: string;
  /** Replaces the addresses of the site in texts of the document. */
  readonly localize: (text: string) => string;
  /** Describes how the gateway handles an operation. */
  readonly describePolicies: (operation: ReferenceOperation) => readonly OperationPolicy[];
  /** The versions of the document that the gateway has seen, the latest first. */
  readonly listVersions: () => readonly SeenVersion[];
}

/** The addresses at which a page is requested. */
export interface PageRequestAddress {
  /** What follows `/docs` in the path, raw. */
  readonly path: string;
  /** URL of the mount, without a slash at its end. */
  readonly baseUrl: string;
  /** URL that the paths of operations follow. */
  readonly requestUrl: string;
}

/** A page of the documentation as text. */
export interface DocumentationPage {
  readonly kind: 'html' | 'markdown' | 'text' | 'json';
  readonly text: string;
}

/** The documentation of one document. */
export interface Documentation {
  /**
   * Returns what a page shows of the gateway's state, as a short text: a rendered page is current while the text is the same.
   * It is empty for pages that show none.
   */
  describeState(path: string): string;
  /** Renders the page at an address; resolves to `undefined` if there is none. */
  render(address: PageRequestAddress, assets: PageAssets): Promise<DocumentationPage | undefined>;
  /** Renders the page for people at an address that has none. */
  renderMissing(address: PageRequestAddress, assets: PageAssets): Promise<string>;
}

/** Creates the documentation of a document. The reference is created with the first page. */
export function createDocumentation(options: DocumentationOptions): Documentation {
  const { describePolicies, document, listVersions, localize, title } = options;
  let created: Reference | undefined;
  const getReference = (): Reference => {
    created ??= createReference(document, title);
    return created;
  };
  const responseExamples = createResponseExamples(document);
  const createContext = (
    { baseUrl, path, requestUrl }: PageRequestAddress,
    assets: PageAssets,
  ): RenderContext => ({
    reference: getReference(),
    source: { document, localize },
    responseExamples,
    assets,
    baseUrl,
    requestUrl,
    root: toRoot(path),
    describePolicies,
    listVersions,
  });
  return {
    describeState(path) {
      const page = getReference().find(toPageAddress(path));
      const policies = page?.operations.flatMap(describePolicies) ?? [];
      return policies.map(({ text }) => text).join('\n');
    },
    renderMissing: (address, assets) => renderMissingPage(createContext(address, assets)),
    async render(address, assets) {
      const { path } = address;
      const context = createContext(address, assets);
      const { reference } = context;
      if (path === '' || path === '/')
        return { kind: 'html', text: await renderReferencePage(context, undefined) };
      if (path === '.md') return { kind: 'markdown', text: renderOverviewMarkdown(context) };
      if (path === '/llms.txt') return { kind: 'text', text: renderLlmsText(context) };
      if (path === '/search.json')
        return { kind: 'json', text: await createSearchIndex(reference, document) };
      if (path === `/${CHANGES_ADDRESS}`) return { kind: 'html', text: await renderChangesPage(context) };
      if (path === `/${CHANGES_ADDRESS}.md`)
        return { kind: 'markdown', text: renderChangesMarkdown(context) };
      if (path === `/${CHANGES_ADDRESS}.json`) return { kind: 'json', text: renderChangesJson(context) };
      const form = reference.find(/^\/(.*)\.json$/.exec(path)?.[1] ?? '');
      if (form !== undefined) return { kind: 'json', text: createRequestForms(form, context.source) };
      const markdown = /^\/(.*)\.md$/.exec(path)?.[1];
      const page = reference.find(markdown ?? toPageAddress(path));
      if (page === undefined) return undefined;
      return markdown === undefined
        ? { kind: 'html', text: await renderReferencePage(context, page) }
        : { kind: 'markdown', text: renderPageMarkdown(context, page) };
    },
  };
}

function toPageAddress(path: string): string {
  return path.replace(/^\/|\/$/g, '');
}
