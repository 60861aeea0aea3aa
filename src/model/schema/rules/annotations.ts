import { describeValue } from '../../../discovery/index-values.ts';
import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import { isJsonObject, type Json } from '../../../json.ts';
import { KEYWORD_KINDS, listKeywordsOfKind } from '../keywords.ts';
import { getOriginPointer, renameKeyword, type SchemaRule } from '../mutable-schema.ts';
import { isPhpTruthy, isSerializable } from '../values.ts';

const TEXTS = listKeywordsOfKind('text').filter((keyword) => keyword !== 'pattern');
const VALUES = [...listKeywordsOfKind('value'), ...listKeywordsOfKind('values')];

/** Rules for annotations, formats, and values that JSON cannot express. */
export const annotationRules: readonly SchemaRule[] = [
  {
    name: 'readonly',
    summary: 'The keyword `readonly` becomes `readOnly`.',
    severity: 'info',
    triggers: ['readonly'],
    apply(schema, report) {
      const readonly = schema.keywords.get('readonly') ?? false;
      const kept = isPhpTruthy(readonly) && !schema.keywords.has('readOnly');
      if (kept) renameKeyword(schema, 'readonly', 'readOnly', true);
      schema.keywords.delete('readonly');
      report(
        '/readonly',
        `"readonly" is ${describeValue(readonly)}.`,
        kept ? 'Written as "readOnly".' : 'Dropped.',
      );
    },
  },
  {
    name: 'context',
    summary: `The contexts in which the site returns a property are kept as \`${EXTENSION_NAMES.context}\`.`,
    severity: 'info',
    triggers: ['context', EXTENSION_NAMES.context],
    apply(schema, report) {
      for (const keyword of ['context', EXTENSION_NAMES.context]) {
        const value = schema.keywords.get(keyword);
        if (value === undefined) continue;
        const names =
          typeof value === 'string' ? [value] : isJsonObject(value) ? Object.values(value) : value;
        const usable = Array.isArray(names)
          ? [...new Set(names.filter((name) => typeof name === 'string'))]
          : [];
        const asItIs = keyword !== 'context' && Array.isArray(value) && usable.length === value.length;
        if (asItIs && usable.length > 0) continue;
        schema.keywords.delete(keyword);
        if (usable.length > 0) schema.keywords.set(EXTENSION_NAMES.context, usable);
        const action = usable.length > 0 ? `Kept as "${EXTENSION_NAMES.context}".` : 'Dropped.';
        report(`/${keyword}`, `"${keyword}" is ${describeValue(value)}.`, action);
      }
    },
  },
  {
    name: 'example',
    summary: 'An `example`, or `examples` that are not a list, become a list of examples.',
    severity: 'info',
    triggers: ['example', 'examples'],
    apply(schema, report) {
      const example = schema.keywords.get('example');
      schema.keywords.delete('example');
      if (example !== undefined) {
        if (!schema.keywords.has('examples')) schema.keywords.set('examples', [example]);
        report('/example', 'The schema has an "example".', 'Kept as the list "examples".');
      }
      const examples = schema.keywords.get('examples');
      if (examples === undefined || Array.isArray(examples)) return;
      schema.keywords.set('examples', isJsonObject(examples) ? Object.values(examples) : [examples]);
      report('/examples', `"examples" is ${describeValue(examples)}.`, 'Kept its values as a list.');
    },
  },
  {
    name: 'format-not-usable',
    summary: 'A format that is not a word is dropped; an unknown word is kept, because validators ignore it.',
    severity: 'info',
    triggers: ['format'],
    apply(schema, report) {
      const format = schema.keywords.get('format');
      // Tools look formats up in plain objects, where they would find `constructor`.
      if (typeof format === 'string' && /^[a-z][\w.+-]{0,63}$/i.test(format) && !(format in {})) return;
      schema.keywords.delete('format');
      report(getOriginPointer(schema, 'format'), `The format is ${describeValue(format)}.`, 'Dropped.');
    },
  },
  {
    name: 'text-not-text',
    summary: 'A title, a description or another text that is not a string is dropped.',
    severity: 'info',
    triggers: [...TEXTS, EXTENSION_NAMES.patternProperties],
    apply(schema, report) {
      for (const keyword of TEXTS) {
        const value = schema.keywords.get(keyword);
        if (value === undefined || typeof value === 'string') continue;
        schema.keywords.delete(keyword);
        report(getOriginPointer(schema, keyword), `"${keyword}" is ${describeValue(value)}.`, 'Dropped.');
      }
    },
  },
  {
    name: 'value-not-writable',
    summary: 'A default, an enum, a constant or examples that JSON cannot express are dropped.',
    severity: 'warning',
    triggers: VALUES,
    apply(schema, report) {
      for (const keyword of VALUES) {
        const value = schema.keywords.get(keyword);
        if (value === undefined || isSerializable(value)) continue;
        schema.keywords.delete(keyword);
        report(
          getOriginPointer(schema, keyword),
          `"${keyword}" nests too deeply or contains a number that is not finite.`,
          'Dropped.',
        );
      }
    },
  },
];

/** The rule that drops unknown keywords. Runs after the rules that rename outdated keywords. */
export const unknownKeywordRules: readonly SchemaRule[] = [
  {
    name: 'unknown-keyword',
    summary: 'A keyword that is not of JSON Schema 2020-12 is dropped.',
    severity: 'info',
    triggers: [],
    apply(schema, report) {
      for (const [keyword, value] of [...schema.keywords]) {
        if (KEYWORD_KINDS.has(keyword)) continue;
        schema.keywords.delete(keyword);
        report(
          getOriginPointer(schema, keyword),
          `${describeValue(keyword)} is ${describeKeywordValue(value)}.`,
          'Dropped: unknown keyword.',
        );
      }
    },
  },
];

function describeKeywordValue(value: Json): string {
  return typeof value === 'string' ? 'a string' : describeValue(value);
}
