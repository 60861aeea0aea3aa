import { getErrorCodes } from '../../base/document-extensions.ts';
import { memberAt } from '../../base/json.ts';
import { adviseOn, type ErrorAdvice } from '../../generator/reference/error-advice.ts';
import type { AnchoredOperation, Reference } from '../../generator/reference/reference.ts';
import type { SchemaSource } from '../../generator/reference/schema-tree.ts';
import TABLE from './guide.json' with { type: 'json' };

export type GuidePart =
  | { readonly kind: 'text' | 'heading' | 'code'; readonly text: string }
  | { readonly kind: 'codes'; readonly codes: readonly ErrorAdvice[] };

export const GUIDE: { readonly title: string; readonly words: string } = TABLE;

export interface SiteReference {
  readonly reference: Reference;
  readonly requestUrl: string;
  readonly source: SchemaSource;
}

/** A part of `guide.json` is a text: a heading after `## `, code after a fence, or `{codes}`. */
export function writeGuide({
  reference,
  requestUrl,
}: Pick<SiteReference, 'reference' | 'requestUrl'>): readonly GuidePart[] {
  const base = requestUrl.replaceAll("'", '%27');
  const list = findList(reference)?.path ?? '/wp/v2/posts';
  return TABLE.parts.map((part): GuidePart => {
    if (part === '{codes}') return { kind: 'codes', codes: describeCodes(reference) };
    if (part.startsWith('## ')) return { kind: 'heading', text: part.slice(3) };
    const [, code] = /^```\w+\n(.*)$/s.exec(part) ?? [];
    if (code === undefined) return { kind: 'text', text: part };
    return { kind: 'code', text: code.replace(/\{base\}/g, () => base).replace(/\{list\}/g, () => list) };
  });
}

/** A list with pages of 100 items whose path needs no quotes in code. */
function findList({ pages }: Reference): AnchoredOperation | undefined {
  return pages
    .flatMap(({ operations }) => operations)
    .find(
      ({ method, parameterObjects, path }) =>
        method === 'GET' &&
        /^[\w/.-]+$/.test(path) &&
        ['page', 'per_page'].every((name) =>
          parameterObjects.some(
            (each) => each['name'] === name && Number(memberAt(each['schema'], 'maximum') ?? 100) >= 100,
          ),
        ),
    );
}

const MAX_CODES = 400;

/** Codes that WordPress sends before it runs an operation, so no operation names them. */
const GENERAL_CODES =
  'rest_no_route rest_not_logged_in rest_cookie_invalid_nonce incorrect_password invalid_username';

export function describeCodes({ pages }: Reference): readonly ErrorAdvice[] {
  const counts = new Map(GENERAL_CODES.split(' ').map((code) => [code, Number.MAX_SAFE_INTEGER]));
  for (const { shared } of pages.flatMap(({ operations }) => operations)) {
    for (const code of getErrorCodes(shared)) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const codes = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([code]) => code)
    .filter((code) => /^[\w.-]{1,100}$/.test(code));
  return adviseOn(codes.slice(0, MAX_CODES));
}
