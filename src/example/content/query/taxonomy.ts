import { isJsonObject, type Json } from '../../../json.ts';
import type { Params } from '../../site/params.ts';
import type { Entry, Term } from '../entries.ts';

type Condition = (entry: Entry) => boolean;

const TAXONOMIES = ['categories', 'tags'] as const;

/** A condition for the taxonomy parameters of a list, in both spellings; undefined where none is given. */
export function readTaxonomies(params: Params, terms: ReadonlyMap<number, Term>): Condition | undefined {
  const conditions = TAXONOMIES.flatMap((name) => [
    ...conditionsOf(params.get(name), (asked) => including(name, asked, terms)),
    ...conditionsOf(params.get(`${name}_exclude`), (asked) => {
      const found = including(name, { ...asked, all: false }, terms);
      return (entry) => !found(entry);
    }),
  ]);
  if (conditions.length === 0) return undefined;
  return params.string('tax_relation') === 'OR'
    ? (entry) => conditions.some((condition) => condition(entry))
    : (entry) => conditions.every((condition) => condition(entry));
}

interface Asked {
  readonly ids: readonly number[];
  readonly children: boolean;
  /** Whether every term must be there; else one is enough. */
  readonly all: boolean;
}

function conditionsOf(value: Json | undefined, make: (asked: Asked) => Condition): readonly Condition[] {
  const asked = read(value);
  return asked === undefined || asked.ids.length === 0 ? [] : [make(asked)];
}

/** A list of ids, or `{ terms, operator, include_children }`. */
function read(value: Json | undefined): Asked | undefined {
  if (Array.isArray(value)) return { ids: numbers(value), children: false, all: false };
  if (!isJsonObject(value)) return undefined;
  return {
    ids: numbers(value['terms']),
    children: value['include_children'] === true,
    all: value['operator'] === 'AND',
  };
}

function numbers(value: Json | undefined): readonly number[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'number') : [];
}

function including(
  name: (typeof TAXONOMIES)[number],
  { ids, children, all }: Asked,
  terms: ReadonlyMap<number, Term>,
): Condition {
  const wanted = ids.map((id) => (children ? withDescendants(id, terms) : new Set([id])));
  const has = (entry: Entry, family: ReadonlySet<number>): boolean =>
    entry[name].some((id) => family.has(id));
  return all
    ? (entry) => wanted.every((family) => has(entry, family))
    : (entry) => wanted.some((family) => has(entry, family));
}

function withDescendants(id: number, terms: ReadonlyMap<number, Term>): ReadonlySet<number> {
  const family = new Set([id]);
  // Parents stand before their children.
  for (const term of terms.values()) if (family.has(term.parent)) family.add(term.id);
  return family;
}
