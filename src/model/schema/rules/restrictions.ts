import { describeValue } from '../../../discovery/index-values.ts';
import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import { isJsonObject, jsonMembers, memberAt, toPointerSegment } from '../../../json.ts';
import { isPhpEmpty } from '../../../php/request.ts';
import { evaluateSchema } from '../evaluate.ts';
import { isUsableLimit, LIMIT_KEYWORDS, listKeywordsOfKind } from '../keywords.ts';
import { dropRule, isText, type MutableSchema, rule, type SchemaRule, valueRule } from '../mutable-schema.ts';
import type { PatternTranslation } from '../patterns.ts';
import { toFiniteNumber } from '../values.ts';

const FLAGS = listKeywordsOfKind('flag');

export const boundRules: readonly SchemaRule[] = [
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
  valueRule('number-as-text', 'info', LIMIT_KEYWORDS, (value, schema, keyword) => {
    const number = typeof value === 'string' ? toFiniteNumber(value) : undefined;
    if (number === undefined) return;
    schema.set(keyword, number);
    schema.report(keyword, `"${keyword}" is the string ${describeValue(value)}.`, `Read as ${number}.`);
  }),
  dropRule('bound-not-usable', 'warning', LIMIT_KEYWORDS, isUsableLimit),
  // True if PHP treats the value as true, otherwise dropped.
  valueRule('flag-not-boolean', 'info', FLAGS, (value, schema, keyword) => {
    if (typeof value === 'boolean') return;
    const truthy = !isPhpEmpty(value) && !isJsonObject(value);
    if (truthy) schema.set(keyword, true);
    else schema.delete(keyword);
    schema.reportValue(keyword, value, truthy ? 'Read as true.' : 'Dropped.');
  }),
];

/** Sites state PCRE with the `u` flag; JSON Schema requires ECMA-262 (core §6.4). Both are unanchored. */
export const patternRules: readonly SchemaRule[] = [
  dropRule('pattern-text', 'warning', ['pattern', EXTENSION_NAMES.pcre], isText),
  // Translated, with the original kept.
  rule('pattern-pcre', 'info', ['pattern', EXTENSION_NAMES.pcre], (schema) => {
    const declared = schema.get('pattern');
    const read = readPattern(schema);
    if (read?.kind !== 'ecma' || read.pattern === declared) return;
    schema.set('pattern', read.pattern);
    schema.set(EXTENSION_NAMES.pcre, read.pcre);
    const action = `Translated to ${describeValue(read.pattern)}.`;
    schema.report('pattern', `The pattern ${describeValue(read.pcre)} is PCRE.`, action);
  }),
  rule('pattern-wider', 'warning', ['pattern'], (schema) => {
    const read = readPattern(schema);
    if (read?.kind !== 'ecma' || read.wideningReasons.length === 0) return;
    schema.set(EXTENSION_NAMES.pcre, read.pcre);
    const message = `The pattern ${describeValue(read.pcre)} has no exact form in ECMA-262`;
    schema.report('pattern', `${message}: ${read.wideningReasons.join('; ')}.`, 'Widened it.');
  }),
  rule('pattern-not-representable', 'warning', ['pattern'], (schema) => {
    const read = readPattern(schema);
    if (read?.kind !== 'none') return;
    schema.delete('pattern');
    schema.set(EXTENSION_NAMES.pcre, read.pcre);
    const message = `The pattern ${describeValue(read.pcre)} has no form in ECMA-262: ${read.reason}.`;
    schema.report('pattern', message, 'Dropped.');
  }),
  // Dropped, together with `additionalProperties`.
  rule('pattern-properties-lost', 'warning', ['patternProperties'], (schema) => {
    const translated = new Set<string>();
    const properties = jsonMembers(schema.get('patternProperties'));
    const kept = properties.filter(([key]) => {
      const translation = schema.patterns.translate(readKeyPcre(schema, key));
      const where = schema.origin('patternProperties') + toPointerSegment(key);
      const isLost = translation.kind === 'none';
      if (!isLost && !translated.has(translation.pattern)) return translated.add(translation.pattern);
      const defect = isLost
        ? `has no form in ECMA-262: ${translation.reason}`
        : 'is equivalent to another one';
      schema.reportAt(where, `The pattern ${defect}.`, 'Dropped: any name is allowed.');
      return false;
    });
    if (kept.length === properties.length) return;
    schema.set('patternProperties', Object.fromEntries(kept));
    schema.delete('additionalProperties');
  }),
  rule(
    'pattern-properties-pcre',
    'info',
    ['patternProperties', EXTENSION_NAMES.patternProperties],
    (schema) => {
      const changed = new Map<string, string>();
      const translated = jsonMembers(schema.get('patternProperties')).map(([key, subschema]) => {
        const pcre = readKeyPcre(schema, key);
        const translation = schema.patterns.translate(pcre);
        const pattern = translation.kind === 'ecma' ? translation.pattern : key;
        if (pattern !== pcre) changed.set(pattern, pcre);
        const where = schema.origin('patternProperties') + toPointerSegment(key);
        const action = `Translated to ${describeValue(pattern)}.`;
        if (pattern !== key) schema.reportAt(where, `The pattern ${describeValue(pcre)} is PCRE.`, action);
        return [pattern, subschema] as const;
      });
      schema.setOrDelete('patternProperties', Object.fromEntries(translated));
      schema.setOrDelete(EXTENSION_NAMES.patternProperties, Object.fromEntries(changed));
    },
  ),
];

