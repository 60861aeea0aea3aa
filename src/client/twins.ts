import { getOrCreate } from '../memoize.ts';
import type { CompiledTypeLookup } from '../types/compile.ts';
import { shapeOfType, type TypeDeclaration } from '../types/shape.ts';

/**
 * Makes declarations with equal members aliases of one whose words their names contain, e.g. those of an older
 * version of a namespace: `type V1Order = Order`.
 */
export function aliasTwins(
  declarations: readonly TypeDeclaration[],
  types: CompiledTypeLookup,
): readonly TypeDeclaration[] {
  const first = new Map(declarations.map(({ name }) => [name, name]));
  const nameOf = (name: string): string => first.get(name) ?? name;
  const texts = declarations.map((declaration) => ({ declaration, text: types(declaration.shape) }));
  // Twins can make others equal that refer to them.
  for (let round = 0, before = -1, count = 0; before !== count && round < MAX_ROUNDS; round += 1) {
    const namesByText = new Map<string, string[]>();
    const keyed = texts
      .filter(({ text }) => text.length > MIN_LENGTH)
      .map(({ declaration: { extends: base = '', name, shape }, text }) => {
        const changed = shape.typeNames.filter((used) => nameOf(used) !== used);
        const renamed = changed.length === 0 ? text : text.replace(NAME, nameOf);
        return { name, key: `${base} ${renamed}` };
      });
    before = count;
    count = 0;
    for (const { name, key } of keyed.toSorted((one, other) => one.name.length - other.name.length)) {
      const names = getOrCreate(namesByText, key, () => []);
      const words = name.match(WORD) ?? [];
      const twin = names.find((other) => containsWords(words, other));
      if (twin !== undefined) count += 1;
      else if (names.length < MAX_NAMES) names.push(name);
      first.set(name, twin ?? name);
    }
  }
  const comments = new Map(declarations.map(({ name, comment }) => [name, comment]));
  return declarations.map((declaration) => {
    const { comment, name } = declaration;
    const twin = nameOf(name);
    if (twin === name) return declaration;
    return { name, comment: comment === comments.get(twin) ? '' : comment, shape: shapeOfType(twin) };
  });
}

/** `CreateAnalyticsOrderBody` contains `CreateOrderBody`. */
function containsWords(words: readonly string[], other: string): boolean {
  let at = 0;
  for (const word of words) if (other.startsWith(word, at)) at += word.length;
  return at === other.length;
}

const WORD = /[A-Z][a-z]*|[^A-Z]+/g;

/** Levels of declarations that refer to twins. A hostile document can have thousands. */
const MAX_ROUNDS = 5;

/** Compared names of declarations with equal members. */
const MAX_NAMES = 50;

/** Shorter texts are no longer than an alias. */
const MIN_LENGTH = 60;

/** A name of a type, outside strings and keys. */
const NAME = /(?<=^|[\s(|&<])[\p{ID_Start}_$][\p{ID_Continue}$]*(?=[\s)|&>;[\]]|$)/gu;
