import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { resolveReference } from '../openapi/document-access.ts';
import { type TypeDirection, analyzeDirections } from './directions.ts';
import { type TypeNameAllocator, toTypeName } from './names.ts';
import { entries } from './objects.ts';
import { schemaComponentOf, unescaped } from './pointers.ts';

/** A schema that becomes one named type of the module. */
export interface NamedSchema {
  readonly name: string;
  readonly direction: TypeDirection;
  readonly schema: Json;
}

/** One that stands in `components.schemas`. */
export interface ComponentSchema extends NamedSchema {
  readonly component: string;
}

/** Where the `$ref`s of a document lead: to places in it and nowhere else. No file and no address is ever read. */
export interface ReferenceResolver {
  /** The type that stands for what a schema's `$ref` points at; nothing where it points at nothing in the document. */
  typeNameOf(ref: string, direction: TypeDirection): string | undefined;
  /** The object itself, or the one that its `$ref` leads to, however many steps away. */
  resolve(value: Json | undefined): JsonObject | undefined;
  /** Every schema component, in the document's order and in the direction in which operations use it. */
  readonly components: readonly ComponentSchema[];
  /**
   * The others that `type` has given a name so far: components in their other direction, where that makes a difference,
   * and schemas that stand elsewhere in the document. It grows while schemas are taken up.
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
    if (schema === undefined) {
      return undefined;
    }
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
        if (typeof ref !== 'string') {
          return at;
        }
        at = resolveReference(document, ref);
      }
      return undefined;
    },
    components,
    additional,
  };
}

/** Names that are type names already keep theirs, wherever they stand; the others get what is left, in order. */
function nameComponents(
  { components }: JsonObject,
  names: TypeNameAllocator,
  direction: (component: string) => TypeDirection,
): readonly ComponentSchema[] {
  const schemas = entries(isJsonObject(components) ? components['schemas'] : undefined);
  const isTypeName = ([component]: readonly [string, Json]): boolean => toTypeName(component) === component;
  const inTurn = [...schemas.filter(isTypeName), ...schemas.filter((entry) => !isTypeName(entry))];
  const taken = new Map(inTurn.map(([component]) => [component, names.allocate(component)]));
  return schemas.map(([component, schema]) => ({
    component,
    name: taken.get(component) ?? component,
    direction: direction(component),
    schema,
  }));
}

/** A name for a schema by the place where it stands: `#/components/schemas/Post/properties/title` is `PostTitle`. */
function nameFromReference(ref: string): string {
  const structure = /^(?:#|components|schemas|properties|paths|schema|items|content|\d+)?$/;
  const words = ref.split('/').filter((token) => !structure.test(token));
  return words
    .slice(-2)
    .map((token) => toTypeName(unescaped(token)))
    .join('');
}
