import type { JSONSchema, Options } from 'json-schema-to-typescript';
import { toTsDoc } from './comments.ts';
import { toPropertyKey } from './names.ts';
import type { TypeSchema } from './type-schema.ts';

const LINE_WIDTH = 100;

export type TypeTexts = (type: TypeSchema) => string;

/** json-schema-to-typescript, loaded late, prints all but objects and `readonly` lists. */
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

export function* printSections(
  banner: string,
  sections: readonly (readonly [title: string, parts: Iterable<string>])[],
): Generator<string> {
  yield banner;
  for (const [title, parts] of sections) {
    let separator = `\n${`// ── ${title} `.padEnd(LINE_WIDTH, '─')}\n\n`;
    for (const part of parts) {
      if (part === '') continue;
      yield separator + part;
      separator = '\n';
    }
  }
}
