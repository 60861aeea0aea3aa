import { getErrorCodes, hasMark } from '../document-extensions.ts';
import { type Json, jsonMembers } from '../json.ts';
import { getOrCreate } from '../memoize.ts';
import { shorten, toMarkdownBlock, toMarkdownCode, toMarkdownText } from '../ui/text.ts';
import { createCodeSamples, toLiteral } from './code-samples.ts';
import type { CodeLanguage } from './code-tokens.ts';
import { adviseOn, type ErrorAdvice, renderAdviceMarkdown } from './error-advice.ts';
import TABLE from './guides.json' with { type: 'json' };
import { type OperationDetails, readOperationDetails } from './operation-details.ts';
import { createSampleRequest } from './operation-samples.ts';
import type { AnchoredOperation, Reference, ReferencePage } from './reference.ts';
import type { SampleRequest } from './sample-request.ts';
import type { SchemaSource } from './schema-tree.ts';

/** A part of a guide. HTML and Markdown are made from the same parts. */
export type GuidePart =
  /** Plain text; what stands between backticks is code. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'code'; readonly language: CodeLanguage; readonly code: string }
  | { readonly kind: 'operations'; readonly operations: readonly GuidedOperation[] }
  | { readonly kind: 'codes'; readonly codes: readonly ErrorAdvice[] };

export interface GuidedOperation {
  readonly operation: AnchoredOperation;
  readonly page: ReferencePage;
}

/** Guide to a subject beside single operations, with operations of this site as examples. */
export interface Guide {
  readonly title: string;
  /** Path below `/docs/`: `guides/paging`. */
  readonly address: string;
  /** Words for its subject that readers search for. */
  readonly words: string;
  /** Operations of which the site has some if it needs the guide. */
  readonly needs: readonly string[];
  readonly parts: readonly DeclaredPart[];
}

/**
 * A part as `guides.json` states it: a text, which is a heading after `## `, or one of the others. Operations are named by the
 * keys of {@link OPERATIONS}. `{most}` and `{path}` stand for the largest page and the path of the site's first list.
 */
type DeclaredPart =
  | string
  | { readonly needs: readonly string[]; readonly parts: readonly DeclaredPart[] }
  | DeclaredSample
  | { readonly javascript: string }
  | { readonly json: Json }
  | { readonly codes: string }
  | { readonly firstOf: readonly string[] }
  | { readonly all: string };

/** A request as a code sample. */
interface DeclaredSample {
  /** The first of these that the site has. */
  readonly sample: readonly string[];
  readonly in: string;
  /** Name of an entry of {@link CHANGES}. */
  readonly change?: string;
  readonly options?: readonly string[];
}

/** Every guide, in reading order. */
const GUIDES: readonly Guide[] = TABLE.guides;

export function listGuides(site: GuidedSite): readonly Guide[] {
  return GUIDES.filter(({ needs }) => needs.some((name) => site.has(name)));
}

type Selector = (operation: AnchoredOperation) => boolean;

/** The operations that guides name: by a pattern of method and path, or by what the document states. */
const OPERATIONS: ReadonlyMap<string, Selector> = new Map([
  ...Object.entries(TABLE.operations).map(([name, declared]): [string, Selector] => {
    const pattern = new RegExp(declared);
    return [name, ({ method, path }) => pattern.test(`${method} ${path}`)];
  }),
  ['lists', (operation) => isReadWith(operation, ['page', 'per_page'])],
  ['contexts', (operation) => isReadWith(operation, ['page', 'context'])],
  ['ofTaxonomies', (operation) => isReadWith(operation, ['page', 'categories'])],
  ['uploads', takesFile],
  ['batchable', ({ method, shared }) => method === 'POST' && hasMark(shared, 'allowBatch')],
]);

/** Changes to samples of the reference, for guides. */
const CHANGES: Readonly<Record<string, (site: GuidedSite) => Partial<SampleRequest>>> = {
  signedIn: () => ({ credentials: 'user' }),
  edited: () => ({ credentials: 'user', query: [['context', 'edit']] }),
  // A site can have no second page.
  firstPage: (site) => ({
    query: Object.entries({ per_page: Number(findLargestPage(site)) || 100, page: 1 }),
  }),
  ofTerms: () => ({ query: [['categories', [1, 2]]] }),
  twoRequests(site) {
    const [placed] = site.list('batchable');
    const path = placed?.operation.path.replace(/\{[^}]*\}/g, '1') ?? '';
    const body = placed === undefined ? {} : (site.read(placed).bodies[0]?.example ?? {});
    return { credentials: 'user', body: { requests: [1, 2].map(() => ({ method: 'POST', path, body })) } };
  },
};

/** Operations of a guide's list. */
const MAX_OPERATIONS = 8;

export interface SiteReference {
  readonly reference: Reference;
  /** URL that the paths of operations follow, without a slash at its end. */
  readonly requestUrl: string;
  readonly source: SchemaSource;
}

/** The operations of a reference, as guides ask for them. */
export class GuidedSite {
  readonly operations: readonly GuidedOperation[];
  readonly requestUrl: string;
  readonly #source: SchemaSource;
  readonly #lists = new Map<string, readonly GuidedOperation[]>();

  constructor({ reference, requestUrl, source }: SiteReference) {
    // Operations of current versions come first.
    this.operations = reference.pages.flatMap((page) =>
      page.operations.map((operation) => ({ operation, page })),
    );
    this.requestUrl = requestUrl;
    this.#source = source;
  }

