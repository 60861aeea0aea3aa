import type { Json, JsonObject } from '../json.ts';

/** Collects the components of a document. Each method that registers content returns a reference to it. */
export interface ComponentRegistry {
  /**
   * Registers a schema under a preferred name. Equal content under one name is one component. If other content has the
   * name already, a number is added to it.
   */
  registerSchema(name: string, content: JsonObject): JsonObject;
  /** Registers a schema object once: later calls with the same object return the first reference. */
  registerSharedSchema(name: string, content: JsonObject): JsonObject;
  /**
   * Registers the schema of an object once. Later calls with the same object return the first reference. `create` may
   * register schemas that refer to this one.
   */
  registerSchemaOf(key: object, name: string, create: () => JsonObject): JsonObject;
  /** Registers a component of another section, once for each name. */
  registerComponent(section: ComponentSection, name: string, content: JsonObject): JsonObject;
  /** Creates the Components Object: sections in the specification's order, names sorted. */
  toComponentsObject(): JsonObject;
}

type ComponentSection = 'responses' | 'parameters' | 'headers' | 'securitySchemes';

const SECTION_ORDER = ['schemas', 'responses', 'parameters', 'headers', 'securitySchemes'] as const;

/**
 * Creates an empty registry.
 *
 * @param reserved schemas by name; no other schema gets one of these names
 */
export function createComponentRegistry(
  reserved: { readonly [name: string]: JsonObject } = {},
): ComponentRegistry {
  const sections = new Map<string, Map<string, JsonObject>>(SECTION_ORDER.map((name) => [name, new Map()]));
  const references = new Map<object, JsonObject>();
  const section = (name: string): Map<string, JsonObject> => sections.get(name) ?? new Map();

  /** The names of schemas by their lower case. Tools write a file for each schema, and some file systems ignore case. */
  const schemaNames = new Map(Object.keys(reserved).map((name) => [name.toLowerCase(), name]));

  /** The first number that is not tried yet, by preferred name: names are never given back. */
  const nextNumbers = new Map<string, number>();

  function unusedName(preferred: string): string {
    for (let number = nextNumbers.get(preferred) ?? 1; ; number += 1) {
      const name = number === 1 ? preferred : `${preferred}${number}`;
      if (schemaNames.has(name.toLowerCase())) continue;
      nextNumbers.set(preferred, number + 1);
      return name;
    }
  }

  /** The names of registered contents by preferred name and text, for names that were preferred for several contents. */
  const namesByText = new Map<string, Map<string, string>>();

  function nameOf(preferred: string, content: JsonObject): string {
    const current = section('schemas').get(preferred) ?? reserved[preferred];
    if (current === content || !schemaNames.has(preferred.toLowerCase())) return preferred;
    const text = JSON.stringify(content);
    if (current !== undefined && JSON.stringify(current) === text) return preferred;
    const names = namesByText.get(preferred) ?? new Map<string, string>();
    namesByText.set(preferred, names);
    const name = names.get(text) ?? unusedName(preferred);
    names.set(text, name);
    return name;
  }

  function registerSchema(preferred: string, content: JsonObject): JsonObject {
    const name = nameOf(preferred, content);
    if (!section('schemas').has(name)) setSchema(name, content);
    return { $ref: `#/components/schemas/${name}` };
  }

  function setSchema(name: string, content: JsonObject): void {
    schemaNames.set(name.toLowerCase(), name);
    section('schemas').set(name, content);
  }

  return {
    registerSchema,
    registerSharedSchema(preferred, content) {
      const reference = references.get(content) ?? registerSchema(preferred, content);
      references.set(content, reference);
      return reference;
    },
    registerSchemaOf(key, preferred, create) {
      const known = references.get(key);
      if (known !== undefined) return known;
      const name = unusedName(preferred);
      // The name is taken before the content exists, because the content may refer to it.
      setSchema(name, {});
      const reference = { $ref: `#/components/schemas/${name}` };
      references.set(key, reference);
      section('schemas').set(name, create());
      return reference;
    },
    registerComponent(kind, name, content) {
      if (!section(kind).has(name)) section(kind).set(name, content);
      return { $ref: `#/components/${kind}/${name}` };
    },
    toComponentsObject() {
      return Object.fromEntries(
        SECTION_ORDER.flatMap((name): [string, Json][] => {
          const entries = [...section(name)].sort(([a], [b]) => (a < b ? -1 : 1));
          return entries.length === 0 ? [] : [[name, Object.fromEntries(entries)]];
        }),
      );
    },
  };
}
