import { getOrCreate } from '../../base/memoize.ts';
import { capitalize } from '../model/naming/words.ts';
import type { CompilerSchema, SchemaInterner } from '../types/compiler-schema.ts';
import type { TypeNameAllocator } from '../types/names.ts';
import { hasMembers, shapeOfType, TEXT_TYPE_NAME, type TypeDeclaration } from '../types/shape.ts';

/**
 * Declares types once: large objects and enums within a type get a name, types with equal members become
 * aliases (`type V1Order = Order`), and types of contexts extend each other (`interface PostEdit extends Post`).
 * Only types whose names contain each other's words share, so that no foreign namespace changes a type.
 */
export function shareTypes(
  declarations: readonly TypeDeclaration[],
  nodes: SchemaInterner,
  names: TypeNameAllocator,
): readonly TypeDeclaration[] {
  const all = declarations.flatMap((declaration) => nameInnerTypes(declaration, nodes, names));
  const twins = findTwins(all, nodes);
  const rename = createRenamer(twins, nodes);
  const declared = new Map(declarations.map(({ name, comment }) => [name, comment]));
  const distinct = all.flatMap((declaration): readonly TypeDeclaration[] => {
    const { comment, name, shape } = declaration;
    const twin = twins.get(name);
    if (twin === undefined) return [{ ...declaration, shape: { ...shape, schema: rename(shape.schema) } }];
    if (!declared.has(name)) return [];
    return [{ name, comment: comment === declared.get(twin) ? '' : comment, shape: shapeOfType(twin) }];
  });
  return extendContexts(distinct, nodes);
}

function nameInnerTypes(
  declaration: TypeDeclaration,
  nodes: SchemaInterner,
  names: TypeNameAllocator,
): readonly TypeDeclaration[] {
  const { name, shape } = declaration;
  if (!hasMembers(shape)) return [declaration];
  const inner: TypeDeclaration[] = [];
  const declared = new Set<string>();
  const declare = (schema: CompilerSchema, property: string): CompilerSchema | undefined => {
    const wanted =
      name +
      property
        .split(/[^\p{L}\p{N}]+/u)
        .map(capitalize)
        .join('');
    if (declared.has(wanted)) return undefined;
    declared.add(wanted);
    const own = names.allocate(wanted, `${wanted}Type`);
    inner.push({ name: own, comment: '', shape: { ...shape, schema } });
    return nodes.intern({ tsType: own });
  };
  const map = nodes.createMapper((schema, property) => {
    if (property === '') return undefined;
    if (isLargeObject(schema)) return declare(schema, property);
    const isLiteral = ({ enum: values, tsType }: CompilerSchema) =>
      values !== undefined || tsType === TEXT_TYPE_NAME;
    const literals = schema.anyOf?.filter(isLiteral) ?? [];
    if (JSON.stringify(literals).length < MIN_ENUM_LENGTH) return undefined;
    const others = schema.anyOf?.filter((member) => !isLiteral(member)) ?? [];
    const union = nodes.internUnion(literals);
    const named = declare(union, property);
    const mapList = nodes.createMapper((member) => (member === union ? named : undefined));
    return named && nodes.internUnion([named, ...others.map(mapList)]);
  });
  const own = { ...declaration, shape: { ...shape, schema: map(shape.schema) } };
  return [own, ...inner.flatMap((each) => nameInnerTypes(each, nodes, names))];
}

function isLargeObject(schema: CompilerSchema): boolean {
  const { length } = Object.keys(schema.properties ?? {});
  return length >= MIN_MEMBERS || (length > 0 && JSON.stringify(schema).length > 400);
}

const MIN_MEMBERS = 3;

const MIN_ENUM_LENGTH = 300;

function findTwins(
  declarations: readonly TypeDeclaration[],
  nodes: SchemaInterner,
): ReadonlyMap<string, string> {
  const twins = new Map<string, string>();
  const shortest = declarations.toSorted((one, other) => one.name.length - other.name.length);
  for (let round = 0, before = -1; before !== twins.size && round < MAX_ROUNDS; round += 1) {
    before = twins.size;
    const rename = createRenamer(twins, nodes);
    const namesByKey = new Map<string, string[]>();
    for (const { extends: base = '', name, shape } of shortest) {
      const key = `${base} ${JSON.stringify(rename(shape.schema))}`;
      if (key.length < MIN_LENGTH) continue;
      const others = getOrCreate(namesByKey, key, () => []);
      const words = name.match(WORD) ?? [];
      const twin = others.find((other) => containsWords(words, other));
      if (twin !== undefined) twins.set(name, twin);
      else if (others.length < MAX_NAMES) others.push(name);
    }
  }
  return twins;
}

function createRenamer(
  twins: ReadonlyMap<string, string>,
  nodes: SchemaInterner,
): (schema: CompilerSchema) => CompilerSchema {
  return nodes.createMapper(({ tsType = '' }) => {
    const twin = twins.get(tsType);
    return twin === undefined ? undefined : nodes.intern({ tsType: twin });
  });
}

function containsWords(words: readonly string[], other: string): boolean {
  let at = 0;
  for (const word of words) if (other.startsWith(word, at)) at += word.length;
  return at === other.length;
}

const WORD = /[A-Z][a-z]*|[^A-Z]+/g;

const MAX_ROUNDS = 5;

const MAX_NAMES = 50;

const MIN_LENGTH = 80;

function extendContexts(
  declarations: readonly TypeDeclaration[],
  nodes: SchemaInterner,
): readonly TypeDeclaration[] {
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  return declarations.map((declaration) => {
    const { name, shape } = declaration;
    if (declaration.extends !== undefined || !hasMembers(shape)) return declaration;
    const words = name.match(WORD) ?? [];
    const shorter = words.map((_, at) => words.slice(0, at).join('')).reverse();
    const base = [`${name}Embed`, ...shorter.flatMap((start) => [start, `${start}Embed`])]
      .map((other) => byName.get(other))
      .find((other) => other !== undefined && isExtendedBy(other, shape.schema));
    if (base === undefined) return declaration;
    const inherited = base.shape.schema.properties ?? {};
    const own = Object.entries(shape.schema.properties ?? {}).filter(
      ([key]) => !Object.hasOwn(inherited, key),
    );
    const schema = nodes.intern({ ...shape.schema, properties: Object.fromEntries(own) });
    return { ...declaration, extends: base.name, shape: { ...shape, schema } };
  });
}

function isExtendedBy(
  base: TypeDeclaration,
  { additionalProperties, properties = {}, required = [] }: CompilerSchema,
): boolean {
  const { schema } = base.shape;
  const inherited = Object.entries(schema.properties ?? {});
  return (
    base.extends === undefined &&
    inherited.length >= MIN_MEMBERS &&
    inherited.length < Object.keys(properties).length &&
    schema.additionalProperties === false &&
    additionalProperties === false &&
    inherited.every(
      ([key, member]) =>
        properties[key] === member && required.includes(key) === (schema.required ?? []).includes(key),
    )
  );
}
