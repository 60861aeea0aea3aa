import { describeValue } from '../../../discovery/index-values.ts';
import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import { evaluateSchema } from '../evaluate.ts';
import { getOriginPointer, type MutableSchema, type SchemaRule } from '../mutable-schema.ts';

/** Rules for defaults that PHP encodes differently. */
export const defaultRules: readonly SchemaRule[] = [
  {
    name: 'default-null',
    summary: 'A default of null is dropped: WordPress treats it as no default.',
    severity: 'info',
    triggers: ['default'],
    apply(schema, report) {
      if (schema.keywords.get('default') !== null) return;
      schema.keywords.delete('default');
      report(getOriginPointer(schema, 'default'), 'The default is null.', 'Dropped.');
    },
  },
  {
    name: 'default-list-for-object',
    summary: 'A default of `[]` for an object becomes `{}`.',
    severity: 'info',
    triggers: ['default', EXTENSION_NAMES.default],
    apply(schema, report) {
      for (const keyword of ['default', EXTENSION_NAMES.default]) {
        const value = schema.keywords.get(keyword);
        if (!Array.isArray(value) || value.length > 0 || !isObjectAlone(schema)) continue;
        schema.keywords.set(keyword, {});
        report(getOriginPointer(schema, keyword), 'The default of an object is [].', 'Read as {}.');
      }
    },
  },
];

/** The rule that checks a default against its schema. Runs after the subschemas have been normalized. */
export const defaultCheckRules: readonly SchemaRule[] = [
  {
    name: 'default-refused',
    summary: `A default that its own schema rejects, or may reject, is kept as \`${EXTENSION_NAMES.default}\`.`,
    severity: 'warning',
    triggers: ['default'],
    apply(schema, report) {
      const value = schema.keywords.get('default');
      if (value === undefined) return;
      const verdict = evaluateSchema(Object.fromEntries(schema.keywords), value);
      if (verdict === 'valid') return;
      schema.keywords.delete('default');
      schema.keywords.set(EXTENSION_NAMES.default, value);
      const message =
        verdict === 'invalid' ? 'is rejected by its own schema' : 'may be rejected by its own schema';
      report(
        getOriginPointer(schema, 'default'),
        `The default ${describeValue(value)} ${message}.`,
        `Kept as "${EXTENSION_NAMES.default}".`,
      );
    },
  },
];

function isObjectAlone(schema: MutableSchema): boolean {
  const type = schema.keywords.get('type');
  return type === 'object' || (Array.isArray(type) && type.includes('object') && !type.includes('array'));
}
