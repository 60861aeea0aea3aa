import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../json.ts';
import { decodePointerToken, resolveReference, schemaComponentOf } from '../openapi/document-access.ts';
import { analyzeDirections, type TypeDirection } from './directions.ts';
import { type TypeNameAllocator, toTypeName } from './names.ts';

/** A schema that becomes one named type of the module. */
export interface NamedSchema {
  readonly name: string;
  readonly direction: TypeDirection;
  readonly schema: Json;
}

/** A schema of `components.schemas`. */
export interface ComponentSchema extends NamedSchema {
  readonly component: string;
}

/** Resolves the references of a document, within the document only: no file and no URL is read. */
export interface ReferenceResolver {
  /** The type name of the schema that a `$ref` points at; `undefined` if it has no target in the document. */
  typeNameOf(ref: string, direction: TypeDirection): string | undefined;
  /** The object itself, or the target of its `$ref`, through a chain of references; `undefined` if there is none. */
  resolve(value: Json | undefined): JsonObject | undefined;
  /** Every schema component, in the document's order, with the direction in which operations use it. */
  readonly components: readonly ComponentSchema[];
  /**
   * Further schemas that {@link typeNameOf} has named so far: components in their other direction, if the types differ,
   * and schemas outside of the components. The list grows while shapes are created.
   */
  readonly additional: readonly NamedSchema[];
}

const MAX_REFERENCE_CHAIN = 32;

export function createReferenceResolver(document: JsonObject, names: TypeNameAllocator): ReferenceResolver {
  const { differs, main } = analyzeDirections(document);
  const components = nameComponents(document, names, main);
  const byComponent = new Map<string | undefined, ComponentSchema>(
    components.map((named) => [named.component, named]),
  );
  const additional: NamedSchema[] = [];
  const otherNames = new Map<string, string | undefined>();

  const nameOther = (ref: string, direction: TypeDirection): string | undefined => {
    const named = byComponent.get(schemaComponentOf(ref));
    const schema = named?.schema ?? resolveReference(document, ref);
    if (schema === undefined) return undefined;
    const suffix = direction === 'write' ? 'Writable' : 'Readable';
    const name = names.allocate(named === undefined ? nameFromReference(ref) : `${named.name}${suffix}`);
    additional.push({ name, direction, schema });
    return name;
  };

  return {
    typeNameOf(ref, direction) {
      const named = byComponent.get(schemaComponentOf(ref));
      if (named !== undefined && (named.direction === direction || !differs(named.component))) {
        return named.name;
      }
      const key = `${direction} ${ref}`;
      if (!otherNames.has(key)) {
        otherNames.set(key, nameOther(ref, direction));
      }
      return otherNames.get(key);
    },
    resolve(value) {
      let at = value;
      for (let step = 0; step < MAX_REFERENCE_CHAIN && isJsonObject(at); step++) {
        const ref = at['$ref'];
        if (typeof ref !== 'string') return at;
        at = resolveReference(document, ref);
      }
      return undefined;
    },
    components,
    additional,
  };
}

/** Names the components. Keys that are type names already are allocated first, so that they keep their names. */
function nameComponents(
  { components }: JsonObject,
  names: TypeNameAllocator,
  direction: (component: string) => TypeDirection,
): readonly ComponentSchema[] {
  const schemas = jsonMembers(isJsonObject(components) ? components['schemas'] : undefined);
  const isTypeName = ([component]: readonly [string, Json]): boolean => toTypeName(component) === component;
  const ordered = [...schemas.filter(isTypeName), ...schemas.filter((entry) => !isTypeName(entry))];
  const taken = new Map(ordered.map(([component]) => [component, names.allocate(component)]));
  return schemas.map(([component, schema]) => ({
    component,
    name: taken.get(component) ?? component,
    direction: direction(component),
    schema,
  }));
}

/** A name from the location of a schema: `#/components/schemas/Post/properties/title` gives `PostTitle`. */
function nameFromReference(ref: string): string {
  const structure = /^(?:#|components|schemas|properties|paths|schema|items|content|\d+)?$/;
  const words = ref.split('/').filter((token) => !structure.test(token));
  return words
    .slice(-2)
    .map((token) => toTypeName(decodePointerToken(token)))
    .join('');
}
