import { createResponseExamples } from '../example-values/response-examples.ts';
import type { JsonObject } from '../json.ts';
import { toRoot } from '../ui/page.tsx';
import { renderChangesJson, renderChangesMarkdown, type SeenVersion } from './changes.tsx';
import { createRequestForms } from './create-forms.ts';
import type { OperationPolicy, PageAssets, RenderContext } from './layout.tsx';
import { renderLlmsText, renderOverviewMarkdown, renderPageMarkdown } from './markdown.ts';
import type { ReferenceOperation } from './operations.ts';
import { renderChangesPage, renderMissingPage, renderReferencePage } from './pages.tsx';
import { CHANGES_ADDRESS, createReference, type Reference } from './reference.ts';
import { createSearchIndex } from './search-index.ts';

/** What a documentation is made from. */
interface DocumentationOptions {
  readonly document: JsonObject;
  readonly title: string;
  /** Replaces the addresses of the site in texts of the document. */
  readonly localize: (text: string) => string;
  /** Describes how the gateway handles an operation. */
  readonly describePolicies: (operation: ReferenceOperation) => readonly OperationPolicy[];
  /** The versions of the document that the gateway has seen, the latest first. */
  readonly listVersions: () => readonly SeenVersion[];
}

interface PageRequestAddress {
  /** What follows `/docs` in the path, raw. */
  readonly path: string;
  /** URL of the mount, without a slash at its end. */
  readonly baseUrl: string;
  /** URL that the paths of operations follow. */
  readonly requestUrl: string;
}

export interface DocumentationPage {
  readonly kind: 'html' | 'markdown' | 'text' | 'json';
  readonly text: string;
}

/** The documentation of one document. The reference is created with the first page. */
export class Documentation {
  readonly #options: DocumentationOptions;
  readonly #responseExamples: RenderContext['responseExamples'];
  #reference: Reference | undefined;

  constructor(options: DocumentationOptions) {
    this.#options = options;
    this.#responseExamples = createResponseExamples(options.document);
  }

  #getReference(): Reference {
    this.#reference ??= createReference(this.#options.document, this.#options.title);
    return this.#reference;
  }

  #createContext({ baseUrl, path, requestUrl }: PageRequestAddress, assets: PageAssets): RenderContext {
    const { describePolicies, document, listVersions, localize } = this.#options;
    return {
      reference: this.#getReference(),
      source: { document, localize },
      responseExamples: this.#responseExamples,
      assets,
      baseUrl,
      requestUrl,
      root: toRoot(path),
      describePolicies,
      listVersions,
    };
  }

  /**
   * Returns what a page shows of the gateway's state, as a short text: a rendered page is current while the text is the same.
   * It is empty for pages that show none.
   */
  describeState(path: string): string {
    const page = this.#getReference().find(toPageAddress(path));
    const policies = page?.operations.flatMap(this.#options.describePolicies) ?? [];
    return policies.map(({ text }) => text).join('\n');
  }

  /** Renders the page for people at an address that has none. */
  renderMissing(address: PageRequestAddress, assets: PageAssets): Promise<string> {
    return renderMissingPage(this.#createContext(address, assets));
  }

  /** Renders the page at an address; resolves to `undefined` if there is none. */
  async render(address: PageRequestAddress, assets: PageAssets): Promise<DocumentationPage | undefined> {
    const { path } = address;
    const context = this.#createContext(address, assets);
    const { reference, source } = context;
    const log = { versions: this.#options.listVersions(), localize: source.localize };
    switch (path) {
      case '':
      case '/':
        return { kind: 'html', text: await renderReferencePage(context, undefined) };
      case '.md':
        return { kind: 'markdown', text: renderOverviewMarkdown(context) };
      case '/llms.txt':
        return { kind: 'text', text: renderLlmsText(context) };
      case '/search.json':
        return { kind: 'json', text: await createSearchIndex(reference, source.document) };
      case `/${CHANGES_ADDRESS}`:
        return { kind: 'html', text: await renderChangesPage(context) };
      case `/${CHANGES_ADDRESS}.md`:
        return { kind: 'markdown', text: renderChangesMarkdown(reference.title, log) };
      case `/${CHANGES_ADDRESS}.json`:
        return { kind: 'json', text: renderChangesJson(log) };
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
