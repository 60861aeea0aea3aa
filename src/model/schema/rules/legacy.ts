import { isJsonObject, type Json } from '../../../json.ts';
import { originOf, type Rule, rename, show } from '../draft.ts';

/** Keywords of drafts 3 and 4 that have another name or another form today. */
export const legacyRules: readonly Rule[] = [
  {
    name: 'definitions',
    sentence: 'The keyword `definitions` becomes `$defs`.',
    severity: 'info',
    on: ['definitions'],
    apply(draft, found) {
      const value = draft.keywords.get('definitions') ?? {};
      if (!draft.keywords.has('$defs')) rename(draft, 'definitions', '$defs', value);
      draft.keywords.delete('definitions');
      found('/definitions', '"definitions" is of draft 4.', 'Written as "$defs".');
    },
  },
  {
    name: 'divisible-by',
    sentence: 'The keyword `divisibleBy` of draft 3 becomes `multipleOf`.',
    severity: 'info',
    on: ['divisibleBy'],
    apply(draft, found) {
      const value = draft.keywords.get('divisibleBy') ?? null;
      if (!draft.keywords.has('multipleOf')) rename(draft, 'divisibleBy', 'multipleOf', value);
      draft.keywords.delete('divisibleBy');
      found('/divisibleBy', `"divisibleBy" is ${show(value)}.`, 'Written as "multipleOf".');
    },
  },
  {
    name: 'extends',
    sentence: 'The keyword `extends` of draft 3 becomes `allOf`.',
    severity: 'info',
    on: ['extends'],
    apply(draft, found) {
      const value = draft.keywords.get('extends') ?? [];
      const kept = !draft.keywords.has('allOf') && (Array.isArray(value) || isJsonObject(value));
      if (kept) rename(draft, 'extends', 'allOf', value);
      draft.keywords.delete('extends');
      found('/extends', `"extends" is ${show(value)}.`, kept ? 'Written as "allOf".' : 'Dropped.');
    },
  },
  {
    name: 'disallow',
    sentence: 'The keyword `disallow` of draft 3 becomes `not`.',
    severity: 'info',
    on: ['disallow'],
    apply(draft, found) {
      const value = draft.keywords.get('disallow') ?? [];
      const words = (Array.isArray(value) ? value : [value]).filter((word) => typeof word === 'string');
      const kept = words.length > 0 && !draft.keywords.has('not');
      if (kept) rename(draft, 'disallow', 'not', { type: words });
      draft.keywords.delete('disallow');
      found('/disallow', `"disallow" is ${show(value)}.`, kept ? 'Written as "not".' : 'Dropped.');
    },
  },
  {
    name: 'dependencies',
    sentence: 'The keyword `dependencies` becomes `dependentRequired` and `dependentSchemas`.',
    severity: 'info',
    on: ['dependencies'],
    apply(draft, found) {
      const value = draft.keywords.get('dependencies');
      const entries = isJsonObject(value) ? Object.entries(value) : [];
      const names = entries.flatMap(([name, needs]): (readonly [string, Json])[] => {
        if (typeof needs === 'string') return [[name, [needs]]];
        return Array.isArray(needs) ? [[name, needs]] : [];
      });
      const schemas = entries.filter(([, needs]) => isJsonObject(needs));
      if (names.length > 0 && !draft.keywords.has('dependentRequired'))
        rename(draft, 'dependencies', 'dependentRequired', Object.fromEntries(names));
      if (schemas.length > 0 && !draft.keywords.has('dependentSchemas'))
        rename(draft, 'dependencies', 'dependentSchemas', Object.fromEntries(schemas));
      draft.keywords.delete('dependencies');
      found('/dependencies', `"dependencies" is ${show(value)}.`, 'Split by what each property needs.');
    },
  },
  {
    name: 'dependent-required',
    sentence: 'What `dependentRequired` holds beside lists of names is dropped.',
    severity: 'info',
    on: ['dependentRequired'],
    apply(draft, found) {
      const value = draft.keywords.get('dependentRequired');
      const entries = isJsonObject(value) ? Object.entries(value) : [];
      const usable = entries.flatMap(([name, needs]): (readonly [string, readonly string[]])[] => {
        const names = Array.isArray(needs)
          ? [...new Set(needs.filter((need) => typeof need === 'string'))]
          : [];
        return names.length > 0 ? [[name, names]] : [];
      });
      const same = usable.length === entries.length && isJsonObject(value);
      if (
        same &&
        usable.every(([name, needs]) => needs.length === lengthOf(value[name])) &&
        usable.length > 0
      )
        return;
      if (usable.length > 0) draft.keywords.set('dependentRequired', Object.fromEntries(usable));
      else draft.keywords.delete('dependentRequired');
      found(
        originOf(draft, 'dependentRequired'),
        '"dependentRequired" is not all names.',
        'The names are kept.',
      );
    },
  },
];

function lengthOf(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : -1;
}