  has(name: string): boolean {
    return this.list(name).length > 0;
  }

  /** @param name of {@link OPERATIONS} */
  list(name: string): readonly GuidedOperation[] {
    const isNamed: Selector = OPERATIONS.get(name) ?? (() => false);
    return getOrCreate(this.#lists, name, () => this.operations.filter((each) => isNamed(each.operation)));
  }

  read({ operation }: GuidedOperation): OperationDetails {
    return readOperationDetails(operation, this.#source);
  }
}

export function writeParts(site: GuidedSite, parts: readonly DeclaredPart[]): readonly GuidePart[] {
  return parts.flatMap((part): readonly GuidePart[] => {
    if (typeof part === 'string') {
      if (part.startsWith('## ')) return [{ kind: 'heading', text: part.slice(3) }];
      return [{ kind: 'text', text: fill(site, part) }];
    }
    if ('parts' in part)
      return part.needs.every((name) => site.has(name)) ? writeParts(site, part.parts) : [];
    if ('sample' in part) return writeSample(site, part);
    if ('javascript' in part)
      return [{ kind: 'code', language: 'javascript', code: fill(site, part.javascript) }];
    if ('json' in part) return [{ kind: 'code', language: 'json', code: JSON.stringify(part.json, null, 2) }];
    if ('codes' in part) return [{ kind: 'codes', codes: describeCodes(site, new RegExp(part.codes)) }];
    const listed =
      'all' in part ? site.list(part.all) : part.firstOf.flatMap((name) => site.list(name).slice(0, 1));
    return [{ kind: 'operations', operations: listed.slice(0, MAX_OPERATIONS) }];
  });
}

function writeSample(
  site: GuidedSite,
  { change = '', in: label, options = [], sample: names }: DeclaredSample,
): readonly GuidePart[] {
  const [placed] = names.flatMap((name) => site.list(name));
  if (placed === undefined) return [];
  const request = createSampleRequest(placed.operation, site.read(placed), site.requestUrl);
  const samples = createCodeSamples({ ...request, ...CHANGES[change]?.(site) });
  const { code = '', language = 'shell' } = samples.find((sample) => sample.label === label) ?? {};
  return [{ kind: 'code', code: [code, ...options].join(' \\\n  '), language }];
}

function fill(site: GuidedSite, text: string): string {
  return text
    .replace('{most}', () => findLargestPage(site))
    .replace('{base}', () => toLiteral(site.requestUrl))
    .replace('{path}', () => toLiteral(site.list('lists')[0]?.operation.path ?? ''));
}

function findLargestPage(site: GuidedSite): string {
  const [first] = site.list('lists');
  const parameters = first === undefined ? [] : site.read(first).parameters;
  const perPage = parameters.find(({ name }) => name === 'per_page');
  return perPage?.facts.find(({ label }) => label === 'Maximum')?.values[0] ?? '100';
}

/** Whether an operation takes a file as a form or as the whole content. */
function takesFile({ method, requestBody }: AnchoredOperation): boolean {
  const content = jsonMembers(requestBody?.content);
  const isFile = (type: string): boolean =>
    type === 'multipart/form-data' || /^(\*|image|application\/octet-stream)/.test(type);
  return method === 'POST' && content.some(([type]) => isFile(type));
}

function isReadWith({ method, parameterObjects }: AnchoredOperation, names: readonly string[]): boolean {
  const isDeclared = (name: string): boolean =>
    parameterObjects.some((parameter) => parameter['name'] === name);
  return method === 'GET' && names.every(isDeclared);
}

/** Codes of a guide's table. */
const MAX_CODES = 400;

/** Codes that WordPress sends before it runs an operation, so that none of them names them. */
const GENERAL_CODES =
  'rest_no_route rest_not_logged_in rest_cookie_invalid_nonce incorrect_password invalid_username';

/** Says what to do about the codes of the site's errors, those of most operations first. */
function describeCodes(site: GuidedSite, pattern: RegExp): readonly ErrorAdvice[] {
  const counts = new Map(GENERAL_CODES.split(' ').map((code) => [code, Number.MAX_SAFE_INTEGER]));
  for (const { operation } of site.operations) {
    for (const code of getErrorCodes(operation.shared)) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const codes = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([code]) => code)
    // Others are no codes of a site that means well.
    .filter((code) => /^[\w.-]{1,100}$/.test(code) && pattern.test(code));
  return adviseOn(codes.slice(0, MAX_CODES));
}

/** Renders a guide as Markdown. @param baseUrl URL of the mount */
export function renderGuideMarkdown(guide: Guide, site: GuidedSite, baseUrl: string): string {
  const blocks = writeParts(site, guide.parts).map((part) => {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'heading':
        return `## ${part.text}`;
      case 'code':
        return toMarkdownBlock(part.code, part.language);
      case 'operations':
        return part.operations
          .map(({ operation, page }) => {
            const title = toMarkdownText(shorten(operation.title, 120));
            const call = toMarkdownCode(shorten(`${operation.method} ${operation.path}`, 200));
            return `- [${title}](${baseUrl}/docs/${page.address}.md): ${call}`;
          })
          .join('\n');
      default:
        return renderAdviceMarkdown(part.codes).join('\n');
    }
  });
  return `${[`# ${guide.title}`, ...blocks].join('\n\n')}\n`;
}
