import MiniSearch from 'minisearch';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonMembers,
  jsonTexts,
  memberAt,
  toJsonObject,
} from '../../base/json.ts';
import { ResponseExamples } from '../../generator/example-values/response-examples.ts';
import { dereference } from '../../generator/openapi/document-references.ts';
import { toRoot } from '../ui/page.tsx';
import { shorten, toPlainText } from '../../base/text.ts';
import { GUIDE, renderGuideMarkdown, writeGuide } from './guide.ts';
import type { RenderContext } from './layout.tsx';
import { renderOverviewMarkdown, renderPageMarkdown } from './markdown.ts';
import { createRequestForms } from '../../generator/reference/operation-samples.ts';
import { renderGuidePage, renderMissingPage, renderReferencePage } from './pages.tsx';
import {
  type AnchoredOperation,
  createReference,
  GUIDE_ADDRESS,
  type Reference,
  type ReferencePage,
  toAnchor,
} from '../../generator/reference/reference.ts';
import type { SchemaSource } from '../../generator/reference/schema-tree.ts';
import { SEARCH_OPTIONS, type SearchEntry, toWord } from '../../generator/reference/search.ts';

type DocumentedSite = SchemaSource & Pick<RenderContext, 'findOperation'> & { readonly title: string };

/** A request for a page. `path` is what follows the address of the overview, raw. */
type PageRequest = Pick<RenderContext, 'addresses' | 'baseUrl' | 'requestUrl' | 'assets'> & {
  readonly path: string;
};

export interface DocumentationPage {
  readonly kind: 'html' | 'markdown' | 'json';
  readonly text: string;
}

/** The documentation of one document. The reference is created with the first page. */
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
        return { kind: 'json', text: JSON.stringify(await createSearchIndex(context)) };
    }
    const form = reference.find(/^\/(.*)\.json$/.exec(path)?.[1] ?? '');
    if (form !== undefined) return { kind: 'json', text: createRequestForms(form, source) };
    const markdown = /^\/(.*)\.md$/.exec(path)?.[1];
    const page = reference.find(markdown ?? path.replace(/^\/|\/$/g, ''));
    if (page === undefined) return undefined;
    if (markdown === undefined) return { kind: 'html', text: await renderReferencePage(context, page) };
    return { kind: 'markdown', text: renderPageMarkdown(context, page) };
  }
}

/** Maximum length of the names and of the description that are indexed for an operation. */
const MAX_NAMES_LENGTH = 1_200;
const MAX_DESCRIPTION_LENGTH = 300;
const MAX_ALLOWED_WORDS = 12;

/** Entries that are indexed before other work gets its turn: about 5 ms. */
const CHUNK_SIZE = 50;

/** Words of readers, by the words of titles that they stand for. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    create: 'add new make upload',
    update: 'change edit modify set publish approve',
    delete: 'remove trash empty clear',
    list: 'all find filter',
    get: 'read show',
    media: 'file image picture photo',
    post: 'article blog draft',
    comment: 'spam',
    field: 'context',
    current: 'me who am',
    cart: 'basket',
    coupon: 'voucher',
  }),
);

/** The words of the index for one of a text. The browser converts the words of a query by {@link toWord} alone. */
function toIndexedWords(term: string, field?: string): string[] | null {
  const word = toWord(term);
  if (word === null) return null;
  const synonyms = field === 'title' ? SYNONYMS.get(word.replace(/s$/, ''))?.split(' ') : [];
  // The end of `categories` is no typing error of `category`.
  return [word, word.replace(/ies$/, 'y'), ...(synonyms ?? [])];
}

export async function createSearchIndex(
  context: Pick<RenderContext, 'reference' | 'source'>,
): Promise<MiniSearch<SearchEntry>> {
  const { reference, source } = context;
  const index = new MiniSearch<SearchEntry>({ ...SEARCH_OPTIONS, processTerm: toIndexedWords });
  let count = 0;
  const add = (entry: Partial<SearchEntry> & Pick<SearchEntry, 'place' | 'title' | 'url'>): void => {
    index.add({ ...PAGE, ...entry, id: count });
    count += 1;
  };
  const url = GUIDE_ADDRESS;
  add({ title: GUIDE.title, place: '', url, names: GUIDE.words });
  for (const part of writeGuide({ reference, source, requestUrl: '' })) {
    for (const { advice, code, status: names } of part.kind === 'codes' ? part.codes : [])
      add({ title: code, place: 'Errors', names, description: advice, url: `${url}#${toAnchor(code)}` });
  }
  for (const page of reference.pages) {
    for (const entry of createEntries(page, source.document)) {
      add(entry);
      if (count % CHUNK_SIZE === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
  return index;
}

const PAGE = { method: '', path: '', names: '', description: '', isOlder: false } as const;

function* createEntries(page: ReferencePage, document: JsonObject): Generator<Omit<SearchEntry, 'id'>> {
  const place = page.ancestors.map(({ title }) => shorten(title, 60)).join(' › ');
  const isOlder = page.successor !== undefined;
  yield { ...PAGE, title: shorten(page.title, 100), place, url: page.address, isOlder };
  for (const operation of page.operations) {
    const { anchor, method, path, shared: value, title } = operation;
    yield {
      title: shorten(title, 120),
      method: shorten(method, 20),
      path: shorten(path, 200),
      place: [place, shorten(page.title, 60)].filter((part) => part !== '').join(' › '),
      names: `${toPlainText(value['operationId'], 100)} ${listNames(operation, document)}`,
      description: toPlainText(value['description'], MAX_DESCRIPTION_LENGTH),
      url: `${page.address}#${anchor}`,
      isOlder,
    };
  }
}

/** The names of the parameters and of the body's fields, and the values that a parameter can have: `due week`. */
function listNames({ shared: value, declaredParameters }: AnchoredOperation, document: JsonObject): string {
  const names = declaredParameters.flatMap((parameter) =>
    isJsonObject(parameter) && typeof parameter['name'] === 'string'
      ? [parameter['name'], ...listAllowedWords(toJsonObject(parameter['schema']), document)]
      : [],
  );
  for (const [, media] of jsonMembers(memberAt(value, 'requestBody', 'content')).slice(0, 1)) {
    const target = dereference(memberAt(media, 'schema'), document);
    names.push(
      ...jsonMembers(target?.['properties']).flatMap(([name, property]) => [
        name,
        ...listAllowedWords(property, document),
      ]),
    );
  }
  return shorten(names.slice(0, 200).join(' '), MAX_NAMES_LENGTH);
}

function listAllowedWords(schema: Json | undefined, document: JsonObject): readonly string[] {
  return jsonTexts(dereference(schema, document)?.['enum']).slice(0, MAX_ALLOWED_WORDS);
}