/** The stated PCRE pattern; after the translation, an extension has it. */
function readPattern(schema: MutableSchema): ({ readonly pcre: string } & PatternTranslation) | undefined {
  const pcre = schema.get(EXTENSION_NAMES.pcre) ?? schema.get('pattern');
  return typeof pcre === 'string' ? { pcre, ...schema.patterns.translate(pcre) } : undefined;
}

function readKeyPcre(schema: MutableSchema, key: string): string {
  const original = memberAt(schema.get(EXTENSION_NAMES.patternProperties), key);
  return typeof original === 'string' ? original : key;
}

/** A date of this century can differ at each discovery; `1970-01-01` and `2024-12-31` are constants. */
export function isTimeOfRequest(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^20\d\d-(?!01-01|12-31)\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(value)
  );
}

const DEFAULTS = ['default', EXTENSION_NAMES.default];

export const defaultRules: readonly SchemaRule[] = [
  // Each discovery should give the same document.
  valueRule('default-time', 'info', ['default'], (value, schema) => {
    if (!isTimeOfRequest(value)) return;
    schema.delete('default');
    schema.report('default', 'The default is a date, which may be that of the request.', 'Left out.');
  }),
  // `[]` becomes `{}`.
  valueRule('default-list-for-object', 'info', DEFAULTS, (value, schema, keyword) => {
    if (!Array.isArray(value) || value.length > 0 || !isObjectAlone(schema)) return;
    schema.set(keyword, {});
    schema.report(keyword, 'The default of an object is [].', 'Read as {}.');
  }),
];

/** After the subschemas have been normalized. */
export const defaultCheckRules: readonly SchemaRule[] = [
  // WordPress treats null as no default, so it stays only where the schema accepts null.
  valueRule('default-null', 'info', ['default'], (value, schema) => {
    if (value !== null) return;
    if (evaluateSchema(Object.fromEntries(schema.keywords), null) === 'valid') return;
    schema.delete('default');
    schema.set(EXTENSION_NAMES.default, null);
    schema.report('default', 'The default is null.', `Kept as "${EXTENSION_NAMES.default}".`);
  }),
  valueRule('default-refused', 'warning', ['default'], (value, schema) => {
    const verdict = evaluateSchema(Object.fromEntries(schema.keywords), value);
    if (verdict === 'valid') return;
    schema.delete('default');
    schema.set(EXTENSION_NAMES.default, value);
    const effect = verdict === 'invalid' ? 'is' : 'may be';
    const message = `The default ${describeValue(value)} ${effect} rejected by its own schema.`;
    schema.report('default', message, `Kept as "${EXTENSION_NAMES.default}".`);
  }),
];

function isObjectAlone(schema: MutableSchema): boolean {
  const type = schema.get('type');
  return type === 'object' || (Array.isArray(type) && type.includes('object') && !type.includes('array'));
}
