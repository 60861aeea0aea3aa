import { getErrorCodes } from '../../base/document-extensions.ts';
import { toMarkdownBlock } from '../../base/text.ts';
import { adviseOn, type ErrorAdvice, renderAdviceMarkdown } from '../../generator/reference/error-advice.ts';
import { readOperationDetails } from '../../generator/reference/operation-details.ts';
import type { AnchoredOperation, Reference } from '../../generator/reference/reference.ts';
import type { SchemaSource } from '../../generator/reference/schema-tree.ts';
import TABLE from './guide.json' with { type: 'json' };

export type GuidePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly code: string }
  | { readonly kind: 'codes'; readonly codes: readonly ErrorAdvice[] };

/** A part of `guide.json`: a text (a heading after `## `, code between fences), or parts for sites with an operation. */
type DeclaredPart = string | { readonly needs: string; readonly parts: readonly DeclaredPart[] };

export const GUIDE: { readonly title: string; readonly words: string } = TABLE;

const CODES = '{codes}';

/** Operations that the guide names, unless a path would need quotes in code. */
const SELECTORS: Readonly<Record<string, (operation: AnchoredOperation) => boolean>> = {
  read: ({ method }) => method === 'GET',
  me: ({ method, path }) => method === 'GET' && path.endsWith('/users/me'),
  orders: ({ method, path }) => /^GET \/wc\/v\d+\/orders$/.test(`${method} ${path}`),
  list: ({ method, parameterObjects }) =>
    method === 'GET' &&
    ['page', 'per_page'].every((name) => parameterObjects.some((parameter) => parameter['name'] === name)),
};

export interface SiteReference {
  readonly reference: Reference;
  readonly requestUrl: string;
  readonly source: SchemaSource;
}

export function writeGuide({ reference, requestUrl, source }: SiteReference): readonly GuidePart[] {
  const operations = reference.pages.flatMap((page) => page.operations);
  const plain = operations.filter(({ path }) => /^[\w/.-]+$/.test(path));
  const find = (name: string): AnchoredOperation | undefined =>
    plain.find((operation) => SELECTORS[name]?.(operation));
  const list = find('list');
  const perPage =
    list && readOperationDetails(list, source).parameters.find(({ name }) => name === 'per_page');
  const values: Readonly<Record<string, string | undefined>> = {
    most: perPage?.facts.find(({ label }) => label === 'Maximum')?.values[0] ?? '100',
    base: requestUrl.replaceAll("'", '%27'),
    list: list?.path,
    own: (find('me') ?? find('orders') ?? find('read'))?.path,
  };
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

  const write = (part: DeclaredPart): readonly GuidePart[] => {
    if (typeof part !== 'string') return find(part.needs) === undefined ? [] : part.parts.flatMap(write);
    if (part === CODES) return [{ kind: 'codes', codes: describeCodes(operations) }];
    if (part.startsWith('## ')) return [{ kind: 'heading', text: part.slice(3) }];
    const [, language, code = ''] = /^```(\w+)\n(.*)$/s.exec(part) ?? [];
    if (language === undefined) return [{ kind: 'text', text: fill(part) }];
    return [{ kind: 'code', language, code: fill(code) }];
  };
  return TABLE.parts.flatMap(write);
}

const MAX_CODES = 400;

/** Codes that WordPress sends before it runs an operation, so no operation names them. */
const GENERAL_CODES =
  'rest_no_route rest_not_logged_in rest_cookie_invalid_nonce incorrect_password invalid_username';

function describeCodes(operations: readonly AnchoredOperation[]): readonly ErrorAdvice[] {
  const counts = new Map(GENERAL_CODES.split(' ').map((code) => [code, Number.MAX_SAFE_INTEGER]));
  for (const { shared } of operations) {
    for (const code of getErrorCodes(shared)) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const codes = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([code]) => code)
    .filter((code) => /^[\w.-]{1,100}$/.test(code));
  return adviseOn(codes.slice(0, MAX_CODES));
}

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
