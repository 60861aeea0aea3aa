import { isJsonObject, type Json } from '../../../json.ts';
import type { RequestParams } from '../../site/request-params.ts';
import type { Entry, Term } from '../model/entries.ts';

type Condition = (entry: Entry) => boolean;

const TAXONOMIES = ['categories', 'tags'] as const;

/** Creates a condition from the taxonomy parameters of a list; `undefined` if there are none. */
export function createTaxonomyCondition(
  params: RequestParams,
  terms: ReadonlyMap<number, Term>,
): Condition | undefined {
  const conditions = TAXONOMIES.flatMap((name) => [
    ...createConditions(params.get(name), (termQuery) => hasTerms(name, termQuery, terms)),
    ...createConditions(params.get(`${name}_exclude`), (termQuery) => {
      const isIncluded = hasTerms(name, { ...termQuery, requireAll: false }, terms);
      return (entry) => !isIncluded(entry);
    }),
  ]);
  if (conditions.length === 0) return undefined;
  return params.string('tax_relation') === 'OR'
    ? (entry) => conditions.some((condition) => condition(entry))
    : (entry) => conditions.every((condition) => condition(entry));
}

interface TermQuery {
  readonly ids: readonly number[];
  readonly includeChildren: boolean;
  /** Whether an entry must have all terms. Otherwise one is enough. */
  readonly requireAll: boolean;
}

function createConditions(
  value: Json | undefined,
  createCondition: (termQuery: TermQuery) => Condition,
): readonly Condition[] {
  const termQuery = parseTermQuery(value);
  return termQuery === undefined || termQuery.ids.length === 0 ? [] : [createCondition(termQuery)];
}

/** Parses a list of ids or `{ terms, operator, include_children }`. */
function parseTermQuery(value: Json | undefined): TermQuery | undefined {
  if (Array.isArray(value)) return { ids: filterNumbers(value), includeChildren: false, requireAll: false };
  if (!isJsonObject(value)) return undefined;
  return {
    ids: filterNumbers(value['terms']),
    includeChildren: value['include_children'] === true,
    requireAll: value['operator'] === 'AND',
  };
}

function filterNumbers(value: Json | undefined): readonly number[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'number') : [];
}

function hasTerms(
  name: (typeof TAXONOMIES)[number],
  { ids, includeChildren, requireAll }: TermQuery,
  terms: ReadonlyMap<number, Term>,
): Condition {
  const families = ids.map((id) => (includeChildren ? withDescendants(id, terms) : new Set([id])));
  const hasTermOf = (entry: Entry, family: ReadonlySet<number>): boolean =>
    entry[name].some((id) => family.has(id));
  return requireAll
    ? (entry) => families.every((family) => hasTermOf(entry, family))
    : (entry) => families.some((family) => hasTermOf(entry, family));
}

function withDescendants(id: number, terms: ReadonlyMap<number, Term>): ReadonlySet<number> {
  const family = new Set([id]);
  // Parents precede their children in the map.
  for (const term of terms.values()) if (family.has(term.parent)) family.add(term.id);
  return family;
}
