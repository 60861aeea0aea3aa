import { getErrorCodes } from '../document-extensions.ts';
import type { Json } from '../json.ts';
import { getOrCreate } from '../memoize.ts';
import { toMarkdownBlock } from '../ui/text.ts';
import { createCodeSamples, toLiteral } from './code-samples.ts';
import type { CodeLanguage } from './code-tokens.ts';
import { adviseOn, type ErrorAdvice, renderAdviceMarkdown } from './error-advice.ts';
import TABLE from './guide.json' with { type: 'json' };
import { type OperationDetails, readOperationDetails } from './operation-details.ts';
import { createSampleRequest } from './operation-samples.ts';
import type { AnchoredOperation, Reference } from './reference.ts';
import type { SampleRequest } from './sample-request.ts';
import type { SchemaSource } from './schema-tree.ts';

export type GuidePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'code'; readonly language: CodeLanguage; readonly code: string }
  | { readonly kind: 'codes'; readonly codes: readonly ErrorAdvice[] };

/**
 * A part as `guide.json` states it: a text, which is a heading after `## `, or one of the others. Operations are named by the
 * keys of {@link OPERATIONS}. `{most}` and `{path}` stand for the largest page and the path of the site's first list.
 */
type DeclaredPart =
  | string
  | { readonly needs: readonly string[]; readonly parts: readonly DeclaredPart[] }
  | DeclaredSample
  | { readonly javascript: string }
  | { readonly json: Json }
  | { readonly list: string };

interface DeclaredSample {
  readonly sample: readonly string[];
  readonly in: string;
  readonly change?: string;
}

export const GUIDE: {
  readonly title: string;
  readonly words: string;
} = TABLE;

type Selector = (operation: AnchoredOperation) => boolean;

const OPERATIONS: ReadonlyMap<string, Selector> = new Map([
  ...Object.entries(TABLE.operations).map(([name, declared]): [string, Selector] => {
    const pattern = new RegExp(declared);
    return [name, ({ method, path }) => pattern.test(`${method} ${path}`)];
  }),
  ['lists', (operation) => isReadWith(operation, ['page', 'per_page'])],
]);

const CHANGES: Readonly<Record<string, (site: GuidedSite) => Partial<SampleRequest>>> = {
  signedIn: () => ({ credentials: 'user' }),
  // A site can have no second page.
  firstPage: (site) => ({
    query: Object.entries({ per_page: Number(findLargestPage(site)) || 100, page: 1 }),
  }),
};

export interface SiteReference {
  readonly reference: Reference;
  readonly requestUrl: string;
  readonly source: SchemaSource;
}

/** The operations of a reference, as the guide asks for them. */
export class GuidedSite {
  readonly operations: readonly AnchoredOperation[];
  readonly requestUrl: string;
  readonly #source: SchemaSource;
  readonly #lists = new Map<string, readonly AnchoredOperation[]>();

  constructor({ reference, requestUrl, source }: SiteReference) {
    // Operations of current versions come first.
    this.operations = reference.pages.flatMap(({ operations }) => operations);
    this.requestUrl = requestUrl;
    this.#source = source;
  }

  has(name: string): boolean {
    return this.list(name).length > 0;
  }

  /** @param name of {@link OPERATIONS} */
  list(name: string): readonly AnchoredOperation[] {
    const isNamed: Selector = OPERATIONS.get(name) ?? (() => false);
    return getOrCreate(this.#lists, name, () => this.operations.filter(isNamed));
  }

  read(operation: AnchoredOperation): OperationDetails {
    return readOperationDetails(operation, this.#source);
  }
}

export function writeGuide(
  site: GuidedSite,
  parts: readonly DeclaredPart[] = TABLE.parts,
): readonly GuidePart[] {
  return parts.flatMap((part): readonly GuidePart[] => {
    if (typeof part === 'string') {
      if (part.startsWith('## ')) return [{ kind: 'heading', text: part.slice(3) }];
      return [{ kind: 'text', text: fill(site, part) }];
    }
    if ('parts' in part)
      return part.needs.every((name) => site.has(name)) ? writeGuide(site, part.parts) : [];
    if ('sample' in part) return writeSample(site, part);
    if ('javascript' in part)
      return [{ kind: 'code', language: 'javascript', code: fill(site, part.javascript) }];
    if ('json' in part) return [{ kind: 'code', language: 'json', code: JSON.stringify(part.json, null, 2) }];
    return [{ kind: 'codes', codes: describeCodes(site) }];
  });
}

function writeSample(
  site: GuidedSite,
  { change = '', in: label, sample: names }: DeclaredSample,
): readonly GuidePart[] {
  const [operation] = names.flatMap((name) => site.list(name));
  if (operation === undefined) return [];
  const request = createSampleRequest(operation, site.read(operation), site.requestUrl);
  const samples = createCodeSamples({ ...request, ...CHANGES[change]?.(site) });
  const { code = '', language = 'shell' } = samples.find((sample) => sample.label === label) ?? {};
  return [{ kind: 'code', code, language }];
}

function fill(site: GuidedSite, text: string): string {
  return text
    .replace('{most}', () => findLargestPage(site))
    .replace('{base}', () => toLiteral(site.requestUrl))
    .replace('{path}', () => toLiteral(site.list('lists')[0]?.path ?? ''));
}

function findLargestPage(site: GuidedSite): string {
  const [first] = site.list('lists');
  const parameters = first === undefined ? [] : site.read(first).parameters;
  const perPage = parameters.find(({ name }) => name === 'per_page');
  return perPage?.facts.find(({ label }) => label === 'Maximum')?.values[0] ?? '100';
}

function isReadWith({ method, parameterObjects }: AnchoredOperation, names: readonly string[]): boolean {
  const isDeclared = (name: string): boolean =>
    parameterObjects.some((parameter) => parameter['name'] === name);
  return method === 'GET' && names.every(isDeclared);
}

/** Codes of a table. */
const MAX_CODES = 400;

/** Codes that WordPress sends before it runs an operation, so that none of them names them. */
const GENERAL_CODES =
  'rest_no_route rest_not_logged_in rest_cookie_invalid_nonce incorrect_password invalid_username';

/** Says what to do about the codes of the site's errors, those of most operations first. */
function describeCodes(site: GuidedSite): readonly ErrorAdvice[] {
  const counts = new Map(GENERAL_CODES.split(' ').map((code) => [code, Number.MAX_SAFE_INTEGER]));
  for (const { shared } of site.operations) {
    for (const code of getErrorCodes(shared)) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const codes = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([code]) => code)
    // Others are no codes of a site that means well.
    .filter((code) => /^[\w.-]{1,100}$/.test(code));
  return adviseOn(codes.slice(0, MAX_CODES));
}

/** Renders the guide as Markdown. */
export function renderGuideMarkdown(site: GuidedSite): string {
  const blocks = writeGuide(site).map((part) => {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'heading':
        return `## ${part.text}`;
      case 'code':
        return toMarkdownBlock(part.code, part.language);
      default:
        return renderAdviceMarkdown(part.codes).join('\n');
    }
  });
  return `${[`# ${GUIDE.title}`, ...blocks].join('\n\n')}\n`;
}
