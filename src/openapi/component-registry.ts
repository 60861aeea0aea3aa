import type { Json, JsonObject } from '../json.ts';

/** The components of a document while it is made: content goes in by name, a reference comes out. */
export interface ComponentRegistry {
  /**
   * A schema under the wished name. The same content under the same wish is the same component; other content whose name
   * is taken gets the name with a number, in the order of asking.
   */
  schema(name: string, content: JsonObject): JsonObject;
  /** The same for a schema that several ask for: the first wish counts for all who come with the same object. */
  sharedSchema(wish: string, content: JsonObject): JsonObject;
  /** A component of another section that a document either needs or not. */
  sharedComponent(section: ComponentSection, name: string, content: JsonObject): JsonObject;
  /** The Components Object: sections in the specification's order, names sorted. */
  toComponentsObject(): JsonObject;
}

type ComponentSection = 'responses' | 'parameters' | 'headers' | 'securitySchemes';

const SECTION_ORDER = ['schemas', 'responses', 'parameters', 'headers', 'securitySchemes'] as const;

/** `reserved` keeps names for contents that every document uses, whoever asks for them first. */
export function createComponentRegistry(reserved: { readonly [name: string]: JsonObject } = {}): ComponentRegistry {
  const sections = new Map<string, Map<string, JsonObject>>(SECTION_ORDER.map((name) => [name, new Map()]));
  const references = new Map<JsonObject, JsonObject>();
  const section = (name: string): Map<string, JsonObject> => sections.get(name) ?? new Map();

  function freeName(wish: string, content: JsonObject): string {
    let text: string | undefined;
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? wish : `${wish}${number}`;
      const holder =
        section('schemas').get(name) ?? (Object.hasOwn(reserved, name) ? reserved[name] : undefined);
      if (holder === undefined || holder === content) return name;
      text ??= JSON.stringify(content);
      if (JSON.stringify(holder) === text) return name;
    }
  }

  function schema(wish: string, content: JsonObject): JsonObject {
    const name = freeName(wish, content);
    if (!section('schemas').has(name)) section('schemas').set(name, content);
    return { $ref: `#/components/schemas/${name}` };
  }

  return {
    schema,
    sharedSchema(wish, content) {
      const reference = references.get(content) ?? schema(wish, content);
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
