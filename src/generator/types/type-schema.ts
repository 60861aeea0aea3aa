import type { JSONSchema, Options } from 'json-schema-to-typescript';
import { getOrCreate } from '../../base/memoize.ts';
import { toTsDoc } from './comments.ts';
import { toPropertyKey } from './references.ts';

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

const LINE_WIDTH = 100;

export type TypeTexts = (type: TypeSchema) => string;

/**
 * json-schema-to-typescript, loaded late, prints all but objects and `readonly` lists: literals with their escapes, and unions,
 * intersections and lists with the parentheses that they need within each other.
 */
export async function printTypes(types: Iterable<TypeSchema>): Promise<TypeTexts> {
  const { compile } = await import('json-schema-to-typescript');
  const parts = new Map<TypeSchema, string>();

  /** Without the parentheses that a union or an intersection has within another type. */
  async function printAlone(type: TypeSchema): Promise<string> {
    const { anyOf, allOf } = type;
    if (anyOf !== undefined) return (await Promise.all(anyOf.map(printPart))).join(' | ');
    if (allOf !== undefined) return (await Promise.all(allOf.map(printPart))).join(' & ');
    return printPart(type);
  }

  async function printPart(type: TypeSchema): Promise<string> {
    const text = parts.get(type) ?? (await printNew(type));
    parts.set(type, text);
    return text;
  }

  async function printNew(type: TypeSchema): Promise<string> {
    const { isReadonly, items, members, rest, tsType } = type;
    if (tsType !== undefined) return tsType;
    if (isReadonly && items !== undefined) {
      const text = await printPart(items);
      return `readonly ${text.startsWith('readonly ') ? `(${text})` : text}[]`;
    }
    if (members !== undefined) {
      const printed = members.map(async ({ name, comment, isOptional, type: own }) => {
        const key = `${toPropertyKey(name)}${isOptional ? '?' : ''}`;
        return `${toTsDoc(comment)}${key}: ${await printAlone(own)}`;
      });
      if (rest !== undefined) printed.push(printAlone(rest).then((text) => `[k: string]: ${text}`));
      return printMembers(await Promise.all(printed));
    }
    const declaration = await compile(await toCompilerSchema(type), 'T', COMPILER_OPTIONS);
    return declaration.slice('export type T = '.length).trimEnd();
  }

  async function toCompilerSchema(type: TypeSchema): Promise<JSONSchema> {
    const { anyOf, allOf, enum: values, isReadonly, items, members, tsType = 'unknown' } = type;
    if (members !== undefined || isReadonly) return { tsType: await printPart(type) };
    if (items !== undefined) return { type: 'array', items: await toCompilerSchema(items) };
    if (anyOf !== undefined) return { anyOf: await Promise.all(anyOf.map(toCompilerSchema)) };
    if (allOf !== undefined) return { allOf: await Promise.all(allOf.map(toCompilerSchema)) };
    if (values !== undefined) return { enum: [...values] };
    return type.type === undefined ? { tsType } : { type: type.type };
  }

  const texts = new Map<TypeSchema, string>();
  for (const type of types) texts.set(type, await printAlone(type));
  return (type) => texts.get(type) ?? type.tsType ?? 'unknown';
}

const COMPILER_OPTIONS: Partial<Options> = {
  bannerComment: '',
  cwd: '/',
  format: false,
  $refOptions: {
    resolve: { external: false, file: false, http: false },
    dereference: { excludedPathMatcher: () => true },
  },
};

export function printMembers(members: readonly string[]): string {
  const line = `{ ${members.join('; ')} }`;
  return line.length <= LINE_WIDTH && !line.includes('\n') ? line : printBlock(members);
}

export function printBlock(members: readonly string[]): string {
  return `{\n${members.map((member) => `  ${member.replaceAll('\n', '\n  ')};\n`).join('')}}`;
}

/** One member a line, so that one more changes one line. */
export function printUnion(members: readonly string[]): string {
  return members.length === 0 ? 'never' : members.map((member) => `\n  | ${member}`).join('');
}

export function printSections(
  banner: string,
  sections: readonly (readonly [title: string, parts: readonly string[]])[],
): string {
  const printed = sections.map(([title, parts]) => {
    const shown = parts.filter((part) => part !== '');
    const rule = `\n${`// ── ${title} `.padEnd(LINE_WIDTH, '─')}\n\n`;
    return shown.length === 0 ? '' : rule + shown.join('\n');
  });
  return banner + printed.join('');
}
