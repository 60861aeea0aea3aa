import { singularizeLastWord, splitWords, toPascalCase } from '../../model/naming/words.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { listSchemaComponents } from '../../openapi/schema-view.ts';

/** Where the objects stand that a component is named for, beside the path. */
interface NamedPlace {
  /** The nearest member above the objects; empty for the resource of the path. */
  readonly memberName: string;
  /** Whether the objects are items of a list or values of a map. */
  readonly isItem: boolean;
}

/** Names that types and tools reserve. */
const RESERVED: readonly string[] = [
  ...[
    'array',
    'boolean',
    'components',
    'date',
    'error',
    'file',
    'function',
    'link',
    'map',
    'number',
    'object',
  ],
  ...['operations', 'paths', 'promise', 'record', 'request', 'response', 'set', 'string', 'symbol'],
];

/** Unused names for new components of a document. */
export class ComponentNames {
  /** In lower case. */
  readonly #taken: Set<string>;

  constructor(document: OpenApiDocument) {
    this.#taken = new Set(listSchemaComponents(document).map(([name]) => name.toLowerCase()));
  }

  /** Derives the name of a component: `Project` from `/boards/v2/projects/{id}`, `ProjectEdit` in the context `edit`. */
  forPlace(path: string, place: NamedPlace, variant: string): string {
    const suffix = variant === '' || variant === 'view' ? '' : toPascalCase(splitWords(variant));
    const names = candidateNames(path, place).map((name) => name + suffix);
    const isFree = (name: string): boolean =>
      !this.#taken.has(name.toLowerCase()) && !RESERVED.includes(name.toLowerCase());
    return this.#take(names.find(isFree) ?? this.#number(names[0] ?? 'Resource'));
  }

  /** Derives the name of a form of a component: `BoardSummary`. */
  forForm(component: string, form: 'Summary' | 'Detail'): string {
    const name = `${component}${form}`;
    return this.#take(this.#taken.has(name.toLowerCase()) ? this.#number(name) : name);
  }

  #take(name: string): string {
    this.#taken.add(name.toLowerCase());
    return name;
  }

  #number(name: string): string {
    for (let number = 2; ; number += 1) {
      if (!this.#taken.has(`${name}${number}`.toLowerCase())) return `${name}${number}`;
    }
  }
}

/** The name of the resource that a path leads to, which may be that of a component. */
export function pathResourceName(path: string): string {
  return candidateNames(path, { memberName: '', isItem: false })[0] ?? 'Resource';
}

/** Names with ever more words of the path before them. */
function candidateNames(path: string, { isItem, memberName }: NamedPlace): readonly string[] {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '' && !segment.includes('{') && !/^v\d+$/.test(segment))
    .map((segment) => singularizeLastWord(splitWords(segment)))
    .filter((words) => words.length > 0);
  const words = splitWords(memberName);
  if (words.length > 0) segments.push(isItem ? singularizeLastWord(words) : words);
  const names = segments.flatMap((_, index) => {
    const name = toPascalCase(segments.slice(segments.length - index - 1).flat());
    return /^[A-Z]/.test(name) ? [name.slice(0, 80)] : [];
  });
  const [first, ...longer] = names;
  if (first === undefined || memberName !== '') return names;
  // A list and a single item of one resource can have different members.
  return [first, `${first}${isItem ? 'ListItem' : 'Detail'}`, ...longer];
}
