import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { follow } from '../openapi/references.ts';
import { type Direction, directionsOf } from './directions.ts';
import { type TypeNames, typeName } from './names.ts';
import { entries } from './objects.ts';
import { schemaComponent, unescaped } from './pointers.ts';

/** A schema that becomes one named type of the module. */
export interface NamedSchema {
  readonly name: string;
  readonly direction: Direction;
  readonly schema: Json;
}

/** One that stands in `components.schemas`. */
export interface ComponentSchema extends NamedSchema {
  readonly component: string;
}

/** Where the `$ref`s of a document lead: to places in it and nowhere else. No file and no address is ever read. */
export interface References {
  /** The type that stands for what a schema's `$ref` points at; nothing where it points at nothing in the document. */
  type(ref: string, direction: Direction): string | undefined;
  /** The object itself, or the one that its `$ref` leads to, however many steps away. */
  follow(value: Json | undefined): JsonObject | undefined;
  /** Every schema component, in the document's order and in the direction in which operations use it. */
  readonly components: readonly ComponentSchema[];
  /**
   * The others that `type` has given a name so far: components in their other direction, where that makes a difference,
   * and schemas that stand elsewhere in the document. It grows while schemas are taken up.
   */
  readonly others: readonly NamedSchema[];
}

const longestChain = 32;

export function references(document: JsonObject, names: TypeNames): References {
  const { differs, main } = directionsOf(document);
  const components = namedComponents(document, names, main);
  const byComponent = new Map<string | undefined, ComponentSchema>(
    components.map((named) => [named.component, named]),
  );
  const others: NamedSchema[] = [];
  const otherNames = new Map<string, string | undefined>();

  const nameOther = (ref: string, direction: Direction): string | undefined => {
    const named = byComponent.get(schemaComponent(ref));
    const schema = named?.schema ?? follow(document, ref);
    if (schema === undefined) {
      return undefined;
    }
    const suffix = direction === 'write' ? 'Writable' : 'Readable';
    const name = names.take(named === undefined ? placeName(ref) : `${named.name}${suffix}`);
    others.push({ name, direction, schema });
    return name;
  };

  return {
    type(ref, direction) {
      const named = byComponent.get(schemaComponent(ref));
      if (named !== undefined && (named.direction === direction || !differs(named.component))) {
        return named.name;
      }
      const key = `${direction} ${ref}`;
      if (!otherNames.has(key)) {
        otherNames.set(key, nameOther(ref, direction));
      }
      return otherNames.get(key);
    },
    follow(value) {
      let at = value;
      for (let step = 0; step < longestChain && isJsonObject(at); step++) {
        const ref = at['$ref'];
        if (typeof ref !== 'string') {
          return at;
        }
        at = follow(document, ref);
      }
      return undefined;
    },
    components,
    others,
  };
}

/** Names that are type names already keep theirs, wherever they stand; the others get what is left, in order. */
function namedComponents(
  { components }: JsonObject,
  names: TypeNames,
  direction: (component: string) => Direction,
): readonly ComponentSchema[] {
  const schemas = entries(isJsonObject(components) ? components['schemas'] : undefined);
  const isTypeName = ([component]: readonly [string, Json]): boolean => typeName(component) === component;
  const inTurn = [...schemas.filter(isTypeName), ...schemas.filter((entry) => !isTypeName(entry))];
  const taken = new Map(inTurn.map(([component]) => [component, names.take(component)]));
  return schemas.map(([component, schema]) => ({
    component,
    name: taken.get(component) ?? component,
    direction: direction(component),
    schema,
  }));
}

/** A name for a schema by the place where it stands: `#/components/schemas/Post/properties/title` is `PostTitle`. */
function placeName(ref: string): string {
  const structure = /^(?:#|components|schemas|properties|paths|schema|items|content|\d+)?$/;
  const words = ref.split('/').filter((token) => !structure.test(token));
  return words
    .slice(-2)
    .map((token) => typeName(unescaped(token)))
    .join('');
}
