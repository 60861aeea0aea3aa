import { describeValue } from '../../../discovery/index-values.ts';
import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import { isJsonObject, type Json, toPointerSegment } from '../../../json.ts';
import { evaluateSchema } from '../evaluate.ts';
import { listKeywordsOfKind } from '../keywords.ts';
import { type MutableSchema, rule, type SchemaRule } from '../mutable-schema.ts';
import { isPhpTruthy, toFiniteNumber } from '../values.ts';

const COUNTS = listKeywordsOfKind('count');
const NUMBERS = [...listKeywordsOfKind('number'), ...listKeywordsOfKind('divisor')];
const LIMITS = [...NUMBERS, ...COUNTS];
const FLAGS = listKeywordsOfKind('flag');

/** Rules for bounds, lengths, counts and flags. */
export const boundRules: readonly SchemaRule[] = [
  // A boolean `exclusiveMinimum` or `exclusiveMaximum` takes the value of its bound.
  rule('exclusive-boolean', 'info', ['exclusiveMinimum', 'exclusiveMaximum'], (schema) => {
    for (const [exclusive, inclusive] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const) {
      const flag = schema.get(exclusive);
      if (typeof flag !== 'boolean') continue;
      const bound = schema.get(inclusive);
      schema.delete(exclusive);
      const moves = flag && bound !== undefined;
      if (moves) {
        schema.delete(inclusive);
        schema.set(exclusive, bound);
      }
      const action = moves ? `It takes the value of "${inclusive}".` : 'Dropped: it has no effect.';
      schema.report(exclusive, `"${exclusive}" is ${flag}.`, action);
    }
  }),
  // A bound or a length that is a number in a string becomes that number.
  rule('number-as-text', 'info', LIMITS, (schema) => {
    for (const keyword of LIMITS) {
      const value = schema.get(keyword);
      const number = typeof value === 'string' ? toFiniteNumber(value) : undefined;
      if (value === undefined || number === undefined) continue;
      schema.set(keyword, number);
      schema.report(keyword, `"${keyword}" is the string ${describeValue(value)}.`, `Read as ${number}.`);
    }
  }),
  // A bound that is not a number, or a length that is negative or not an integer, is dropped.
  rule('bound-not-usable', 'warning', LIMITS, (schema) => {
    for (const keyword of LIMITS) {
      const value = schema.get(keyword);
      if (value === undefined || isBound(keyword, value)) continue;
      schema.delete(keyword);
      schema.report(keyword, `"${keyword}" is ${describeValue(value)}.`, 'Dropped.');
    }
  }),
  // A flag that is not a boolean becomes true if PHP treats its value as true, and is dropped otherwise.
  rule('flag-not-boolean', 'info', FLAGS, (schema) => {
    for (const keyword of FLAGS) {
      const value = schema.get(keyword);
      if (value === undefined || typeof value === 'boolean') continue;
      const truthy = isPhpTruthy(value) && !isJsonObject(value);
      if (truthy) schema.set(keyword, true);
      else schema.delete(keyword);
      schema.report(
        keyword,
        `"${keyword}" is ${describeValue(value)}.`,
        truthy ? 'Read as true.' : 'Dropped.',
      );
    }
  }),
];

function isBound(keyword: string, value: Json): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (COUNTS.includes(keyword)) return Number.isInteger(value) && value >= 0;
  return keyword !== 'multipleOf' || value > 0;
}

