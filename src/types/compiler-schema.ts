import { getOrCreate } from '../memoize.ts';

/** Input of json-schema-to-typescript, without titles and references, which it would follow. */
export interface CompilerSchema {
  type?: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';
  description?: string;
  /** TypeScript text, copied to the output. */
  tsType?: string;
  enum?: (string | number | boolean | null)[];
  anyOf?: CompilerSchema[];
  allOf?: CompilerSchema[];
  /** A list for a tuple. */
  items?: CompilerSchema | CompilerSchema[];
  /** For items after those of a tuple. */
  additionalItems?: CompilerSchema;
  properties?: Record<string, CompilerSchema>;
  required?: string[];
  additionalProperties?: false | CompilerSchema;
}

export const UNKNOWN_SCHEMA: CompilerSchema = { tsType: 'unknown' };
export const NEVER_SCHEMA: CompilerSchema = { tsType: 'never' };

/** Makes equal nodes one object, because the compiler visits each object once. */
export class SchemaInterner {
  readonly #interned: Map<string, CompilerSchema> = new Map();

  /** Items and marks of lists from {@link internReadonlyList}. */
  readonly readonlyItems: Map<CompilerSchema, string> = new Map();

  constructor() {
    this.intern(NEVER_SCHEMA);
    this.intern(UNKNOWN_SCHEMA);
  }

  /** The first equal node. It must not be changed afterwards. */
  intern(node: CompilerSchema): CompilerSchema {
    return getOrCreate(this.#interned, JSON.stringify(node), () => node);
  }

  /** The compiler can't write `readonly`, so it copies a mark that stands for the list. */
  internReadonlyList(items: CompilerSchema): CompilerSchema {
    const mark = getOrCreate(this.readonlyItems, items, () => `\u0001${this.readonlyItems.size}\u0001`);
    return this.intern({ type: 'array', items, tsType: mark });
  }

  /** A member that is `unknown` makes the union `unknown`. */
  internUnion(members: readonly CompilerSchema[]): CompilerSchema {
    const [only] = members;
    if (only !== undefined && members.length === 1) return only;
    const distinct = new Set(members.flatMap((member) => member.anyOf ?? [member]));
    distinct.delete(NEVER_SCHEMA);
    if (distinct.has(UNKNOWN_SCHEMA)) return UNKNOWN_SCHEMA;
    const [first] = distinct;
    return distinct.size > 1 ? this.intern({ anyOf: [...distinct] }) : (first ?? NEVER_SCHEMA);
  }

  /** A member that is `unknown` adds nothing. */
  internIntersection(members: readonly CompilerSchema[]): CompilerSchema {
    const distinct = new Set(members.flatMap((member) => member.allOf ?? [member]));
    distinct.delete(UNKNOWN_SCHEMA);
    if (distinct.has(NEVER_SCHEMA)) return NEVER_SCHEMA;
    const [first] = distinct;
    return distinct.size > 1 ? this.intern({ allOf: [...distinct] }) : (first ?? UNKNOWN_SCHEMA);
  }
}
