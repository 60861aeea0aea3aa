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

export const unknown: CompilerSchema = { tsType: 'unknown' };
export const never: CompilerSchema = { tsType: 'never' };

/** `oneOf` and `anyOf` are the same to a type. A member that may be anything leaves nothing to say. */
export function union(members: readonly CompilerSchema[]): CompilerSchema {
  const [only, ...others] = members;
  if (only !== undefined && others.length === 0) {
    return only;
  }
  const distinct = withoutRepetition(members.flatMap((member) => member.anyOf ?? [member])).filter(
    isNot(never),
  );
  if (distinct.some((member) => member.tsType === 'unknown')) {
    return unknown;
  }
  return distinct.length > 1 ? { anyOf: distinct } : (distinct[0] ?? never);
}

/** A member that may be anything adds nothing. */
export function intersection(members: readonly CompilerSchema[]): CompilerSchema {
  const distinct = withoutRepetition(members.flatMap((member) => member.allOf ?? [member])).filter(
    isNot(unknown),
  );
  if (distinct.some((member) => member.tsType === 'never')) {
    return never;
  }
  return distinct.length > 1 ? { allOf: distinct } : (distinct[0] ?? unknown);
}

function withoutRepetition(members: readonly CompilerSchema[]): readonly CompilerSchema[] {
  return members.length < 2
    ? members
    : [...new Map(members.map((member) => [JSON.stringify(member), member])).values()];
}

function isNot(constant: CompilerSchema): (member: CompilerSchema) => boolean {
  return (member) => member.tsType !== constant.tsType;
}
