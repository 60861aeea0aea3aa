import { EXTENSION_NAMES } from '../../../base/document-extensions.ts';
import { type Json, jsonTexts, memberAt } from '../../../base/json.ts';
import declared from './keywords.json' with { type: 'json' };

/** Kinds of values by keyword, in written order. Others are dropped, e.g. `$ref`, which WordPress ignores. */
export const KEYWORD_KINDS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(declared),
  [EXTENSION_NAMES.exclusive, 'flag'],
  [EXTENSION_NAMES.context, 'values'],
  [EXTENSION_NAMES.format, 'text'],
  [EXTENSION_NAMES.default, 'value'],
  // The stated `type`, if a rule changed it; null if there was none. WordPress doesn't check unknown types.
  [EXTENSION_NAMES.type, 'value'],
  [EXTENSION_NAMES.pcre, 'text'],
  [EXTENSION_NAMES.patternProperties, 'texts-by-name'],
]);

const KEYWORD_ORDER: ReadonlyMap<string, number> = new Map(
  [...KEYWORD_KINDS.keys()].map((name, at) => [name, at]),
);

export function compareKeywords(a: string, b: string): number {
  return (KEYWORD_ORDER.get(a) ?? 0) - (KEYWORD_ORDER.get(b) ?? 0);
}

export function listKeywordsOfKind(kind: string): readonly string[] {
  return [...KEYWORD_KINDS].flatMap(([name, keywordKind]) => (keywordKind === kind ? [name] : []));
}

export const LIMIT_KEYWORDS: readonly string[] = ['number', 'divisor', 'count'].flatMap(listKeywordsOfKind);

export function typesOf(schema: Json | undefined): readonly string[] {
  const type = memberAt(schema, 'type');
  return typeof type === 'string' ? [type] : jsonTexts(type);
}

export function isUsableLimit(value: Json | undefined, keyword: string): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  const kind = KEYWORD_KINDS.get(keyword);
  return kind === 'count' ? Number.isInteger(value) && value >= 0 : kind !== 'divisor' || value > 0;
}
