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

  function freeName(preferred: string, content: JsonObject): string {
    let text: string | undefined;
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? preferred : `${preferred}${number}`;
      const known = schemaNames.get(name.toLowerCase());
      if (known === undefined) return name;
      if (known !== name) continue;
      const current = section('schemas').get(name) ?? reserved[name];
      if (current === content) return name;
      text ??= JSON.stringify(content);
      if (JSON.stringify(current) === text) return name;
    }
  }

  function unusedName(preferred: string): string {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? preferred : `${preferred}${number}`;
      if (!schemaNames.has(name.toLowerCase())) return name;
    }
  }

  function registerSchema(preferred: string, content: JsonObject): JsonObject {
    const name = freeName(preferred, content);
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
