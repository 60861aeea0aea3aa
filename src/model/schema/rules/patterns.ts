import { describeValue } from '../../../discovery/index-values.ts';
import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import { isJsonObject, type Json, toPointerSegment } from '../../../json.ts';
import { getOriginPointer, type MutableSchema, type SchemaRule } from '../mutable-schema.ts';

/** Rules for patterns. A site states PCRE with the `u` flag, JSON Schema requires ECMA-262 (core §6.4). Both are unanchored. */
export const patternRules: readonly SchemaRule[] = [
  {
    name: 'pattern-text',
    summary: 'A pattern that is not a string is dropped.',
    severity: 'warning',
    triggers: ['pattern', EXTENSION_NAMES.pcre],
    apply(schema, report) {
      for (const keyword of ['pattern', EXTENSION_NAMES.pcre]) {
        const value = schema.keywords.get(keyword);
        if (value === undefined || typeof value === 'string') continue;
        schema.keywords.delete(keyword);
        report(`/${keyword}`, `"${keyword}" is ${describeValue(value)}.`, 'Dropped.');
      }
    },
  },
  {
    name: 'pattern-pcre',
    summary: 'A pattern that ECMA-262 writes differently is translated, and the original is kept.',
    severity: 'info',
    triggers: ['pattern', EXTENSION_NAMES.pcre],
    apply(schema, report) {
      const stated = schema.keywords.get('pattern');
      const pcre = readPcre(schema);
      const translation = pcre === undefined ? undefined : schema.translatePattern(pcre);
      if (pcre === undefined || translation?.kind !== 'ecma' || translation.pattern === stated) return;
      schema.keywords.set('pattern', translation.pattern);
      schema.keywords.set(EXTENSION_NAMES.pcre, pcre);
      report(
        '/pattern',
        `The pattern ${describeValue(pcre)} is PCRE.`,
        `Translated to ${describeValue(translation.pattern)}.`,
      );
    },
  },
  {
    name: 'pattern-wider',
    summary:
      'A pattern that ECMA-262 cannot express exactly becomes the narrowest one that accepts all its values.',
    severity: 'warning',
    triggers: ['pattern'],
    apply(schema, report) {
      const pcre = readPcre(schema);
      const translation = pcre === undefined ? undefined : schema.translatePattern(pcre);
      if (pcre === undefined || translation?.kind !== 'ecma' || translation.wideningReasons.length === 0)
        return;
      schema.keywords.set(EXTENSION_NAMES.pcre, pcre);
      report(
        '/pattern',
        `The pattern ${describeValue(pcre)} has no exact form in ECMA-262: ${translation.wideningReasons.join('; ')}.`,
        'Widened it.',
      );
    },
  },
  {
    name: 'pattern-ambiguous',
    summary: 'A pattern on which a backtracking engine can take very long is kept and reported.',
    severity: 'warning',
    triggers: ['pattern'],
    apply(schema, report) {
      const pcre = readPcre(schema);
      const translation = pcre === undefined ? undefined : schema.translatePattern(pcre);
      if (pcre === undefined || translation?.kind !== 'ecma' || !translation.isAmbiguous) return;
      const message = `The pattern ${describeValue(pcre)} can match one string in very many ways.`;
      report('/pattern', message, 'Kept it; waygate matches it in linear time.');
    },
  },
  {
    name: 'pattern-not-representable',
    summary: 'A pattern that ECMA-262 cannot express is dropped, and the original is kept.',
    severity: 'warning',
    triggers: ['pattern'],
    apply(schema, report) {
      const pcre = readPcre(schema);
      const translation = pcre === undefined ? undefined : schema.translatePattern(pcre);
      if (pcre === undefined || translation?.kind !== 'none') return;
      schema.keywords.delete('pattern');
      schema.keywords.set(EXTENSION_NAMES.pcre, pcre);
      report(
        '/pattern',
        `The pattern ${describeValue(pcre)} has no form in ECMA-262: ${translation.reason}.`,
        'Dropped.',
      );
    },
  },
  {
    name: 'pattern-properties-lost',
    summary:
      'A pattern of property names that ECMA-262 cannot express is dropped, together with `additionalProperties`.',
    severity: 'warning',
    triggers: ['patternProperties'],
    apply(schema, report) {
      const translated = new Set<string>();
      const properties = toEntries(schema.keywords.get('patternProperties'));
      const kept = properties.filter(([key]) => {
        const translation = schema.translatePattern(readKeyPcre(schema, key));
        const where = getOriginPointer(schema, 'patternProperties') + toPointerSegment(key);
        if (translation.kind === 'none') {
          report(
            where,
            `The pattern has no form in ECMA-262: ${translation.reason}.`,
            'Dropped: any name is allowed.',
          );
          return false;
        }
        if (!translated.has(translation.pattern)) return translated.add(translation.pattern);
        report(where, 'The pattern is equivalent to another one.', 'Dropped: any name is allowed.');
        return false;
      });
      if (kept.length === properties.length) return;
      schema.keywords.set('patternProperties', Object.fromEntries(kept));
      schema.keywords.delete('additionalProperties');
    },
  },
  {
    name: 'pattern-properties-pcre',
    summary: 'Patterns of property names are translated like other patterns, and the originals are kept.',
    severity: 'info',
    triggers: ['patternProperties', EXTENSION_NAMES.patternProperties],
    apply(schema, report) {
      const changed = new Map<string, string>();
      const translated = toEntries(schema.keywords.get('patternProperties')).map(([key, subschema]) => {
        const pcre = readKeyPcre(schema, key);
        const translation = schema.translatePattern(pcre);
        const pattern = translation.kind === 'ecma' ? translation.pattern : key;
        if (pattern !== pcre) changed.set(pattern, pcre);
        const where = getOriginPointer(schema, 'patternProperties') + toPointerSegment(key);
        if (pattern !== key) {
          report(
            where,
            `The pattern ${describeValue(pcre)} is PCRE.`,
            `Translated to ${describeValue(pattern)}.`,
          );
        }
        return [pattern, subschema] as const;
      });
      setOrDelete(schema, 'patternProperties', translated);
      setOrDelete(schema, EXTENSION_NAMES.patternProperties, [...changed]);
    },
  },
];

/** Reads the PCRE pattern that the site states. After the translation of `pattern` an extension keyword contains it. */
function readPcre(schema: MutableSchema): string | undefined {
  const pcre = schema.keywords.get(EXTENSION_NAMES.pcre) ?? schema.keywords.get('pattern');
  return typeof pcre === 'string' ? pcre : undefined;
}

/** Reads the PCRE pattern that the site states for a key of `patternProperties`. */
function readKeyPcre(schema: MutableSchema, key: string): string {
  const originals = schema.keywords.get(EXTENSION_NAMES.patternProperties);
  const original = isJsonObject(originals) && Object.hasOwn(originals, key) ? originals[key] : undefined;
  return typeof original === 'string' ? original : key;
}

function toEntries(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function setOrDelete(
  schema: MutableSchema,
  keyword: string,
  entries: readonly (readonly [string, Json])[],
): void {
  if (entries.length > 0) schema.keywords.set(keyword, Object.fromEntries(entries));
  else schema.keywords.delete(keyword);
}
