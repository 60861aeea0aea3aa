/**
 * What json-schema-to-typescript is given: one construct a node, and no text of the site but the literals of enums.
 * Properties and references stand as numbered tokens (`k0`, `R0`), so that no hostile name
 * (`__proto__`, `hasOwnProperty`, `$ref`) reaches the compiler, and so that schemas of one shape are compiled once.
 */
export interface CompilerSchema {
  type?: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';
  /** Text of a type, taken as it is. */
  tsType?: string;
  enum?: (string | number | boolean | null)[];
  anyOf?: CompilerSchema[];
  allOf?: CompilerSchema[];
  /** A list: a tuple. */
  items?: CompilerSchema | CompilerSchema[];
  /** What may follow the items of a tuple. */
  additionalItems?: CompilerSchema;
  properties?: Record<string, CompilerSchema>;
  required?: string[];
  additionalProperties?: false | CompilerSchema;
}

export const UNKNOWN_SCHEMA: CompilerSchema = { tsType: 'unknown' };
export const NEVER_SCHEMA: CompilerSchema = { tsType: 'never' };
