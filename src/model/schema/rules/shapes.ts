import type { Json, JsonObject } from '../../../json.ts';
import { EXTENSION } from '../../../openapi/extensions.ts';
import { parseTypeExpression } from '../type-words.ts';

/** What is done with something that stands where a schema is expected and is no object. */
export interface ShapeRule {
  readonly name: string;
  readonly summary: string;
  readonly severity: 'info' | 'warning';
  /** Nothing to tell: another way to write the same schema. */
  readonly isSilent: boolean;
  readonly message: string;
  readonly action: string;
  readonly fits: (raw: Json) => boolean;
  readonly schema: (raw: Json) => JsonObject;
}

/** The first that fits is taken. */
export const SHAPE_RULES: readonly ShapeRule[] = [
  {
    name: 'schema-boolean',
    summary: 'The schema `true` is `{}`, and `false` is `{ "not": {} }`.',
    severity: 'info',
    isSilent: true,
    message: 'The schema is a boolean.',
    action: 'Written as an object.',
    fits: (raw) => typeof raw === 'boolean',
    schema: (raw) => (raw === true ? {} : { not: {} }),
  },
  {
    name: 'schema-empty-list',
    summary: 'A schema that is `[]` is `{}`: PHP writes an empty object so.',
    severity: 'info',
    isSilent: false,
    message: 'The schema is [].',
    action: 'Read as {}.',
    fits: (raw) => Array.isArray(raw) && raw.length === 0,
    schema: () => ({}),
  },
  {
    name: 'schema-type-word',
    summary: 'A schema that is only the name of a type is a schema of that type.',
    severity: 'info',
    isSilent: false,
    message: 'The schema is the name of a type.',
    action: 'Read as its "type".',
    fits: (raw) => typeof raw === 'string' && parseTypeExpression(raw) !== undefined,
    schema: (raw) => ({ type: raw, [EXTENSION.type]: null }),
  },
  {
    name: 'schema-not-schema',
    summary: 'Anything else that stands where a schema is expected is an open schema.',
    severity: 'warning',
    isSilent: false,
    message: 'There is no schema where one is expected.',
    action: 'Left open.',
    fits: () => true,
    schema: () => ({}),
  },
];
