import type { Json, JsonObject } from '../json.ts';
import {
  decodeReferenceToken,
  dereference,
  getSchemaComponentKey,
  resolveReference,
} from '../openapi/document-references.ts';
import { listSchemaComponents } from '../openapi/schema-view.ts';
import { analyzeDirections, type TypeDirection } from './directions.ts';
import { type TypeNameAllocator, toTypeName } from './names.ts';

/** A schema that becomes one named type of the module. */
export interface NamedSchema {
  readonly typeName: string;
  readonly direction: TypeDirection;
  readonly schema: Json;
}

/** A schema of `components.schemas`. */
export interface ComponentSchema extends NamedSchema {
  readonly componentKey: string;
}

/** Resolves the references of a document, within the document only: no file and no URL is read. */
export interface ReferenceResolver {
  /** The type name of the schema that a `$ref` points at; `undefined` if it has no target in the document. */
  typeNameOf(ref: string, direction: TypeDirection): string | undefined;
  /** The object itself, or the target of its `$ref`, through a chain of references; `undefined` if there is none. */
  resolve(value: Json | undefined): JsonObject | undefined;
  /** All schema components in the document's order. The direction of each is that in which operations use it. */
  readonly componentSchemas: readonly ComponentSchema[];
  /**
   * Further schemas that {@link typeNameOf} has named so far: components in their other direction, if the types differ,
   * and schemas outside of the components. The list grows while shapes are created.
   */
  readonly additionalSchemas: readonly NamedSchema[];
}

export function createReferenceResolver(document: JsonObject, names: TypeNameAllocator): ReferenceResolver {
  const { dependsOnDirection, mainDirection } = analyzeDirections(document);
  const componentSchemas = nameComponents(document, names, mainDirection);
  const byComponent = new Map<string | undefined, ComponentSchema>(
    componentSchemas.map((named) => [named.componentKey, named]),
  );
  const additionalSchemas: NamedSchema[] = [];
  const otherNames = new Map<string, string | undefined>();

  const nameOther = (ref: string, direction: TypeDirection): string | undefined => {
    const named = byComponent.get(getSchemaComponentKey(ref));
    const schema = named?.schema ?? resolveReference(document, ref);
    if (schema === undefined) return undefined;
    const suffix = direction === 'write' ? 'Writable' : 'Readable';
    const typeName = names.allocate(
      named === undefined ? nameFromReference(ref) : `${named.typeName}${suffix}`,
    );
    additionalSchemas.push({ typeName, direction, schema });
    return typeName;
  };

  return {
    typeNameOf(ref, stated) {
      // Components are not declared once more for the query.
      const direction = stated === 'query' ? 'write' : stated;
      const named = byComponent.get(getSchemaComponentKey(ref));
      if (named !== undefined && (named.direction === direction || !dependsOnDirection(named.componentKey))) {
        return named.typeName;
      }
      const key = `${direction} ${ref}`;
      if (!otherNames.has(key)) {
        otherNames.set(key, nameOther(ref, direction));
      }
      return otherNames.get(key);
    },
    resolve: (value) => dereference(value, document),
    componentSchemas,
    additionalSchemas,
  };
}

/** Names the components. Keys that are type names already are allocated first, so that they keep their names. */
function nameComponents(
  document: JsonObject,
  names: TypeNameAllocator,
  direction: (component: string) => TypeDirection,
): readonly ComponentSchema[] {
  const schemas = listSchemaComponents(document);
  const isTypeName = ([component]: readonly [string, Json]): boolean => toTypeName(component) === component;
  const ordered = [...schemas.filter(isTypeName), ...schemas.filter((entry) => !isTypeName(entry))];
  const taken = new Map(ordered.map(([component]) => [component, names.allocate(component)]));
  return schemas.map(([component, schema]) => ({
    componentKey: component,
    typeName: taken.get(component) ?? component,
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
    .map((token) => toTypeName(decodeReferenceToken(token)))
    .join('');
}
