import { isJsonObject, type Json, pointerToken } from '../../../json.ts';
import { type Draft, originOf, type Rule, show } from '../draft.ts';
import { translatePattern } from '../patterns.ts';

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
      const translation = pcre === undefined ? undefined : translatePattern(pcre);
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
      const translation = pcre === undefined ? undefined : translatePattern(pcre);
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
      const translation = pcre === undefined ? undefined : translatePattern(pcre);
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
      const translation = pcre === undefined ? undefined : translatePattern(pcre);
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
    name: 'pattern-properties-pcre',
    sentence:
      'Patterns of property names are translated like others; where one cannot be, no property is refused.',
    severity: 'warning',
    on: ['patternProperties', 'x-waygate-pattern-properties'],
    apply(draft, found) {
      const stated = draft.keywords.get('x-waygate-pattern-properties');
      draft.keywords.delete('x-waygate-pattern-properties');
      const properties = draft.keywords.get('patternProperties');
      if (!isJsonObject(properties)) {
        draft.keywords.delete('patternProperties');
        return;
      }
      const originals = new Map(isJsonObject(stated) ? Object.entries(stated) : []);
      const kept = new Map<string, Json>();
      const changed = new Map<string, Json>();
      let lost = false;
      for (const [key, schema] of Object.entries(properties)) {
        const original = originals.get(key);
        const pcre = typeof original === 'string' ? original : key;
        const translation = translatePattern(pcre);
        const where = `${originOf(draft, 'patternProperties')}${pointerToken(key)}`;
        if (translation.kind === 'none' || kept.has(translation.pattern)) {
          lost = true;
          const why =
            translation.kind === 'none' ? `has no form in ECMA-262: ${translation.reason}` : 'stands twice';
          found(where, `The pattern ${show(pcre)} ${why}.`, 'Dropped, with "additionalProperties".');
          continue;
        }
        kept.set(translation.pattern, schema);
        if (translation.pattern !== pcre) changed.set(translation.pattern, pcre);
        if (translation.pattern !== key)
          found(where, `The pattern ${show(pcre)} is PCRE.`, `Translated to ${show(translation.pattern)}.`);
      }
      if (kept.size > 0) draft.keywords.set('patternProperties', Object.fromEntries(kept));
      else draft.keywords.delete('patternProperties');
      if (changed.size > 0) draft.keywords.set('x-waygate-pattern-properties', Object.fromEntries(changed));
      if (lost) draft.keywords.delete('additionalProperties');
    },
  },
];

/** The site's own pattern: beside `pattern` once that has been translated. */
function pcreOf(draft: Draft): string | undefined {
  const pcre = draft.keywords.get('x-waygate-pcre') ?? draft.keywords.get('pattern');
  return typeof pcre === 'string' ? pcre : undefined;
}
