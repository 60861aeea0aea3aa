import { isJsonObject, type Json } from '../../../json.ts';
import { originOf, type Rule, rename, show } from '../draft.ts';
import { isTruthy, isWritable } from '../values.ts';
import { keywordsOf, VOCABULARY } from '../vocabulary.ts';

const TEXTS = keywordsOf('text').filter((keyword) => keyword !== 'pattern');
const VALUES = [...keywordsOf('value'), ...keywordsOf('values')];

/** What a schema says about itself. */
export const annotationRules: readonly Rule[] = [
  {
    name: 'readonly',
    sentence: 'The keyword `readonly` becomes `readOnly`.',
    severity: 'info',
    on: ['readonly'],
    apply(draft, found) {
      const readonly = draft.keywords.get('readonly') ?? false;
      const kept = isTruthy(readonly) && !draft.keywords.has('readOnly');
      if (kept) rename(draft, 'readonly', 'readOnly', true);
      draft.keywords.delete('readonly');
      found('/readonly', `"readonly" is ${show(readonly)}.`, kept ? 'Written as "readOnly".' : 'Dropped.');
    },
  },
  {
    name: 'context',
    sentence: 'The contexts in which the site shows a value are kept as `x-waygate-context`.',
    severity: 'info',
    on: ['context', 'x-waygate-context'],
    apply(draft, found) {
      for (const keyword of ['context', 'x-waygate-context']) {
        const value = draft.keywords.get(keyword);
        if (value === undefined) continue;
        const names =
          typeof value === 'string' ? [value] : isJsonObject(value) ? Object.values(value) : value;
        const usable = Array.isArray(names)
          ? [...new Set(names.filter((name) => typeof name === 'string'))]
          : [];
        const asItIs = keyword !== 'context' && Array.isArray(value) && usable.length === value.length;
        if (asItIs && usable.length > 0) continue;
        draft.keywords.delete(keyword);
        if (usable.length > 0) draft.keywords.set('x-waygate-context', usable);
        const action = usable.length > 0 ? 'Kept as "x-waygate-context".' : 'Dropped.';
        found(`/${keyword}`, `"${keyword}" is ${show(value)}.`, action);
      }
    },
  },
  {
    name: 'example',
    sentence: 'An `example`, or `examples` that are not a list, become a list of examples.',
    severity: 'info',
    on: ['example', 'examples'],
    apply(draft, found) {
      const example = draft.keywords.get('example');
      draft.keywords.delete('example');
      if (example !== undefined) {
        if (!draft.keywords.has('examples')) draft.keywords.set('examples', [example]);
        found('/example', 'There is an "example".', 'Kept as the list "examples".');
      }
      const examples = draft.keywords.get('examples');
      if (examples === undefined || Array.isArray(examples)) return;
      draft.keywords.set('examples', isJsonObject(examples) ? Object.values(examples) : [examples]);
      found('/examples', `"examples" is ${show(examples)}.`, 'Its values are kept as a list.');
    },
  },
  {
    name: 'format-not-usable',
    sentence: 'A format that is not a word is dropped; a word that nobody knows is a remark and stays.',
    severity: 'info',
    on: ['format'],
    apply(draft, found) {
      const format = draft.keywords.get('format');
      // Tools look formats up in plain objects, where `constructor` would be found.
      if (typeof format === 'string' && /^[a-z][\w.+-]{0,63}$/i.test(format) && !(format in {})) return;
      draft.keywords.delete('format');
      found(originOf(draft, 'format'), `The format is ${show(format)}.`, 'Dropped.');
    },
  },
  {
    name: 'text-not-text',
    sentence: 'A title, a description or another text that is not a string is dropped.',
    severity: 'info',
    on: [...TEXTS, 'x-waygate-pattern-properties'],
    apply(draft, found) {
      for (const keyword of TEXTS) {
        const value = draft.keywords.get(keyword);
        if (value === undefined || typeof value === 'string') continue;
        draft.keywords.delete(keyword);
        found(originOf(draft, keyword), `"${keyword}" is ${show(value)}.`, 'Dropped.');
      }
    },
  },
  {
    name: 'value-not-writable',
    sentence: 'A default, an enum, a constant or examples that JSON could not write again are dropped.',
    severity: 'warning',
    on: VALUES,
    apply(draft, found) {
      for (const keyword of VALUES) {
        const value = draft.keywords.get(keyword);
        if (value === undefined || isWritable(value)) continue;
        draft.keywords.delete(keyword);
        found(originOf(draft, keyword), `"${keyword}" nests too deeply or is no finite number.`, 'Dropped.');
      }
    },
  },
];

/** Runs when every keyword of the past has been given its present name. */
export const vocabularyRules: readonly Rule[] = [
  {
    name: 'unknown-keyword',
    sentence: 'A keyword that is not of JSON Schema 2020-12 is dropped.',
    severity: 'info',
    on: [],
    apply(draft, found) {
      for (const [keyword, value] of [...draft.keywords]) {
        if (VOCABULARY.has(keyword)) continue;
        draft.keywords.delete(keyword);
        found(
          originOf(draft, keyword),
          `${show(keyword)} is ${describe(value)}.`,
          'Dropped: no such keyword.',
        );
      }
    },
  },
];

function describe(value: Json): string {
  return typeof value === 'string' ? 'a text' : show(value);
}
