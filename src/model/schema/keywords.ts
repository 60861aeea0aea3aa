import { EXTENSION_NAMES } from '../../document-extensions.ts';
import type { Json } from '../../json.ts';
import declared from './keywords.json' with { type: 'json' };

/**
 * The keywords of a normalized schema, each with the kind of its value, in the order in which they are written: the more important
 * for a reader first. Other keywords are dropped: WordPress ignores them, and no recorded index has them. `$id`, `$anchor` and
 * `$ref` would have another meaning in the generated document.
 */
export const KEYWORD_KINDS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(declared),
  // Whether the site accepts a value only if it matches exactly one member of `anyOf`.
  [EXTENSION_NAMES.exclusive, 'flag'],
  // The contexts (`view`, `edit`, `embed`) in which the site shows a property.
  [EXTENSION_NAMES.context, 'values'],
  // The format that the site states for a response whose values do not have it.
  [EXTENSION_NAMES.format, 'text'],
  // A default that the schema rejects or can reject.
  [EXTENSION_NAMES.default, 'value'],
  // The `type` that the site stated, if a rule changed `type`. Null if the site stated none. WordPress does not check
  // words that are not types of JSON Schema.
  [EXTENSION_NAMES.type, 'value'],
  // The site's PCRE pattern, if `pattern` differs from it or is absent.
  [EXTENSION_NAMES.pcre, 'text'],
  // The site's PCRE patterns of property names, by the translated keys of `patternProperties`.
  [EXTENSION_NAMES.patternProperties, 'texts-by-name'],
]);

const KEYWORD_ORDER: ReadonlyMap<string, number> = new Map(
  [...KEYWORD_KINDS.keys()].map((name, at) => [name, at]),
);

/** Compares keywords by their position in `KEYWORD_KINDS`. */
export function compareKeywords(a: string, b: string): number {
  return (KEYWORD_ORDER.get(a) ?? 0) - (KEYWORD_ORDER.get(b) ?? 0);
}

export function listKeywordsOfKind(kind: string): readonly string[] {
  return [...KEYWORD_KINDS].flatMap(([name, keywordKind]) => (keywordKind === kind ? [name] : []));
}

export const LIMIT_KEYWORDS: readonly string[] = ['number', 'divisor', 'count'].flatMap(listKeywordsOfKind);

/** Whether a keyword of {@link LIMIT_KEYWORDS} has a number that it can have. */
export function isUsableLimit(value: Json | undefined, keyword: string): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  const kind = KEYWORD_KINDS.get(keyword);
  return kind === 'count' ? Number.isInteger(value) && value >= 0 : kind !== 'divisor' || value > 0;
}
