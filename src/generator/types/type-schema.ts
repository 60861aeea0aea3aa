import { getOrCreate } from '../../base/memoize.ts';

/** A TypeScript type: a declared name or another text, a schema for json-schema-to-typescript, or an object, whose members have comments. */
export type TypeSchema =
  | { readonly tsType: string }
  | { readonly type: 'string' | 'number' | 'boolean' | 'null' }
  | { readonly enum: readonly [string | number | boolean | null] }
  | { readonly anyOf: readonly TypeSchema[] }
  | { readonly allOf: readonly TypeSchema[] }
  | { readonly items: TypeSchema; readonly isReadonly: boolean }
  | { readonly members: readonly TypeMember[]; readonly rest?: TypeSchema };

export interface TypeMember {
  readonly name: string;
  readonly comment: string;
  readonly isOptional: boolean;
  readonly type: TypeSchema;
}

export const UNKNOWN_TYPE: TypeSchema = { tsType: 'unknown' };
export const NEVER_TYPE: TypeSchema = { tsType: 'never' };

export function namedType(name: string): TypeSchema {
  return { tsType: name };
}

export function hasMembers(type: TypeSchema): boolean {
  return 'members' in type && type.members.length > 0;
}

/** The declared names in a type, and texts such as `unknown`. */
export function namesIn(type: TypeSchema): readonly string[] {
  const names: string[] = [];
  const visit = (part: TypeSchema): TypeSchema => {
    if ('tsType' in part) names.push(part.tsType);
    return mapParts(part, visit);
  };
  visit(type);
  return names;
}

/** @param map gets a part, and the name of the member that it is */
function mapParts(type: TypeSchema, map: (part: TypeSchema, member?: string) => TypeSchema): TypeSchema {
  if ('anyOf' in type) return { anyOf: type.anyOf.map((part) => map(part)) };
  if ('allOf' in type) return { allOf: type.allOf.map((part) => map(part)) };
  if ('items' in type) return { ...type, items: map(type.items) };
  if (!('members' in type)) return type;
  const members = type.members.map((member) => ({ ...member, type: map(member.type, member.name) }));
  return { members, ...(type.rest && { rest: map(type.rest) }) };
}

/** Makes equal types one object, so that each is printed once. */
export class TypeInterner {
  readonly #interned: Map<string, TypeSchema> = new Map();

  constructor() {
    this.intern(NEVER_TYPE);
    this.intern(UNKNOWN_TYPE);
  }

  intern(type: TypeSchema): TypeSchema {
    return getOrCreate(this.#interned, JSON.stringify(type), () => type);
  }

  refersTo(name: string): boolean {
    return this.#interned.has(JSON.stringify(namedType(name)));
  }

  /** @param replace gets a part and the member that it belongs to, and returns `undefined` to keep it */
  createMapper(
    replace: (type: TypeSchema, member: string) => TypeSchema | undefined,
  ): (type: TypeSchema) => TypeSchema {
    const mapped = new Map<TypeSchema, Map<string, TypeSchema>>();
    const map = (type: TypeSchema, member: string): TypeSchema =>
      getOrCreate(
        getOrCreate(mapped, type, () => new Map<string, TypeSchema>()),
        member,
        () => replace(type, member) ?? this.#internMapped(type, (part, own = member) => map(part, own)),
      );
    return (type) => map(type, '');
  }

  #internMapped(type: TypeSchema, map: Parameters<typeof mapParts>[1]): TypeSchema {
    const mapped = mapParts(type, map);
    return 'anyOf' in mapped ? this.internUnion(mapped.anyOf) : this.intern(mapped);
  }

  /** A member that is `unknown` makes the union `unknown`. */
  internUnion(members: readonly TypeSchema[]): TypeSchema {
    const flat = members.flatMap((member) => ('anyOf' in member ? member.anyOf : [member]));
    return this.#internParts(flat, UNKNOWN_TYPE, NEVER_TYPE, (anyOf) => ({ anyOf }));
  }

  /** A member that is `unknown` adds nothing. */
  internIntersection(members: readonly TypeSchema[]): TypeSchema {
    const flat = members.flatMap((member) => ('allOf' in member ? member.allOf : [member]));
    return this.#internParts(flat, NEVER_TYPE, UNKNOWN_TYPE, (allOf) => ({ allOf }));
  }

  /** @param whole a part that is this makes all of it this @param neutral a part that adds nothing */
  #internParts(
    parts: readonly TypeSchema[],
    whole: TypeSchema,
    neutral: TypeSchema,
    combine: (distinct: readonly TypeSchema[]) => TypeSchema,
  ): TypeSchema {
    const distinct = new Set(parts);
    if (distinct.has(whole)) return whole;
    distinct.delete(neutral);
    const [first = neutral] = distinct;
    return distinct.size > 1 ? this.intern(combine([...distinct])) : first;
  }
}
