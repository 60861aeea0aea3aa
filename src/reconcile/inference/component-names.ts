import { singularizeLastWord, splitWords, toPascalCase } from '../../model/naming/words.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { listSchemaComponents } from '../../openapi/schema-view.ts';

/** What a component's name is derived from. */
export interface NamedPlace {
  /** Path template of an operation that returns the resource. */
  readonly path: string;
  /** The nearest member above the objects; empty for the resource of the path. */
  readonly memberName: string;
  /** Whether the objects are items of a list or values of a map. */
  readonly isItem: boolean;
  /** The context, or `forced`; empty for the default. */
  readonly variant: string;
}

/** Names that types and tools reserve. */
const RESERVED: ReadonlySet<string> = new Set([
  ...[
    'array',
    'boolean',
    'date',
    'error',
    'file',
    'function',
    'map',
    'number',
    'object',
    'promise',
    'record',
  ],
  ...['request', 'response', 'set', 'string', 'symbol', 'link', 'paths', 'operations', 'components'],
]);

/**
 * Derives an unused name for a component: `Project` from `/boards/v2/projects/{id}`, `ProjectEdit` in the context `edit`.
 *
 * @param taken the used names, lower case; the new name is added
 */
export function nameComponent(place: NamedPlace, taken: Set<string>): string {
  const names = candidateNames(place).map((name) => name + suffixOf(place.variant));
  const name =
    names.find(
      (candidate) => !taken.has(candidate.toLowerCase()) && !RESERVED.has(candidate.toLowerCase()),
    ) ?? numberName(names[0] ?? 'Resource', taken);
  taken.add(name.toLowerCase());
  return name;
}

/** Derives an unused name for a form of a component: `BoardSummary`. @param taken as for {@link nameComponent} */
export function nameForm(component: string, form: 'Summary' | 'Detail', taken: Set<string>): string {
  const base = `${component}${form}`;
  const name = taken.has(base.toLowerCase()) ? numberName(base, taken) : base;
  taken.add(name.toLowerCase());
  return name;
}

/** The names of a document's schemas, lower case. */
export function readTakenNames(document: OpenApiDocument): Set<string> {
  return new Set(listSchemaComponents(document).map(([name]) => name.toLowerCase()));
}

/** The name of the resource that a path leads to, which may be that of a component. */
export function pathResourceName(path: string): string {
  return candidateNames({ path, memberName: '', isItem: false, variant: '' })[0] ?? 'Resource';
}

/** Names with ever more words of the path before them. */
function candidateNames({ isItem, memberName, path }: NamedPlace): readonly string[] {
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

function suffixOf(variant: string): string {
  return variant === '' || variant === 'view' ? '' : toPascalCase(splitWords(variant));
}

function numberName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) {
    const candidate = `${name}${number}`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}
