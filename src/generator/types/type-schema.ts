import { getOrCreate } from '../../base/memoize.ts';

/** A TypeScript type: a schema for json-schema-to-typescript, or an object, whose members have comments. */
export interface TypeSchema {
  readonly type?: 'string' | 'number' | 'boolean' | 'null' | 'array';
  readonly tsType?: string;
  readonly enum?: readonly [string | number | boolean | null];
  readonly anyOf?: readonly TypeSchema[];
  readonly allOf?: readonly TypeSchema[];
  readonly items?: TypeSchema;
  readonly isReadonly?: true;
  readonly members?: readonly TypeMember[];
  readonly rest?: TypeSchema;
}

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

export function hasMembers({ members = [] }: TypeSchema): boolean {
  return members.length > 0;
}

/** The declared names in a type, and texts such as `unknown`. */
export function namesIn({ tsType, anyOf, allOf, items, members, rest }: TypeSchema): readonly string[] {
  if (tsType !== undefined) return [tsType];
  const types = members?.map(({ type }) => type) ?? anyOf ?? allOf ?? [];
  return [...types, ...(items ? [items] : []), ...(rest ? [rest] : [])].flatMap(namesIn);
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
        () => replace(type, member) ?? this.#mapParts(type, (part, own = member) => map(part, own)),
      );
    return (type) => map(type, '');
  }

  #mapParts(type: TypeSchema, map: (part: TypeSchema, member?: string) => TypeSchema): TypeSchema {
    const { anyOf, allOf, items, members, rest } = type;
    if (anyOf !== undefined) return this.internUnion(anyOf.map((part) => map(part)));
    return this.intern({
      ...type,
      ...(allOf && { allOf: allOf.map((part) => map(part)) }),
      ...(items && { items: map(items) }),
      ...(members && {
        members: members.map((member) => ({ ...member, type: map(member.type, member.name) })),
      }),
      ...(rest && { rest: map(rest) }),
    });
  }

  /** A member that is `unknown` makes the union `unknown`. */
  internUnion(members: readonly TypeSchema[]): TypeSchema {
    return this.#internParts('anyOf', members, UNKNOWN_TYPE, NEVER_TYPE);
  }

  /** A member that is `unknown` adds nothing. */
  internIntersection(members: readonly TypeSchema[]): TypeSchema {
    return this.#internParts('allOf', members, NEVER_TYPE, UNKNOWN_TYPE);
  }

  /** @param whole a part that is this makes all of it this @param neutral a part that adds nothing */
  #internParts(
    kind: 'anyOf' | 'allOf',
    members: readonly TypeSchema[],
    whole: TypeSchema,
    neutral: TypeSchema,
  ): TypeSchema {
    const distinct = new Set(members.flatMap((member) => member[kind] ?? [member]));
    if (distinct.has(whole)) return whole;
    distinct.delete(neutral);
    const [first = neutral] = distinct;
    return distinct.size > 1 ? this.intern({ [kind]: [...distinct] }) : first;
  }
}
