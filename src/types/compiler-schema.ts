/**
 * Input of json-schema-to-typescript: one construct per node, and no text of the site except enum literals.
 * Properties and references are numbered tokens (`k0`, `R0`), so that no hostile name (`__proto__`, `hasOwnProperty`,
 * `$ref`) reaches the compiler, and schemas that differ only in names are compiled once.
 */
export interface CompilerSchema {
  type?: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';
  /** TypeScript text, copied to the output. */
  tsType?: string;
  enum?: (string | number | boolean | null)[];
  anyOf?: CompilerSchema[];
  allOf?: CompilerSchema[];
  /** A list for a tuple. */
  items?: CompilerSchema | CompilerSchema[];
  /** Schema of the items after those of a tuple. */
  additionalItems?: CompilerSchema;
  properties?: Record<string, CompilerSchema>;
  required?: string[];
  additionalProperties?: false | CompilerSchema;
}

export const UNKNOWN_SCHEMA: CompilerSchema = { tsType: 'unknown' };
export const NEVER_SCHEMA: CompilerSchema = { tsType: 'never' };

/**
 * Interns nodes: equal nodes of all shapes of a module become one object. The compiler visits an object once, and most
 * nodes are plain strings and numbers. Two interned nodes are equal only if they are identical.
 */
export interface SchemaInterner {
  /**
   * Returns the node that is equal to this one and was interned first.
   *
   * @param node a node whose members are interned; it must not be changed afterwards
   */
  intern(node: CompilerSchema): CompilerSchema;
  /** Interns the union of members (`oneOf`, `anyOf`). A member that is `unknown` makes the union `unknown`. */
  internUnion(members: readonly CompilerSchema[]): CompilerSchema;
  /** Interns the intersection of members. A member that is `unknown` adds nothing. */
  internIntersection(members: readonly CompilerSchema[]): CompilerSchema;
}

export function createSchemaInterner(): SchemaInterner {
  const interned = new Map<string, CompilerSchema>();
  const numbers = new Map<CompilerSchema, number>();
  const intern = (node: CompilerSchema): CompilerSchema => {
    const key = structuralKey(node, numbers);
    const existing = interned.get(key);
    if (existing !== undefined) return existing;
    interned.set(key, node);
    numbers.set(node, numbers.size);
    return node;
  };
  intern(NEVER_SCHEMA);
  intern(UNKNOWN_SCHEMA);
  return {
    intern,
    internUnion(members) {
      const [only] = members;
      if (only !== undefined && members.length === 1) return only;
      const distinct = new Set(members.flatMap((member) => member.anyOf ?? [member]));
      distinct.delete(NEVER_SCHEMA);
      if (distinct.has(UNKNOWN_SCHEMA)) return UNKNOWN_SCHEMA;
      const [first] = distinct;
      return distinct.size > 1 ? intern({ anyOf: [...distinct] }) : (first ?? NEVER_SCHEMA);
    },
    internIntersection(members) {
      const distinct = new Set(members.flatMap((member) => member.allOf ?? [member]));
      distinct.delete(UNKNOWN_SCHEMA);
      if (distinct.has(NEVER_SCHEMA)) return NEVER_SCHEMA;
      const [first] = distinct;
      return distinct.size > 1 ? intern({ allOf: [...distinct] }) : (first ?? UNKNOWN_SCHEMA);
    },
  };
}

/** A key that only equal nodes share: the node's own keywords, and its members by number. */
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

/** Whether a type states only the kind of the JSON value. */
export function isUnconstrained({
  type,
  anyOf,
  items,
  properties,
  additionalProperties,
}: CompilerSchema): boolean {
  switch (type) {
    case undefined:
      return anyOf?.every(isUnconstrained) ?? false;
    case 'array':
      return !Array.isArray(items) && items?.tsType === 'unknown';
    case 'object':
      return (
        Object.keys(properties ?? {}).length === 0 &&
        additionalProperties !== false &&
        additionalProperties?.tsType === 'unknown'
      );
    default:
      return true;
  }
}
