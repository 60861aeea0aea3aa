import { isJsonObject, type Json, pointerToken } from '../../../json.ts';
import { type Draft, originOf, type Rule, show } from '../draft.ts';

/** The site's patterns are PCRE with the `u` flag; JSON Schema's are ECMA-262 (core §6.4). Neither is anchored. */
export const patternRules: readonly Rule[] = [
  {
    name: 'pattern-text',
    sentence: 'A pattern that is not a string is dropped.',
    severity: 'warning',
    on: ['pattern', 'x-waygate-pcre'],
    apply(draft, found) {
      for (const keyword of ['pattern', 'x-waygate-pcre']) {
        const value = draft.keywords.get(keyword);
        if (value === undefined || typeof value === 'string') continue;
        draft.keywords.delete(keyword);
        found(`/${keyword}`, `"${keyword}" is ${show(value)}.`, 'Dropped.');
      }
    },
  },
  {
    name: 'pattern-pcre',
    sentence: 'A pattern that ECMA-262 writes differently is translated, and the original is kept beside.',
    severity: 'info',
    on: ['pattern', 'x-waygate-pcre'],
    apply(draft, found) {
      const stated = draft.keywords.get('pattern');
      const pcre = pcreOf(draft);
      const translation = pcre === undefined ? undefined : draft.translate(pcre);
      if (pcre === undefined || translation?.kind !== 'ecma' || translation.pattern === stated) return;
      draft.keywords.set('pattern', translation.pattern);
      draft.keywords.set('x-waygate-pcre', pcre);
      found('/pattern', `The pattern ${show(pcre)} is PCRE.`, `Translated to ${show(translation.pattern)}.`);
    },
  },
  {
    name: 'pattern-wider',
    sentence:
      'A pattern that ECMA-262 cannot express exactly becomes the narrowest one that accepts as much.',
    severity: 'warning',
    on: ['pattern'],
    apply(draft, found) {
      const pcre = pcreOf(draft);
      const translation = pcre === undefined ? undefined : draft.translate(pcre);
      if (pcre === undefined || translation?.kind !== 'ecma' || translation.wider.length === 0) return;
      draft.keywords.set('x-waygate-pcre', pcre);
      found(
        '/pattern',
        `Of ${show(pcre)}, not all can be said: ${translation.wider.join('; ')}.`,
        'Made wider.',
      );
    },
  },
  {
    name: 'pattern-ambiguous',
    sentence: 'A pattern over which a backtracking engine could take very long is kept and reported.',
    severity: 'warning',
    on: ['pattern'],
    apply(draft, found) {
      const pcre = pcreOf(draft);
      const translation = pcre === undefined ? undefined : draft.translate(pcre);
      if (pcre === undefined || translation?.kind !== 'ecma' || !translation.ambiguous) return;
      const message = `The pattern ${show(pcre)} can match one text in very many ways.`;
      found('/pattern', message, 'Kept; waygate itself matches it in linear time.');
    },
  },
  {
    name: 'pattern-not-representable',
    sentence: 'A pattern that ECMA-262 cannot express at all is dropped, and the original is kept.',
    severity: 'warning',
    on: ['pattern'],
    apply(draft, found) {
      const pcre = pcreOf(draft);
      const translation = pcre === undefined ? undefined : draft.translate(pcre);
      if (pcre === undefined || translation?.kind !== 'none') return;
      draft.keywords.delete('pattern');
      draft.keywords.set('x-waygate-pcre', pcre);
      found(
        '/pattern',
        `The pattern ${show(pcre)} has no form in ECMA-262: ${translation.reason}.`,
        'Dropped.',
      );
    },
  },
  {
    name: 'pattern-properties-lost',
    sentence:
      'A pattern of property names that ECMA-262 cannot express is dropped, and with it what refuses other names.',
    severity: 'warning',
    on: ['patternProperties'],
    apply(draft, found) {
      const translated = new Set<string>();
      const properties = entriesOf(draft.keywords.get('patternProperties'));
      const kept = properties.filter(([key]) => {
        const translation = draft.translate(pcreOfKey(draft, key));
        const where = originOf(draft, 'patternProperties') + pointerToken(key);
        if (translation.kind === 'none') {
          found(
            where,
            `The pattern has no form in ECMA-262: ${translation.reason}.`,
            'Dropped: any name is allowed.',
          );
          return false;
        }
        if (!translated.has(translation.pattern)) return translated.add(translation.pattern);
        found(where, 'The pattern means the same as another.', 'Dropped: any name is allowed.');
        return false;
      });
      if (kept.length === properties.length) return;
      draft.keywords.set('patternProperties', Object.fromEntries(kept));
      draft.keywords.delete('additionalProperties');
    },
  },
  {
    name: 'pattern-properties-pcre',
    sentence: 'Patterns of property names are translated as others are, and the originals are kept beside.',
    severity: 'info',
    on: ['patternProperties', 'x-waygate-pattern-properties'],
    apply(draft, found) {
      const changed = new Map<string, string>();
      const translated = entriesOf(draft.keywords.get('patternProperties')).map(([key, schema]) => {
        const pcre = pcreOfKey(draft, key);
        const translation = draft.translate(pcre);
        const pattern = translation.kind === 'ecma' ? translation.pattern : key;
        if (pattern !== pcre) changed.set(pattern, pcre);
        const where = originOf(draft, 'patternProperties') + pointerToken(key);
        if (pattern !== key)
          found(where, `The pattern ${show(pcre)} is PCRE.`, `Translated to ${show(pattern)}.`);
        return [pattern, schema] as const;
      });
      put(draft, 'patternProperties', translated);
      put(draft, 'x-waygate-pattern-properties', [...changed]);
    },
  },
];

/** The site's own pattern: beside `pattern` once that has been translated. */
function pcreOf(draft: Draft): string | undefined {
  const pcre = draft.keywords.get('x-waygate-pcre') ?? draft.keywords.get('pattern');
  return typeof pcre === 'string' ? pcre : undefined;
}

/** The site's own pattern for a key of `patternProperties`. */
function pcreOfKey(draft: Draft, key: string): string {
  const originals = draft.keywords.get('x-waygate-pattern-properties');
  const original = isJsonObject(originals) && Object.hasOwn(originals, key) ? originals[key] : undefined;
  return typeof original === 'string' ? original : key;
}

function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function put(draft: Draft, keyword: string, entries: readonly (readonly [string, Json])[]): void {
  if (entries.length > 0) draft.keywords.set(keyword, Object.fromEntries(entries));
  else draft.keywords.delete(keyword);
}
