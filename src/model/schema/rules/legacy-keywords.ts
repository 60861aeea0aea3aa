import { describeValue } from '../../../discovery/index-values.ts';
import { isJsonObject, type Json } from '../../../json.ts';
import { getOriginPointer, renameKeyword, type SchemaRule } from '../mutable-schema.ts';

/** Rules for keywords of drafts 3 and 4 that have another name or form in 2020-12. */
export const legacyKeywordRules: readonly SchemaRule[] = [
  {
    name: 'definitions',
    summary: 'The keyword `definitions` becomes `$defs`.',
    severity: 'info',
    triggers: ['definitions'],
    apply(schema, report) {
      const value = schema.keywords.get('definitions') ?? {};
      if (!schema.keywords.has('$defs')) renameKeyword(schema, 'definitions', '$defs', value);
      schema.keywords.delete('definitions');
      report('/definitions', '"definitions" is a keyword of draft 4.', 'Written as "$defs".');
    },
  },
  {
    name: 'divisible-by',
    summary: 'The keyword `divisibleBy` of draft 3 becomes `multipleOf`.',
    severity: 'info',
    triggers: ['divisibleBy'],
    apply(schema, report) {
      const value = schema.keywords.get('divisibleBy') ?? null;
      if (!schema.keywords.has('multipleOf')) renameKeyword(schema, 'divisibleBy', 'multipleOf', value);
      schema.keywords.delete('divisibleBy');
      report('/divisibleBy', `"divisibleBy" is ${describeValue(value)}.`, 'Written as "multipleOf".');
    },
  },
  {
    name: 'extends',
    summary: 'The keyword `extends` of draft 3 becomes `allOf`.',
    severity: 'info',
    triggers: ['extends'],
    apply(schema, report) {
      const value = schema.keywords.get('extends') ?? [];
      const kept = !schema.keywords.has('allOf') && (Array.isArray(value) || isJsonObject(value));
      if (kept) renameKeyword(schema, 'extends', 'allOf', value);
      schema.keywords.delete('extends');
      report('/extends', `"extends" is ${describeValue(value)}.`, kept ? 'Written as "allOf".' : 'Dropped.');
    },
  },
  {
    name: 'disallow',
    summary: 'The keyword `disallow` of draft 3 becomes `not`.',
    severity: 'info',
    triggers: ['disallow'],
    apply(schema, report) {
      const value = schema.keywords.get('disallow') ?? [];
      const words = (Array.isArray(value) ? value : [value]).filter((word) => typeof word === 'string');
      const kept = words.length > 0 && !schema.keywords.has('not');
      if (kept) renameKeyword(schema, 'disallow', 'not', { type: words });
      schema.keywords.delete('disallow');
      report('/disallow', `"disallow" is ${describeValue(value)}.`, kept ? 'Written as "not".' : 'Dropped.');
    },
  },
  {
    name: 'dependencies',
    summary: 'The keyword `dependencies` becomes `dependentRequired` and `dependentSchemas`.',
    severity: 'info',
    triggers: ['dependencies'],
    apply(schema, report) {
      const value = schema.keywords.get('dependencies');
      const entries = isJsonObject(value) ? Object.entries(value) : [];
      const names = entries.flatMap(([name, needs]): (readonly [string, Json])[] => {
        if (typeof needs === 'string') return [[name, [needs]]];
        return Array.isArray(needs) ? [[name, needs]] : [];
      });
      const schemas = entries.filter(([, needs]) => isJsonObject(needs));
      if (names.length > 0 && !schema.keywords.has('dependentRequired')) {
        renameKeyword(schema, 'dependencies', 'dependentRequired', Object.fromEntries(names));
      }
      if (schemas.length > 0 && !schema.keywords.has('dependentSchemas')) {
        renameKeyword(schema, 'dependencies', 'dependentSchemas', Object.fromEntries(schemas));
      }
      schema.keywords.delete('dependencies');
      report('/dependencies', `"dependencies" is ${describeValue(value)}.`, 'Split into both keywords.');
    },
  },
  {
    name: 'dependent-required',
    summary: 'Entries of `dependentRequired` that are not lists of names are dropped.',
    severity: 'info',
    triggers: ['dependentRequired'],
    apply(schema, report) {
      const value = schema.keywords.get('dependentRequired');
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
        usable.every(([name, needs]) => needs.length === arrayLength(value[name])) &&
        usable.length > 0
      ) {
        return;
      }
      if (usable.length > 0) schema.keywords.set('dependentRequired', Object.fromEntries(usable));
      else schema.keywords.delete('dependentRequired');
      report(
        getOriginPointer(schema, 'dependentRequired'),
        '"dependentRequired" contains values that are not names.',
        'Kept the names.',
      );
    },
  },
];

function arrayLength(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : -1;
}
