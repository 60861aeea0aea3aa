import { getOrCreate } from '../../base/memoize.ts';

/** Input of json-schema-to-typescript, without titles and references, which it would follow. */
export interface CompilerSchema {
  type?: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';
  description?: string;
  tsType?: string;
  enum?: (string | number | boolean | null)[];
  anyOf?: CompilerSchema[];
  allOf?: CompilerSchema[];
  items?: CompilerSchema;
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

  intern(node: CompilerSchema): CompilerSchema {
    return getOrCreate(this.#interned, JSON.stringify(node), () => node);
  }

  /** The compiler can't write `readonly`, so it copies a mark that stands for the list. */
  internReadonlyList(items: CompilerSchema): CompilerSchema {
    const mark = getOrCreate(this.readonlyItems, items, () => `\u0001${this.readonlyItems.size}\u0001`);
    return this.intern({ type: 'array', items, tsType: mark });
  }

  /**
   * Creates a function that replaces parts of a schema.
   *
   * @param replace gets the property that the part belongs to, and returns `undefined` to keep it
   */
  createMapper(
    replace: (schema: CompilerSchema, property: string) => CompilerSchema | undefined,
  ): (schema: CompilerSchema) => CompilerSchema {
    const mapped = new Map<CompilerSchema, Map<string, CompilerSchema>>();
    const map = (schema: CompilerSchema, property: string): CompilerSchema =>
      getOrCreate(
        getOrCreate(mapped, schema, () => new Map<string, CompilerSchema>()),
        property,
        () => replace(schema, property) ?? this.#mapParts(schema, property, map),
      );
    return (schema) => map(schema, '');
  }

  #mapParts(
    schema: CompilerSchema,
    property: string,
    map: (part: CompilerSchema, property: string) => CompilerSchema,
  ): CompilerSchema {
    const { additionalProperties, allOf, anyOf, description, items, properties } = schema;
    if (description !== undefined) {
      const { description: _, ...plain } = schema;
      return this.intern({ ...map(this.intern(plain), property), description });
    }
    const mapAll = (parts: readonly CompilerSchema[]) => parts.map((part) => map(part, property));
    if (items !== undefined && schema.tsType !== undefined)
      return this.internReadonlyList(map(items, property));
    if (anyOf !== undefined) return this.internUnion(mapAll(anyOf));
    const mapped = { ...schema };
    if (allOf !== undefined) mapped.allOf = mapAll(allOf);
    if (items !== undefined) mapped.items = map(items, property);
    if (typeof additionalProperties === 'object')
      mapped.additionalProperties = map(additionalProperties, property);
    if (properties !== undefined) {
      const members = Object.entries(properties).map(([key, part]) => [key, map(part, key)] as const);
      mapped.properties = Object.fromEntries(members);
    }
    return this.intern(mapped);
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
