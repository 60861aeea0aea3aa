import { getErrorCodes } from '../document-extensions.ts';
import type { Json } from '../json.ts';
import { toMarkdownBlock } from '../ui/text.ts';
import { createCodeSamples, toLiteral } from './code-samples.ts';
import type { CodeLanguage } from './code-tokens.ts';
import { adviseOn, type ErrorAdvice, renderAdviceMarkdown } from './error-advice.ts';
import TABLE from './guide.json' with { type: 'json' };
import { readOperationDetails } from './operation-details.ts';
import { createSampleRequest } from './operation-samples.ts';
import type { AnchoredOperation, Reference } from './reference.ts';
import type { SchemaSource } from './schema-tree.ts';

export type GuidePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'code'; readonly language: CodeLanguage; readonly code: string }
  | { readonly kind: 'codes'; readonly codes: readonly ErrorAdvice[] };

/**
 * A part as `guide.json` states it: a text, which is a heading after `## `, or one of the others. Operations are named by the
 * keys of {@link SELECTORS}. `{most}` and `{path}` stand for the largest page and the path of the site's first list.
 */
type DeclaredPart =
  | string
  | { readonly needs: string; readonly parts: readonly DeclaredPart[] }
  | { readonly sample: readonly string[]; readonly in: string }
  | { readonly javascript: string }
  | { readonly json: Json }
  | { readonly list: string };

export const GUIDE: { readonly title: string; readonly words: string } = TABLE;

const SELECTORS: Readonly<Record<string, (operation: AnchoredOperation) => boolean>> = {
  reads: ({ method }) => method === 'GET',
  me: ({ method, path }) => method === 'GET' && path.endsWith('/users/me'),
  orders: ({ method, path }) => /^GET \/wc\/v\d+\/orders$/.test(`${method} ${path}`),
  lists: ({ method, parameterObjects }) =>
    method === 'GET' &&
    ['page', 'per_page'].every((name) => parameterObjects.some((parameter) => parameter['name'] === name)),
};

export interface SiteReference {
  readonly reference: Reference;
  readonly requestUrl: string;
  readonly source: SchemaSource;
}

export function writeGuide({ reference, requestUrl, source }: SiteReference): readonly GuidePart[] {
  // Operations of current versions come first.
  const operations = reference.pages.flatMap((page) => page.operations);
  const find = (name: string): AnchoredOperation | undefined =>
    operations.find((operation) => SELECTORS[name]?.(operation));
  const list = find('lists');
  const perPage =
    list && readOperationDetails(list, source).parameters.find(({ name }) => name === 'per_page');
  const most = perPage?.facts.find(({ label }) => label === 'Maximum')?.values[0] ?? '100';
  const fill = (text: string): string =>
    text
      .replace('{most}', () => most)
      .replace('{base}', () => toLiteral(requestUrl))
      .replace('{path}', () => toLiteral(list?.path ?? ''));

  function writeSample(names: readonly string[], label: string): readonly GuidePart[] {
    const [name] = names.filter((each) => find(each) !== undefined);
    const operation = find(name ?? '');
    if (operation === undefined) return [];
    const request = createSampleRequest(operation, readOperationDetails(operation, source), requestUrl);
    // A site can have no second page.
    const paged = { query: Object.entries({ per_page: Number(most) || 100, page: 1 }) };
    const change = name === 'lists' ? paged : { credentials: 'user' as const };
    const sample = createCodeSamples({ ...request, ...change }).find((each) => each.label === label);
    return sample === undefined ? [] : [{ kind: 'code', code: sample.code, language: sample.language }];
  }

  const write = (part: DeclaredPart): readonly GuidePart[] => {
    if (typeof part === 'string') {
      const isHeading = part.startsWith('## ');
      return [isHeading ? { kind: 'heading', text: part.slice(3) } : { kind: 'text', text: fill(part) }];
    }
    if ('parts' in part) return find(part.needs) === undefined ? [] : part.parts.flatMap(write);
    if ('sample' in part) return writeSample(part.sample, part.in);
    if ('javascript' in part) return [{ kind: 'code', language: 'javascript', code: fill(part.javascript) }];
    if ('json' in part) return [{ kind: 'code', language: 'json', code: JSON.stringify(part.json, null, 2) }];
    return [{ kind: 'codes', codes: describeCodes(operations) }];
  };
  return TABLE.parts.flatMap(write);
}

/** Codes of a table. */
const MAX_CODES = 400;

/** Codes that WordPress sends before it runs an operation, so that none of them names them. */
const GENERAL_CODES =
  'rest_no_route rest_not_logged_in rest_cookie_invalid_nonce incorrect_password invalid_username';

/** Says what to do about the codes of the site's errors, those of most operations first. */
function describeCodes(operations: readonly AnchoredOperation[]): readonly ErrorAdvice[] {
  const counts = new Map(GENERAL_CODES.split(' ').map((code) => [code, Number.MAX_SAFE_INTEGER]));
  for (const { shared } of operations) {
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
export function renderGuideMarkdown(site: SiteReference): string {
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
