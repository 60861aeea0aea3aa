import { describeValue } from '../../../discovery/index-values.ts';
import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import { isJsonObject, type Json, jsonItems, jsonMembers, jsonTexts } from '../../../json.ts';
import { KEYWORD_KINDS, listKeywordsOfKind } from '../keywords.ts';
import { dropRule, isText, rule, type SchemaRule } from '../mutable-schema.ts';
import { isPhpTruthy, isSerializable } from '../values.ts';

/** Rules for keywords of drafts 3 and 4 that have another name or form in 2020-12. */
export const legacyKeywordRules: readonly SchemaRule[] = [
  // The keyword `definitions` becomes `$defs`.
  rule('definitions', 'info', ['definitions'], (schema) => {
    const value = schema.get('definitions') ?? {};
    if (!schema.has('$defs')) schema.rename('definitions', '$defs', value);
    schema.delete('definitions');
    schema.report('definitions', '"definitions" is a keyword of draft 4.', 'Written as "$defs".');
  }),
  // The keyword `divisibleBy` of draft 3 becomes `multipleOf`.
  rule('divisible-by', 'info', ['divisibleBy'], (schema) => {
    const value = schema.get('divisibleBy') ?? null;
    if (!schema.has('multipleOf')) schema.rename('divisibleBy', 'multipleOf', value);
    schema.delete('divisibleBy');
    schema.reportValue('divisibleBy', value, 'Written as "multipleOf".');
  }),
  // The keyword `extends` of draft 3 becomes `allOf`.
  rule('extends', 'info', ['extends'], (schema) => {
    const value = schema.get('extends') ?? [];
    const kept = !schema.has('allOf') && (Array.isArray(value) || isJsonObject(value));
    if (kept) schema.rename('extends', 'allOf', value);
    schema.delete('extends');
    schema.reportValue('extends', value, kept ? 'Written as "allOf".' : 'Dropped.');
  }),
  // The keyword `disallow` of draft 3 becomes `not`.
  rule('disallow', 'info', ['disallow'], (schema) => {
    const value = schema.get('disallow') ?? [];
    const words = (Array.isArray(value) ? value : [value]).filter((word) => typeof word === 'string');
    const kept = words.length > 0 && !schema.has('not');
    if (kept) schema.rename('disallow', 'not', { type: words });
    schema.delete('disallow');
    schema.reportValue('disallow', value, kept ? 'Written as "not".' : 'Dropped.');
  }),
  // The keyword `dependencies` becomes `dependentRequired` and `dependentSchemas`.
  rule('dependencies', 'info', ['dependencies'], (schema) => {
    const value = schema.get('dependencies');
    const entries = jsonMembers(value);
    const names = entries.flatMap(([name, needs]): (readonly [string, Json])[] => {
      if (typeof needs === 'string') return [[name, [needs]]];
      return Array.isArray(needs) ? [[name, needs]] : [];
    });
    const schemas = entries.filter(([, needs]) => isJsonObject(needs));
    if (names.length > 0 && !schema.has('dependentRequired')) {
      schema.rename('dependencies', 'dependentRequired', Object.fromEntries(names));
    }
    if (schemas.length > 0 && !schema.has('dependentSchemas')) {
      schema.rename('dependencies', 'dependentSchemas', Object.fromEntries(schemas));
    }
    schema.delete('dependencies');
    schema.reportValue('dependencies', value, 'Split into both keywords.');
  }),
  // Entries of `dependentRequired` that are not lists of names are dropped.
  rule('dependent-required', 'info', ['dependentRequired'], (schema) => {
    const value = schema.get('dependentRequired');
    const entries = jsonMembers(value);
    const named = entries.map(([name, needs]) => [name, [...new Set(jsonTexts(needs))]] as const);
    const usable = named.filter(([, names]) => names.length > 0);
    const isUsable = named.every(
      ([, names], at) => names.length > 0 && names.length === jsonItems(entries[at]?.[1]).length,
    );
    if (isUsable && named.length > 0) return;
    schema.setOrDelete('dependentRequired', Object.fromEntries(usable));
    const message = '"dependentRequired" contains values that are not names.';
    schema.report('dependentRequired', message, 'Kept the names.');
  }),
];

