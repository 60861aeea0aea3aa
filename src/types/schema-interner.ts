import { type CompilerSchema, NEVER_SCHEMA, UNKNOWN_SCHEMA } from './compiler-schema.ts';

/**
 * Makes one node of equal ones, over all shapes of a module: the compiler goes over a node once, wherever it stands,
 * and most are plain strings and numbers. Two nodes that come from here are equal if they are identical.
 */
export interface SchemaInterner {
  /** @param node whose members come from here (or are `never` or `unknown`); not to be changed any more */
  intern(node: CompilerSchema): CompilerSchema;
  /** `oneOf` and `anyOf` are the same to a type. A member that may be anything leaves nothing to say. */
  union(members: readonly CompilerSchema[]): CompilerSchema;
  /** A member that may be anything adds nothing. */
  intersection(members: readonly CompilerSchema[]): CompilerSchema;
}

export function createSchemaInterner(): SchemaInterner {
  const known = new Map<string, CompilerSchema>();
  const numbers = new Map<CompilerSchema, number>();
  const intern = (node: CompilerSchema): CompilerSchema => {
    const key = structuralKey(node, numbers);
    const before = known.get(key);
    if (before !== undefined) {
      return before;
    }
    known.set(key, node);
    numbers.set(node, numbers.size);
    return node;
  };
  intern(NEVER_SCHEMA);
  intern(UNKNOWN_SCHEMA);
  return {
    intern,
    union(members) {
      const [only] = members;
      if (only !== undefined && members.length === 1) {
        return only;
      }
      const distinct = new Set(members.flatMap((member) => member.anyOf ?? [member]));
      distinct.delete(NEVER_SCHEMA);
      if (distinct.has(UNKNOWN_SCHEMA)) {
        return UNKNOWN_SCHEMA;
      }
      const [first] = distinct;
      return distinct.size > 1 ? intern({ anyOf: [...distinct] }) : (first ?? NEVER_SCHEMA);
    },
    intersection(members) {
      const distinct = new Set(members.flatMap((member) => member.allOf ?? [member]));
      distinct.delete(UNKNOWN_SCHEMA);
      if (distinct.has(NEVER_SCHEMA)) {
        return NEVER_SCHEMA;
      }
      const [first] = distinct;
      return distinct.size > 1 ? intern({ allOf: [...distinct] }) : (first ?? UNKNOWN_SCHEMA);
    },
  };
}

/** What tells a node from all others: its own words, and its members by their numbers. */
function structuralKey(node: CompilerSchema, numbers: ReadonlyMap<CompilerSchema, number>): string {
  const all = (members: readonly CompilerSchema[]): string =>
    members.map((member) => numbers.get(member)).join();
  const { type, tsType, anyOf, allOf, items, additionalItems, additionalProperties } = node;
  if (tsType !== undefined) return `type ${tsType}`;
  if (node.enum !== undefined) return `enum ${JSON.stringify(node.enum)}`;
  if (anyOf !== undefined) return `any ${all(anyOf)}`;
  if (allOf !== undefined) return `all ${all(allOf)}`;
  if (Array.isArray(items)) return `tuple ${all(items)} ${additionalItems ? all([additionalItems]) : ''}`;
  if (items !== undefined) return `list ${all([items])}`;
  if (type !== 'object') return type ?? '';
  let key = 'object';
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    key += ` ${name}:${numbers.get(property)}`;
  }
  const rest = additionalProperties === false ? '' : all(additionalProperties ? [additionalProperties] : []);
  return `${key} | ${(node.required ?? []).join()} | ${rest}`;
}