/** Rules for patterns. A site states PCRE with the `u` flag, JSON Schema requires ECMA-262 (core §6.4). Both are unanchored. */
export const patternRules: readonly SchemaRule[] = [
  // A pattern that is not a string is dropped.
  rule('pattern-text', 'warning', ['pattern', EXTENSION_NAMES.pcre], (schema) => {
    for (const keyword of ['pattern', EXTENSION_NAMES.pcre]) {
      const value = schema.get(keyword);
      if (value === undefined || typeof value === 'string') continue;
      schema.delete(keyword);
      schema.report(keyword, `"${keyword}" is ${describeValue(value)}.`, 'Dropped.');
    }
  }),
  // A pattern that ECMA-262 writes differently is translated, and the original is kept.
  rule('pattern-pcre', 'info', ['pattern', EXTENSION_NAMES.pcre], (schema) => {
    const stated = schema.get('pattern');
    const pcre = readPcre(schema);
    const translation = pcre === undefined ? undefined : schema.translatePattern(pcre);
    if (pcre === undefined || translation?.kind !== 'ecma' || translation.pattern === stated) return;
    schema.set('pattern', translation.pattern);
    schema.set(EXTENSION_NAMES.pcre, pcre);
    schema.report(
      'pattern',
      `The pattern ${describeValue(pcre)} is PCRE.`,
      `Translated to ${describeValue(translation.pattern)}.`,
    );
  }),
  // A pattern that ECMA-262 cannot express exactly becomes the narrowest one that accepts all its values.
  rule('pattern-wider', 'warning', ['pattern'], (schema) => {
    const pcre = readPcre(schema);
    const translation = pcre === undefined ? undefined : schema.translatePattern(pcre);
    if (pcre === undefined || translation?.kind !== 'ecma' || translation.wideningReasons.length === 0)
      return;
    schema.set(EXTENSION_NAMES.pcre, pcre);
    schema.report(
      'pattern',
      `The pattern ${describeValue(pcre)} has no exact form in ECMA-262: ${translation.wideningReasons.join('; ')}.`,
      'Widened it.',
    );
  }),
  // A pattern on which a backtracking engine can take very long is kept and reported.
  rule('pattern-ambiguous', 'warning', ['pattern'], (schema) => {
    const pcre = readPcre(schema);
    const translation = pcre === undefined ? undefined : schema.translatePattern(pcre);
    if (pcre === undefined || translation?.kind !== 'ecma' || !translation.isAmbiguous) return;
    const message = `The pattern ${describeValue(pcre)} can match one string in very many ways.`;
    schema.report('pattern', message, 'Kept it; waygate matches it in linear time.');
  }),
  // A pattern that ECMA-262 cannot express is dropped, and the original is kept.
  rule('pattern-not-representable', 'warning', ['pattern'], (schema) => {
    const pcre = readPcre(schema);
    const translation = pcre === undefined ? undefined : schema.translatePattern(pcre);
    if (pcre === undefined || translation?.kind !== 'none') return;
    schema.delete('pattern');
    schema.set(EXTENSION_NAMES.pcre, pcre);
    schema.report(
      'pattern',
      `The pattern ${describeValue(pcre)} has no form in ECMA-262: ${translation.reason}.`,
      'Dropped.',
    );
  }),
  // A pattern of property names that ECMA-262 cannot express is dropped, together with `additionalProperties`.
  rule('pattern-properties-lost', 'warning', ['patternProperties'], (schema) => {
    const translated = new Set<string>();
    const properties = toEntries(schema.get('patternProperties'));
    const kept = properties.filter(([key]) => {
      const translation = schema.translatePattern(readKeyPcre(schema, key));
      const where = schema.origin('patternProperties') + toPointerSegment(key);
      if (translation.kind === 'none') {
        schema.reportAt(
          where,
          `The pattern has no form in ECMA-262: ${translation.reason}.`,
          'Dropped: any name is allowed.',
        );
        return false;
      }
      if (!translated.has(translation.pattern)) return translated.add(translation.pattern);
      schema.reportAt(where, 'The pattern is equivalent to another one.', 'Dropped: any name is allowed.');
      return false;
    });
    if (kept.length === properties.length) return;
    schema.set('patternProperties', Object.fromEntries(kept));
    schema.delete('additionalProperties');
  }),
  // Patterns of property names are translated like other patterns, and the originals are kept.
  rule(
    'pattern-properties-pcre',
    'info',
    ['patternProperties', EXTENSION_NAMES.patternProperties],
    (schema) => {
      const changed = new Map<string, string>();
      const translated = toEntries(schema.get('patternProperties')).map(([key, subschema]) => {
        const pcre = readKeyPcre(schema, key);
        const translation = schema.translatePattern(pcre);
        const pattern = translation.kind === 'ecma' ? translation.pattern : key;
        if (pattern !== pcre) changed.set(pattern, pcre);
        const where = schema.origin('patternProperties') + toPointerSegment(key);
        if (pattern !== key) {
          schema.reportAt(
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
  ),
];

/** Reads the PCRE pattern that the site states. After the translation of `pattern` an extension keyword contains it. */
function readPcre(schema: MutableSchema): string | undefined {
  const pcre = schema.get(EXTENSION_NAMES.pcre) ?? schema.get('pattern');
  return typeof pcre === 'string' ? pcre : undefined;
}

/** Reads the PCRE pattern that the site states for a key of `patternProperties`. */
function readKeyPcre(schema: MutableSchema, key: string): string {
  const originals = schema.get(EXTENSION_NAMES.patternProperties);
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
  if (entries.length > 0) schema.set(keyword, Object.fromEntries(entries));
  else schema.delete(keyword);
}

/** Rules for defaults that PHP encodes differently. */
export const defaultRules: readonly SchemaRule[] = [
  // A default of `[]` for an object becomes `{}`.
  rule('default-list-for-object', 'info', ['default', EXTENSION_NAMES.default], (schema) => {
    for (const keyword of ['default', EXTENSION_NAMES.default]) {
      const value = schema.get(keyword);
      if (!Array.isArray(value) || value.length > 0 || !isObjectAlone(schema)) continue;
      schema.set(keyword, {});
      schema.report(keyword, 'The default of an object is [].', 'Read as {}.');
    }
  }),
];

/** The rules that check a default against its schema. They run after the subschemas have been normalized. */
export const defaultCheckRules: readonly SchemaRule[] = [
  // A default of null, which WordPress treats as no default, stays a default only where the schema takes null.
  rule('default-null', 'info', ['default'], (schema) => {
    if (schema.get('default') !== null) return;
    if (evaluateSchema(Object.fromEntries(schema.keywords), null) === 'valid') return;
    schema.delete('default');
    schema.set(EXTENSION_NAMES.default, null);
    schema.report('default', 'The default is null.', `Kept as "${EXTENSION_NAMES.default}".`);
  }),
  // A default that its own schema rejects, or may reject, is kept as the extension `default`.
  rule('default-refused', 'warning', ['default'], (schema) => {
    const value = schema.get('default');
    if (value === undefined) return;
    const verdict = evaluateSchema(Object.fromEntries(schema.keywords), value);
    if (verdict === 'valid') return;
    schema.delete('default');
    schema.set(EXTENSION_NAMES.default, value);
    const message =
      verdict === 'invalid' ? 'is rejected by its own schema' : 'may be rejected by its own schema';
    schema.report(
      'default',
      `The default ${describeValue(value)} ${message}.`,
      `Kept as "${EXTENSION_NAMES.default}".`,
    );
  }),
];

function isObjectAlone(schema: MutableSchema): boolean {
  const type = schema.get('type');
  return type === 'object' || (Array.isArray(type) && type.includes('object') && !type.includes('array'));
}