const TEXTS = listKeywordsOfKind('text').filter((keyword) => keyword !== 'pattern');
const VALUES = [...listKeywordsOfKind('value'), ...listKeywordsOfKind('values')];

/** Rules for annotations, formats, and values that JSON cannot express. */
export const annotationRules: readonly SchemaRule[] = [
  // The keyword `readonly` becomes `readOnly`.
  rule('readonly', 'info', ['readonly'], (schema) => {
    const readonly = schema.get('readonly') ?? false;
    const kept = isPhpTruthy(readonly) && !schema.has('readOnly');
    if (kept) schema.rename('readonly', 'readOnly', true);
    schema.delete('readonly');
    schema.reportValue('readonly', readonly, kept ? 'Written as "readOnly".' : 'Dropped.');
  }),
  // The contexts in which the site returns a property are kept as the extension `context`.
  rule('context', 'info', ['context', EXTENSION_NAMES.context], (schema) => {
    for (const keyword of ['context', EXTENSION_NAMES.context]) {
      const value = schema.get(keyword);
      if (value === undefined) continue;
      const names = typeof value === 'string' ? [value] : isJsonObject(value) ? Object.values(value) : value;
      const usable = [...new Set(jsonTexts(names))];
      const asItIs = keyword !== 'context' && Array.isArray(value) && usable.length === value.length;
      if (asItIs && usable.length > 0) continue;
      schema.delete(keyword);
      if (usable.length > 0) schema.set(EXTENSION_NAMES.context, usable);
      const action = usable.length > 0 ? `Kept as "${EXTENSION_NAMES.context}".` : 'Dropped.';
      schema.reportValue(keyword, value, action);
    }
  }),
  // An `example`, or `examples` that are not a list, become a list of examples.
  rule('example', 'info', ['example', 'examples'], (schema) => {
    const example = schema.get('example');
    schema.delete('example');
    if (example !== undefined) {
      if (!schema.has('examples')) schema.set('examples', [example]);
      schema.report('example', 'The schema has an "example".', 'Kept as the list "examples".');
    }
    const examples = schema.get('examples');
    if (examples === undefined || Array.isArray(examples)) return;
    schema.set('examples', isJsonObject(examples) ? Object.values(examples) : [examples]);
    schema.reportValue('examples', examples, 'Kept its values as a list.');
  }),
  // A format that is not a word is dropped; an unknown word is kept, because validators ignore it.
  rule('format-not-usable', 'info', ['format'], (schema) => {
    const format = schema.get('format');
    // Tools look formats up in plain objects, where they would find `constructor`.
    if (typeof format === 'string' && /^[a-z][\w.+-]{0,63}$/i.test(format) && !(format in {})) return;
    schema.delete('format');
    schema.report('format', `The format is ${describeValue(format)}.`, 'Dropped.');
  }),
  // A title, a description or another text that is not a string is dropped.
  dropRule('text-not-text', 'info', TEXTS, isText),
  // A default, an enum, a constant or examples that JSON cannot express are dropped.
  rule('value-not-writable', 'warning', VALUES, (schema) => {
    for (const keyword of VALUES) {
      const value = schema.get(keyword);
      if (value === undefined || isSerializable(value)) continue;
      schema.delete(keyword);
      const message = `"${keyword}" nests too deeply or contains a number that is not finite.`;
      schema.report(keyword, message, 'Dropped.');
    }
  }),
];

/** The rule that drops unknown keywords. Runs after the rules that rename outdated keywords. */
export const unknownKeywordRules: readonly SchemaRule[] = [
  // A keyword that is not of JSON Schema 2020-12 is dropped.
  rule('unknown-keyword', 'info', [], (schema) => {
    for (const [keyword, value] of [...schema.keywords]) {
      if (KEYWORD_KINDS.has(keyword)) continue;
      schema.delete(keyword);
      const stated = typeof value === 'string' ? 'a string' : describeValue(value);
      schema.report(keyword, `${describeValue(keyword)} is ${stated}.`, 'Dropped: unknown keyword.');
    }
  }),
];
