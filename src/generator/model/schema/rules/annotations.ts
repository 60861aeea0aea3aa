import { EXTENSION_NAMES } from '../../../../base/document-extensions.ts';
import { isJsonObject, type Json, jsonTexts } from '../../../../base/json.ts';
import { isPhpEmpty } from '../../../../base/php/request.ts';
import { describeValue } from '../../../discovery/index-values.ts';
import { isUsableLimit, KEYWORD_KINDS } from '../keywords.ts';
import { type MutableSchema, type SchemaRule, valueRule } from '../mutable-schema.ts';

export const annotationRules: readonly SchemaRule[] = [
  valueRule(['readonly'], (readonly, schema) => {
    if (!isPhpEmpty(readonly)) schema.set('readOnly', true);
    schema.delete('readonly');
  }),
  // Becomes the extension `context`.
  valueRule(['context', EXTENSION_NAMES.context], (value, schema, keyword) => {
    const names = typeof value === 'string' ? [value] : isJsonObject(value) ? Object.values(value) : value;
    const usable = [...new Set(jsonTexts(names))];
    schema.delete(keyword);
    if (usable.length > 0) schema.set(EXTENSION_NAMES.context, usable);
  }),
  valueRule(['example'], (example, schema) => {
    schema.delete('example');
    if (!schema.has('examples')) schema.set('examples', [example]);
  }),
];

/** Drops keywords that WordPress and JSON Schema 2020-12 don't have, and values that no schema can have. */
export function dropUnusableKeywords(schema: MutableSchema): void {
  for (const [keyword, value] of [...schema.keywords]) {
    const kind = KEYWORD_KINDS.get(keyword);
    if (kind !== undefined && isUsable(value, keyword, kind)) continue;
    schema.delete(keyword);
    if (kind === undefined) continue;
    schema.warn('keyword-not-usable', [keyword], `"${keyword}" is ${describeValue(value)}.`, 'Dropped.');
  }
}

function isUsable(value: Json, keyword: string, kind: string): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string' && (keyword !== 'format' || isUsableFormat(value));
    case 'flag':
      return typeof value === 'boolean';
    case 'values':
      return Array.isArray(value);
    case 'schemas':
      return Array.isArray(value) && value.length > 0;
    case 'number':
    case 'divisor':
    case 'count':
      return isUsableLimit(value, keyword);
    default:
      return true;
  }
}

/** Validators ignore unknown formats. Tools look formats up in plain objects, which have `constructor`. */
function isUsableFormat(format: string): boolean {
  return /^[a-z][\w.+-]{0,63}$/i.test(format) && !(format in {});
}
