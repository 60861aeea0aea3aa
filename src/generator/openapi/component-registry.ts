import { sortByKey } from '../../base/group-by.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { getOrCreate } from '../../base/memoize.ts';
import { UniqueNames } from '../../base/unique-names.ts';

type ComponentSection = 'responses' | 'parameters' | 'headers' | 'securitySchemes';

const SECTION_ORDER = ['schemas', 'responses', 'parameters', 'headers', 'securitySchemes'] as const;

export class ComponentRegistry {
  readonly #sections: ReadonlyMap<string, Map<string, JsonObject>> = new Map(
    SECTION_ORDER.map((name) => [name, new Map()]),
  );
  readonly #schemas: Map<string, JsonObject> = this.#section('schemas');
  readonly #reserved: { readonly [name: string]: JsonObject };
  /** Compared without case, because tools write a file for each schema. */
  readonly #names: UniqueNames;
  readonly #references: Map<object | string, JsonObject> = new Map();
  readonly #namesByText: Map<string, Map<string, string>> = new Map();

  constructor(reserved: { readonly [name: string]: JsonObject } = {}) {
    this.#reserved = reserved;
    this.#names = new UniqueNames(Object.keys(reserved), { ignoresCase: true });
  }

  /** Equal content under one preferred name is one component; other content gets a number. */
  registerSchema(preferred: string, content: JsonObject): JsonObject {
    const name = this.#nameOf(preferred, content);
    if (!this.#schemas.has(name)) this.#schemas.set(name, content);
    return this.#referTo('schemas', name);
  }

  registerSharedSchema(preferred: string, content: JsonObject): JsonObject {
    return getOrCreate(this.#references, content, () => this.registerSchema(preferred, content));
  }

  registerSchemaOf(key: object, preferred: string, create: () => JsonObject): JsonObject {
    const known = this.#references.get(key);
    if (known !== undefined) return known;
    const name = this.#names.claim(preferred);
    this.#schemas.set(name, {});
    const reference = this.#referTo('schemas', name);
    this.#references.set(key, reference);
    this.#schemas.set(name, create());
    return reference;
  }

  registerComponent(kind: ComponentSection, name: string, content: JsonObject): JsonObject {
    if (!this.#section(kind).has(name)) this.#section(kind).set(name, content);
    return this.#referTo(kind, name);
  }

  toComponentsObject(): JsonObject {
    return Object.fromEntries(
      SECTION_ORDER.flatMap((name): [string, Json][] => {
        const entries = sortByKey(this.#section(name));
        return entries.length === 0 ? [] : [[name, Object.fromEntries(entries)]];
      }),
    );
  }

  #section(name: string): Map<string, JsonObject> {
    return this.#sections.get(name) ?? new Map();
  }

  /** One object for equal references, which thousands of operations have. */
  #referTo(kind: string, name: string): JsonObject {
    const $ref = `#/components/${kind}/${name}`;
    return getOrCreate(this.#references, $ref, () => ({ $ref }));
  }

  #nameOf(preferred: string, content: JsonObject): string {
    const current = this.#schemas.get(preferred) ?? this.#reserved[preferred];
    if (current === content) return preferred;
    if (!this.#names.has(preferred)) return this.#names.claim(preferred);
    const text = JSON.stringify(content);
    if (current !== undefined && JSON.stringify(current) === text) return preferred;
    const names = getOrCreate(this.#namesByText, preferred, () => new Map<string, string>());
    return getOrCreate(names, text, () => this.#names.claim(preferred));
  }
}
