import { ResponseExamples } from '../example-values/response-examples.ts';
import { toRoot } from '../ui/page.tsx';
import { renderChangesJson, renderChangesMarkdown } from './changes.tsx';
import { GuidedSite, listGuides, renderGuideMarkdown } from './guides.ts';
import type { RenderContext } from './layout.tsx';
import { renderLlmsText, renderOverviewMarkdown, renderPageMarkdown } from './markdown.ts';
import { createRequestForms } from './operation-samples.ts';
import { renderChangesPage, renderGuidePage, renderMissingPage, renderReferencePage } from './pages.tsx';
import { CHANGES_ADDRESS, createReference, type Reference } from './reference.ts';
import type { SchemaSource } from './schema-tree.ts';
import { createSearchIndex } from './search-index.ts';

/** What pages show of the gateway's state. */
export type GatewayState = Pick<RenderContext, 'describePolicies' | 'listErrorsInTraffic' | 'listVersions'>;

/** A request for a page. `path` is what follows `/docs` in its path, raw. */
type PageRequest = Pick<RenderContext, 'baseUrl' | 'requestUrl' | 'assets'> & { readonly path: string };

export interface DocumentationPage {
  readonly kind: 'html' | 'markdown' | 'text' | 'json';
  readonly text: string;
}

/** The documentation of one document. The reference is created with the first page. */
export class Documentation {
  readonly #options: GatewayState & { readonly source: SchemaSource; readonly title: string };
  readonly #responseExamples: RenderContext['responseExamples'];
  #reference: Reference | undefined;
  #guides: RenderContext['guides'] | undefined;

  constructor({ document, localize, ...options }: GatewayState & SchemaSource & { readonly title: string }) {
    this.#options = { ...options, source: { document, localize } };
    this.#responseExamples = new ResponseExamples(document);
  }

  #getReference(): Reference {
    const { source, title } = this.#options;
    this.#reference ??= createReference(source.document, title);
    return this.#reference;
  }

  #createContext({ path, ...request }: PageRequest): RenderContext {
    const reference = this.#getReference();
    const { source } = this.#options;
    this.#guides ??= listGuides(new GuidedSite({ reference, source, requestUrl: request.requestUrl }));
    return {
      ...this.#options,
      ...request,
      reference,
      guides: this.#guides,
      responseExamples: this.#responseExamples,
      root: toRoot(path),
    };
  }

  /**
   * Returns what a page shows of the gateway's state, as a short text: a rendered page is current while the text is the same.
   * It is empty for pages that show none.
   */
  describeState(path: string): string {
    const { operations = [] } = this.#getReference().find(toPageAddress(path.replace(/\.md$/, ''))) ?? {};
    const policies = operations.flatMap(this.#options.describePolicies);
    const errors = operations.flatMap(this.#options.listErrorsInTraffic);
    return [
      ...policies.map(({ text }) => text),
      ...errors.map(({ code, status }) => `${status} ${code}`),
    ].join('\n');
  }

  /** Renders the page for people at an address that has none. */
  renderMissing(request: PageRequest): Promise<string> {
    return renderMissingPage(this.#createContext(request));
  }

  /** Renders the page at an address; resolves to `undefined` if there is none. */
  async render(request: PageRequest): Promise<DocumentationPage | undefined> {
    const { path } = request;
    const context = this.#createContext(request);
    const { listVersions, reference, source } = context;
    const log = { versions: listVersions(), localize: source.localize };
    switch (path) {
      case '':
      case '/':
        return { kind: 'html', text: await renderReferencePage(context, undefined) };
      case '.md':
        return { kind: 'markdown', text: renderOverviewMarkdown(context) };
      case '/llms.txt':
        return { kind: 'text', text: renderLlmsText(context) };
      case '/search.json':
        return { kind: 'json', text: await createSearchIndex(context) };
      case `/${CHANGES_ADDRESS}`:
        return { kind: 'html', text: await renderChangesPage(context) };
      case `/${CHANGES_ADDRESS}.md`:
        return { kind: 'markdown', text: renderChangesMarkdown(reference.title, log) };
      case `/${CHANGES_ADDRESS}.json`:
        return { kind: 'json', text: renderChangesJson(log) };
    }
    const guide = context.guides.find(({ address }) => path === `/${address}` || path === `/${address}.md`);
    if (guide !== undefined) {
      return path.endsWith('.md')
        ? { kind: 'markdown', text: renderGuideMarkdown(guide, new GuidedSite(context), context.baseUrl) }
        : { kind: 'html', text: await renderGuidePage(context, guide) };
    }
    const form = reference.find(/^\/(.*)\.json$/.exec(path)?.[1] ?? '');
    if (form !== undefined) return { kind: 'json', text: createRequestForms(form, source) };
    const markdown = /^\/(.*)\.md$/.exec(path)?.[1];
    const page = reference.find(markdown ?? toPageAddress(path));
    if (page === undefined) return undefined;
    return markdown === undefined
      ? { kind: 'html', text: await renderReferencePage(context, page) }
      : { kind: 'markdown', text: renderPageMarkdown(context, page) };
  }
}

function toPageAddress(path: string): string {
  return path.replace(/^\/|\/$/g, '');
}
