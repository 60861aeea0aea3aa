import { getOrCreate } from '../../base/memoize.ts';
import { capitalize } from '../model/naming/words.ts';
import type { TypeNameAllocator } from '../types/references.ts';
import { TEXT_TYPE_NAME, type TypeDeclaration } from '../types/schema-types.ts';
import { hasMembers, namedType, type TypeInterner, type TypeSchema } from '../types/type-schema.ts';

/**
 * Declares types once: large objects and enums within a type get a name, and types with equal members become aliases, e.g.
 * `type V1Order = Order`. Only types whose names contain each other's words share, so that no foreign namespace changes a type.
 */
export function shareTypes(
  declarations: readonly TypeDeclaration[],
  types: TypeInterner,
  names: TypeNameAllocator,
): readonly TypeDeclaration[] {
  const all = declarations.flatMap((declaration) => nameInnerTypes(declaration, types, names));
  const twins = findTwins(all, types);
  const rename = createRenamer(twins, types);
  const declared = new Map(declarations.map(({ name, comment }) => [name, comment]));
  return all.flatMap((declaration): readonly TypeDeclaration[] => {
    const { comment, name, type } = declaration;
    const twin = twins.get(name);
    if (twin === undefined) return [{ ...declaration, type: rename(type) }];
    if (!declared.has(name)) return [];
    return [{ name, comment: comment === declared.get(twin) ? '' : comment, type: namedType(twin) }];
  });
}

function nameInnerTypes(
  declaration: TypeDeclaration,
  types: TypeInterner,
  names: TypeNameAllocator,
): readonly TypeDeclaration[] {
  const { name } = declaration;
  if (!hasMembers(declaration.type)) return [declaration];
  const inner: TypeDeclaration[] = [];
  const declared = new Set<string>();
  const declare = (type: TypeSchema, property: string): TypeSchema | undefined => {
    const wanted =
      name +
      property
        .split(/[^\p{L}\p{N}]+/u)
        .map(capitalize)
        .join('');
    if (declared.has(wanted)) return undefined;
    declared.add(wanted);
    const own = names.allocate(wanted, `${wanted}Type`);
    inner.push({ name: own, comment: '', type });
    return types.intern(namedType(own));
  };
  const map = types.createMapper((type, property) => {
    if (property === '') return undefined;
    const { length } = 'members' in type ? type.members : [];
    if (length >= MIN_MEMBERS || (length > 0 && JSON.stringify(type).length > 400))
      return declare(type, property);
    const isLiteral = (part: TypeSchema) =>
      'tsType' in part ? part.tsType === TEXT_TYPE_NAME : 'enum' in part;
    const parts = 'anyOf' in type ? type.anyOf : [];
    const literals = parts.filter(isLiteral);
    if (JSON.stringify(literals).length < MIN_ENUM_LENGTH) return undefined;
    const others = parts.filter((part) => !isLiteral(part));
    const union = types.internUnion(literals);
    const named = declare(union, property);
    const mapList = types.createMapper((member) => (member === union ? named : undefined));
    return named && types.internUnion([named, ...others.map(mapList)]);
  });
  const own = { ...declaration, type: map(declaration.type) };
  return [own, ...inner.flatMap((each) => nameInnerTypes(each, types, names))];
}

const MIN_MEMBERS = 3;

const MIN_ENUM_LENGTH = 300;

function findTwins(
  declarations: readonly TypeDeclaration[],
  types: TypeInterner,
): ReadonlyMap<string, string> {
  const twins = new Map<string, string>();
  const shortest = declarations.toSorted((one, other) => one.name.length - other.name.length);
  for (let round = 0, before = -1; before !== twins.size && round < MAX_ROUNDS; round += 1) {
    before = twins.size;
    const rename = createRenamer(twins, types);
    const namesByKey = new Map<string, string[]>();
    for (const { extends: base = '', name, type } of shortest) {
      const key = `${base} ${JSON.stringify(rename(type))}`;
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
  types: TypeInterner,
): (type: TypeSchema) => TypeSchema {
  return types.createMapper((type) => {
    const twin = 'tsType' in type ? twins.get(type.tsType) : undefined;
    return twin === undefined ? undefined : types.intern(namedType(twin));
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
