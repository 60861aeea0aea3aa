import { describeValue } from '../../../discovery/index-values.ts';
import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import { isJsonObject, jsonTexts } from '../../../json.ts';
import { isPhpEmpty } from '../../../php/request.ts';
import { KEYWORD_KINDS, listKeywordsOfKind } from '../keywords.ts';
import { dropRule, isText, rule, type SchemaRule, valueRule } from '../mutable-schema.ts';

const TEXTS = listKeywordsOfKind('text').filter((keyword) => keyword !== 'pattern');

export const annotationRules: readonly SchemaRule[] = [
  rule('readonly', 'info', ['readonly'], (schema) => {
    const readonly = schema.get('readonly') ?? false;
    const kept = !isPhpEmpty(readonly) && !schema.has('readOnly');
    if (kept) schema.set('readOnly', true, schema.origin('readonly'));
    schema.delete('readonly');
    schema.reportValue('readonly', readonly, kept ? 'Written as "readOnly".' : 'Dropped.');
  }),
  // Becomes the extension `context`.
  valueRule('context', 'info', ['context', EXTENSION_NAMES.context], (value, schema, keyword) => {
    const names = typeof value === 'string' ? [value] : isJsonObject(value) ? Object.values(value) : value;
    const usable = [...new Set(jsonTexts(names))];
    const asItIs = keyword !== 'context' && Array.isArray(value) && usable.length === value.length;
    if (asItIs && usable.length > 0) return;
    schema.delete(keyword);
    if (usable.length > 0) schema.set(EXTENSION_NAMES.context, usable);
    const action = usable.length > 0 ? `Kept as "${EXTENSION_NAMES.context}".` : 'Dropped.';
    schema.reportValue(keyword, value, action);
  }),
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
  // Unknown words are kept, because validators ignore them.
  valueRule('format-not-usable', 'info', ['format'], (format, schema) => {
    // Tools look formats up in plain objects, which have `constructor`.
    if (typeof format === 'string' && /^[a-z][\w.+-]{0,63}$/i.test(format) && !(format in {})) return;
    schema.delete('format');
    schema.report('format', `The format is ${describeValue(format)}.`, 'Dropped.');
  }),
  dropRule('text-not-text', 'info', TEXTS, isText),
];

/** After the rules that rename keywords. */
export const unknownKeywordRules: readonly SchemaRule[] = [
  // Keeps what WordPress reads, and annotations of JSON Schema 2020-12.
  rule('unknown-keyword', 'info', [], (schema) => {
    for (const [keyword, value] of [...schema.keywords]) {
      if (KEYWORD_KINDS.has(keyword)) continue;
      schema.delete(keyword);
      const declared = typeof value === 'string' ? 'a string' : describeValue(value);
      schema.report(keyword, `${describeValue(keyword)} is ${declared}.`, 'Dropped: unknown keyword.');
    }
  }),
];
