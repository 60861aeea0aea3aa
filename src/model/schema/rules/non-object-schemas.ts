import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import type { Json, JsonObject } from '../../../json.ts';
import { parseTypeExpression } from '../type-words.ts';

/** A rule that converts a value that is not an object, but is in the position of a schema. */
export interface NonObjectRule {
  readonly name: string;
  readonly summary: string;
  readonly severity: 'info' | 'warning';
  /** Whether the conversion is not reported. True if both forms are equivalent. */
  readonly isSilent: boolean;
  readonly message: string;
  readonly action: string;
  readonly matches: (raw: Json) => boolean;
  readonly toSchema: (raw: Json) => JsonObject;
}

/** The rules for values that are not objects. The first rule whose `matches` returns `true` applies. */
export const NON_OBJECT_RULES: readonly NonObjectRule[] = [
  {
    name: 'schema-boolean',
    summary: 'The schema `true` becomes `{}`, and `false` becomes `{ "not": {} }`.',
    severity: 'info',
    isSilent: true,
    message: 'The schema is a boolean.',
    action: 'Written as an object.',
    matches: (raw) => typeof raw === 'boolean',
    toSchema: (raw) => (raw === true ? {} : { not: {} }),
  },
  {
    name: 'schema-empty-list',
    summary: 'The schema `[]` becomes `{}`: PHP encodes an empty array as a list.',
    severity: 'info',
    isSilent: false,
    message: 'The schema is [].',
    action: 'Read as {}.',
    matches: (raw) => Array.isArray(raw) && raw.length === 0,
    toSchema: () => ({}),
  },
  {
    name: 'schema-type-word',
    summary: 'A schema that is the name of a type becomes a schema of that type.',
    severity: 'info',
    isSilent: false,
    message: 'The schema is the name of a type.',
    action: 'Read as its "type".',
    matches: (raw) => typeof raw === 'string' && parseTypeExpression(raw) !== undefined,
    toSchema: (raw) => ({ type: raw, [EXTENSION_NAMES.type]: null }),
  },
  {
    name: 'schema-not-schema',
    summary: 'Any other value in the position of a schema becomes an open schema.',
    severity: 'warning',
    isSilent: false,
    message: 'The value is not a schema.',
    action: 'Left open.',
    matches: () => true,
    toSchema: () => ({}),
  },
];
