import type { Json, JsonObject } from '../../../json.ts';
import { typesIn } from '../type-words.ts';

/** What is done with something that stands where a schema is expected and is no object. */
export interface ShapeRule {
  readonly name: string;
  readonly sentence: string;
  readonly severity: 'info' | 'warning';
  /** Nothing to tell: another way to write the same schema. */
  readonly silent: boolean;
  readonly message: string;
  readonly action: string;
  readonly fits: (raw: Json) => boolean;
  readonly schema: (raw: Json) => JsonObject;
}

/** The first that fits is taken. */
export const SHAPE_RULES: readonly ShapeRule[] = [
  {
    name: 'schema-boolean',
    sentence: 'The schema `true` is `{}`, and `false` is `{ "not": {} }`.',
    severity: 'info',
    silent: true,
    message: 'The schema is a boolean.',
    action: 'Written as an object.',
    fits: (raw) => typeof raw === 'boolean',
    schema: (raw) => (raw === true ? {} : { not: {} }),
  },
  {
    name: 'schema-empty-list',
    sentence: 'A schema that is `[]` is `{}`: PHP writes an empty object so.',
    severity: 'info',
    silent: false,
    message: 'The schema is [].',
    action: 'Read as {}.',
    fits: (raw) => Array.isArray(raw) && raw.length === 0,
    schema: () => ({}),
  },
  {
    name: 'schema-type-word',
    sentence: 'A schema that is only the name of a type is a schema of that type.',
    severity: 'info',
    silent: false,
    message: 'The schema is the name of a type.',
    action: 'Read as its "type".',
    fits: (raw) => typeof raw === 'string' && typesIn(raw) !== undefined,
    schema: (raw) => ({ type: raw, 'x-waygate-type': null }),
  },
  {
    name: 'schema-not-schema',
    sentence: 'Anything else that stands where a schema is expected is an open schema.',
    severity: 'warning',
    silent: false,
    message: 'There is no schema where one is expected.',
    action: 'Left open.',
    fits: () => true,
    schema: () => ({}),
  },
];
