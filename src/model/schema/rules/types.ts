import { isJsonObject, type Json } from '../../../json.ts';
import { type Draft, originOf, type Rule, show } from '../draft.ts';
import { hasType, TYPES, typeOf, typesIn } from '../type-words.ts';

/** What `type` says. */
export const typeRules: readonly Rule[] = [
  {
    name: 'type-word',
    sentence: 'A type word that JSON Schema does not know becomes the type that it means.',
    severity: 'info',
    on: ['type'],
    apply(draft, found) {
      const word = draft.keywords.get('type');
      if (typeof word !== 'string' || TYPES.has(word)) return;
      const types = typesIn(word);
      if (types === undefined) return;
      state(draft, word);
      setTypes(draft, types);
      found(originOf(draft, 'type'), `The type is ${show(word)}.`, `Read as ${types.join(' or ')}.`);
    },
  },
  {
    name: 'type-list',
    sentence: 'A list of types keeps each known type once, and a list of one becomes that type.',
    severity: 'info',
    on: ['type'],
    apply(draft, found) {
      const listed = draft.keywords.get('type');
      const list = isJsonObject(listed) ? Object.values(listed) : listed;
      if (!Array.isArray(list) || list.length > 100) return;
      // A list with a word for "anything" in it, or with schemas (draft 3), says nothing certain.
      const read = list.map((word: Json) => (typeof word === 'string' ? typesIn(word) : undefined));
      const known = read.filter((types) => types !== undefined);
      const types = new Set(known.flat());
      if (types.size === 0 || list.some(allowsAnything)) return;
      const clean =
        types.size > 1 && types.size === list.length && list.every((word) => types.has(String(word)));
      if (clean && list === listed) return;
      if (list.some((word) => typeof word !== 'string' || !TYPES.has(word))) state(draft, listed);
      setTypes(draft, [...types]);
      found(originOf(draft, 'type'), `The type is ${show(listed)}.`, `Read as ${[...types].join(' or ')}.`);
    },
  },
  {
    name: 'type-unknown',
    sentence: 'A type that says nothing certain is dropped, which leaves the value open.',
    severity: 'warning',
    on: ['type'],
    apply(draft, found) {
      const type = draft.keywords.get('type');
      if (typeof type === 'string' ? TYPES.has(type) : isTypeList(type)) return;
      draft.keywords.delete('type');
      draft.keywords.delete('x-waygate-type');
      found(originOf(draft, 'type'), `The type ${show(type)} is none of JSON Schema.`, 'Dropped: any type.');
    },
  },
  {
    name: 'member-type',
    sentence: 'A member of `oneOf` or `anyOf` without a type inherits the type around it, as at the site.',
    severity: 'info',
    on: [],
    apply(draft, found) {
      if (draft.inherited === undefined || draft.keywords.has('type')) return;
      draft.keywords.set('type', draft.inherited);
      found('', 'A member of "oneOf" or "anyOf" has no type.', 'It inherits the type around it.');
    },
  },
  {
    name: 'nullable',
    sentence: 'The keyword `nullable` of OpenAPI 3.0 becomes the type null.',
    severity: 'info',
    on: ['nullable'],
    apply(draft, found) {
      const nullable = draft.keywords.get('nullable');
      draft.keywords.delete('nullable');
      const types = typesOf(draft);
      if (nullable === true && types !== undefined && !types.includes('null')) allowNull(draft, types);
      found(
        '/nullable',
        `"nullable" is ${show(nullable)}.`,
        nullable === true ? 'Null is allowed.' : 'Dropped.',
      );
    },
  },
];

/** What the type must be where none is stated. Runs when `enum`, `properties` and `items` are in order. */
export const missingTypeRules: readonly Rule[] = [
  {
    name: 'type-missing',
    sentence:
      'A missing type is inferred from properties, items or the values of an enum, and only from these.',
    severity: 'info',
    on: ['properties', 'items', 'prefixItems', 'enum', 'const'],
    apply(draft, found) {
      if (
        draft.keywords.has('type') ||
        ['oneOf', 'anyOf', 'allOf', '$ref'].some((k) => draft.keywords.has(k))
      )
        return;
      const evidence = inferred(draft);
      if (evidence === undefined) return;
      draft.keywords.set('x-waygate-type', null);
      setTypes(draft, evidence.types);
      found('', `There is no type, but "${evidence.by}".`, `Read as ${evidence.types.join(' or ')}.`);
    },
  },
];

/** The types that the draft names, as a list; undefined where it names none. */
export function typesOf(draft: Draft): readonly string[] | undefined {
  const type = draft.keywords.get('type');
  if (typeof type === 'string') return [type];
  return isTypeList(type) ? type : undefined;
}

export function setTypes(draft: Draft, types: readonly string[]): void {
  const [only] = types;
  if (only !== undefined) draft.keywords.set('type', types.length === 1 ? only : types);
}

export function allowNull(draft: Draft, types: readonly string[]): void {
  state(draft, draft.keywords.get('type') ?? null);
  setTypes(draft, [...types, 'null']);
}

/** Keeps what the site stated, the first time that `type` becomes something of ours. */
function state(draft: Draft, stated: Json | undefined): void {
  const usable =
    typeof stated === 'string' || (Array.isArray(stated) && stated.every((w) => typeof w === 'string'));
  if (usable && !draft.keywords.has('x-waygate-type')) draft.keywords.set('x-waygate-type', stated);
}

function isTypeList(type: Json | undefined): type is readonly string[] {
  return (
    Array.isArray(type) &&
    type.length > 0 &&
    type.every((word) => typeof word === 'string' && TYPES.has(word))
  );
}

function allowsAnything(word: Json): boolean {
  return isJsonObject(word) || word === 'any' || word === 'mixed';
}

function inferred(draft: Draft): { readonly by: string; readonly types: readonly string[] } | undefined {
  const properties = draft.keywords.get('properties');
  const items = draft.keywords.get('items');
  const values = draft.keywords.has('const') ? [draft.keywords.get('const')] : draft.keywords.get('enum');
  const shaped = isJsonObject(properties) && Object.keys(properties).length > 0;
  if (shaped && items === undefined && values === undefined) return { by: 'properties', types: ['object'] };
  const listed = items !== undefined || draft.keywords.has('prefixItems');
  if (listed && properties === undefined && values === undefined) return { by: 'items', types: ['array'] };
  if (!Array.isArray(values) || values.length === 0 || shaped || listed) return undefined;
  const types = [...new Set(values.map(typeOf))];
  const scalar = types.every((type) => type !== 'object' && type !== 'array');
  const narrowed = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  return scalar && values.every((value) => hasType(value, narrowed))
    ? { by: 'enum', types: narrowed }
    : undefined;
}
