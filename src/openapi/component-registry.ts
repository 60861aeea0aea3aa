import type { Json, JsonObject } from '../json.ts';

/** Collects the components of a document: a writer registers content under a name and gets a reference to it. */
export interface ComponentRegistry {
  /**
   * Registers a schema under a preferred name. Equal content under one name is one component; other content whose name is
   * taken gets the name with a number, in the order of the calls.
   */
  schema(name: string, content: JsonObject): JsonObject;
  /** Registers a schema object once: later calls with the same object return the first reference. */
  sharedSchema(name: string, content: JsonObject): JsonObject;
  /** Registers a component of another section, once for each name. */
  sharedComponent(section: ComponentSection, name: string, content: JsonObject): JsonObject;
  /** Creates the Components Object: sections in the specification's order, names sorted. */
  toComponentsObject(): JsonObject;
}

type ComponentSection = 'responses' | 'parameters' | 'headers' | 'securitySchemes';

const SECTION_ORDER = ['schemas', 'responses', 'parameters', 'headers', 'securitySchemes'] as const;

/** @param reserved contents whose names no other content gets, even if it is registered first */
export function createComponentRegistry(
  reserved: { readonly [name: string]: JsonObject } = {},
): ComponentRegistry {
  const sections = new Map<string, Map<string, JsonObject>>(SECTION_ORDER.map((name) => [name, new Map()]));
  const references = new Map<JsonObject, JsonObject>();
  const section = (name: string): Map<string, JsonObject> => sections.get(name) ?? new Map();

  function freeName(preferred: string, content: JsonObject): string {
    let text: string | undefined;
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? preferred : `${preferred}${number}`;
      const current =
        section('schemas').get(name) ?? (Object.hasOwn(reserved, name) ? reserved[name] : undefined);
      if (current === undefined || current === content) return name;
      text ??= JSON.stringify(content);
      if (JSON.stringify(current) === text) return name;
    }
  }

  function schema(preferred: string, content: JsonObject): JsonObject {
    const name = freeName(preferred, content);
    if (!section('schemas').has(name)) section('schemas').set(name, content);
    return { $ref: `#/components/schemas/${name}` };
  }

  return {
    schema,
    sharedSchema(preferred, content) {
      const reference = references.get(content) ?? schema(preferred, content);
      references.set(content, reference);
      return reference;
    },
    sharedComponent(kind, name, content) {
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
