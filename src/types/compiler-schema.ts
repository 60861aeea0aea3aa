import { getOrCreate } from '../memoize.ts';

/** Input of json-schema-to-typescript: one construct per node, no title and no reference, which the compiler would follow. */
export interface CompilerSchema {
  type?: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';
  /** The comment of a property. */
  description?: string;
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
export class SchemaInterner {
  readonly #interned: Map<string, CompilerSchema> = new Map();

  /** The items of the lists that {@link internReadonlyList} has interned, and the marks of the lists. */
  readonly readonlyItems: Map<CompilerSchema, string> = new Map();

  constructor() {
    this.intern(NEVER_SCHEMA);
    this.intern(UNKNOWN_SCHEMA);
  }

  /** Returns the node that is equal to this one and was interned first. The node must not be changed afterwards. */
  intern(node: CompilerSchema): CompilerSchema {
    return getOrCreate(this.#interned, JSON.stringify(node), () => node);
  }

  /** Interns a `readonly` list. The compiler cannot write one, so it copies a mark that stands for the list. */
  internReadonlyList(items: CompilerSchema): CompilerSchema {
    const mark = getOrCreate(this.readonlyItems, items, () => `\u0001${this.readonlyItems.size}\u0001`);
    return this.intern({ type: 'array', items, tsType: mark });
  }

  /** Interns the union of members (`oneOf`, `anyOf`). A member that is `unknown` makes the union `unknown`. */
  internUnion(members: readonly CompilerSchema[]): CompilerSchema {
    const [only] = members;
    if (only !== undefined && members.length === 1) return only;
    const distinct = new Set(members.flatMap((member) => member.anyOf ?? [member]));
    distinct.delete(NEVER_SCHEMA);
    if (distinct.has(UNKNOWN_SCHEMA)) return UNKNOWN_SCHEMA;
    const [first] = distinct;
    return distinct.size > 1 ? this.intern({ anyOf: [...distinct] }) : (first ?? NEVER_SCHEMA);
  }

  /** Interns the intersection of members. A member that is `unknown` adds nothing. */
  internIntersection(members: readonly CompilerSchema[]): CompilerSchema {
    const distinct = new Set(members.flatMap((member) => member.allOf ?? [member]));
    distinct.delete(UNKNOWN_SCHEMA);
    if (distinct.has(NEVER_SCHEMA)) return NEVER_SCHEMA;
    const [first] = distinct;
    return distinct.size > 1 ? this.intern({ allOf: [...distinct] }) : (first ?? UNKNOWN_SCHEMA);
  }
}
