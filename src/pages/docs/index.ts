import { ResponseExamples } from '../../generator/example-values/response-examples.ts';
import { createRequestForms } from '../../generator/reference/operation-samples.ts';
import {
  createReference,
  GUIDE_ADDRESS,
  type Reference,
  toAnchor,
} from '../../generator/reference/reference.ts';
import type { SchemaSource } from '../../generator/reference/schema-tree.ts';
import { createSearchIndex, type PageEntry } from '../../generator/reference/search-index.ts';
import { toRoot } from '../ui/page.tsx';
import { GUIDE, renderGuideMarkdown, writeGuide } from './guide.ts';
import type { RenderContext } from './layout.tsx';
import { renderOverviewMarkdown, renderPageMarkdown } from './markdown.ts';
import { renderGuidePage, renderMissingPage, renderReferencePage } from './pages.tsx';

type DocumentedSite = SchemaSource & Pick<RenderContext, 'findOperation'> & { readonly title: string };

type PageRequest = Pick<RenderContext, 'addresses' | 'baseUrl' | 'requestUrl' | 'assets'> & {
  readonly path: string;
};

export interface DocumentationPage {
  readonly kind: 'html' | 'markdown' | 'json';
  readonly text: string;
}

export class Documentation {
  readonly #options: Omit<DocumentedSite, keyof SchemaSource> & { readonly source: SchemaSource };
  readonly #responseExamples: RenderContext['responseExamples'];
  #reference: Reference | undefined;

  constructor({ document, localize, ...options }: DocumentedSite) {
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
    const { docs } = request.addresses;
    const root = toRoot(docs.slice(1) + path);
    return {
      ...this.#options,
      ...request,
      reference,
      responseExamples: this.#responseExamples,
      root,
      docs: root + docs.slice(1),
    };
  }

  renderMissing(request: PageRequest): Promise<string> {
    return renderMissingPage(this.#createContext(request));
  }

  async render(request: PageRequest): Promise<DocumentationPage | undefined> {
    const { path } = request;
    const context = this.#createContext(request);
    const { reference, source } = context;
    switch (path) {
      case '':
      case '/':
        return { kind: 'html', text: await renderReferencePage(context, undefined) };
      case '.md':
        return { kind: 'markdown', text: renderOverviewMarkdown(context) };
      case `/${GUIDE_ADDRESS}`:
        return { kind: 'html', text: await renderGuidePage(context) };
      case `/${GUIDE_ADDRESS}.md`:
        return { kind: 'markdown', text: renderGuideMarkdown(context) };
      case '/search.json':
        return { kind: 'json', text: await this.#renderSearchIndex(context) };
    }
    const form = reference.find(/^\/(.*)\.json$/.exec(path)?.[1] ?? '');
    if (form !== undefined) return { kind: 'json', text: createRequestForms(form, source) };
    const markdown = /^\/(.*)\.md$/.exec(path)?.[1];
    const page = reference.find(markdown ?? path.replace(/^\/|\/$/g, ''));
    if (page === undefined) return undefined;
    if (markdown === undefined) return { kind: 'html', text: await renderReferencePage(context, page) };
    return { kind: 'markdown', text: renderPageMarkdown(context, page) };
  }

  async #renderSearchIndex({ reference, source }: RenderContext): Promise<string> {
    const codes = writeGuide({ reference, source, requestUrl: '' }).flatMap((part) =>
      part.kind === 'codes' ? part.codes : [],
    );
    const url = GUIDE_ADDRESS;
    const pages: readonly PageEntry[] = [
      { title: GUIDE.title, place: '', url, names: GUIDE.words },
      ...codes.map(({ advice, code, status }) => ({
        ...{ title: code, place: 'Errors', names: status, description: advice },
        url: `${url}#${toAnchor(code)}`,
      })),
    ];
    return JSON.stringify(await createSearchIndex(reference, source.document, pages));
  }
}
