import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import type { Json, JsonObject } from '../../../json.ts';
import { parseTypeExpression } from '../type-words.ts';

/** A conversion of a value in the position of a schema that is not an object. */
export interface ShapeRule {
  readonly name: string;
  readonly summary: string;
  readonly severity: 'info' | 'warning';
  /** Whether the conversion is not reported, because both forms are equivalent. */
  readonly isSilent: boolean;
  readonly message: string;
  readonly action: string;
  readonly fits: (raw: Json) => boolean;
  readonly schema: (raw: Json) => JsonObject;
}

/** The first rule whose `fits` is true applies. */
export const SHAPE_RULES: readonly ShapeRule[] = [
  {
    name: 'schema-boolean',
    summary: 'The schema `true` becomes `{}`, and `false` becomes `{ "not": {} }`.',
    severity: 'info',
    isSilent: true,
    message: 'The schema is a boolean.',
    action: 'Written as an object.',
    fits: (raw) => typeof raw === 'boolean',
    schema: (raw) => (raw === true ? {} : { not: {} }),
  },
  {
    name: 'schema-empty-list',
    summary: 'The schema `[]` becomes `{}`: PHP encodes an empty array as a list.',
    severity: 'info',
    isSilent: false,
    message: 'The schema is [].',
    action: 'Read as {}.',
    fits: (raw) => Array.isArray(raw) && raw.length === 0,
    schema: () => ({}),
  },
  {
    name: 'schema-type-word',
    summary: 'A schema that is the name of a type becomes a schema of that type.',
    severity: 'info',
    isSilent: false,
    message: 'The schema is the name of a type.',
    action: 'Read as its "type".',
    fits: (raw) => typeof raw === 'string' && parseTypeExpression(raw) !== undefined,
    schema: (raw) => ({ type: raw, [EXTENSION_NAMES.type]: null }),
  },
  {
    name: 'schema-not-schema',
    summary: 'Any other value in the position of a schema becomes an open schema.',
    severity: 'warning',
    isSilent: false,
    message: 'The value is not a schema.',
    action: 'Left open.',
    fits: () => true,
    schema: () => ({}),
  },
];
