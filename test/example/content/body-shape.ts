import { IGNORED_MEMBERS } from './wordpress-differences.ts';

/** The types of the values of a body by path: `title.rendered` → `string`. The items of a list share a path. */
type BodyShape = ReadonlyMap<string, ReadonlySet<string>>;

/** Collects the types in the response body of a route. */
export function shapeOf(body: unknown, path: string): BodyShape {
  const ignoredPaths = new Set(
    IGNORED_MEMBERS.filter(({ of = '' }) => path.startsWith(of)).flatMap(({ member }) =>
      ['', '[].', 'previous.'].map((place) => place + member),
    ),
  );
  const shape = new Map<string, Set<string>>();
  collectTypes(body, '');
  return shape;

  function collectTypes(value: unknown, at: string): void {
    if (ignoredPaths.has(at)) return;
    const types = shape.get(at) ?? new Set();
    shape.set(at, types);
    types.add(typeOf(value));
    if (Array.isArray(value)) {
      for (const item of value) collectTypes(item, `${at}[]`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value))
        collectTypes(member, at === '' ? name : `${at}.${name}`);
    }
  }
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}

/** Describes the differences between two shapes. */
export function compareShapes(there: BodyShape, here: BodyShape): readonly string[] {
  return [...new Set([...there.keys(), ...here.keys()])].flatMap((path) => {
    const [a, b] = [formatTypes(there.get(path)), formatTypes(here.get(path))];
    return a === b ? [] : [`${path || 'body'} is ${a} there, ${b} here`];
  });
}

function formatTypes(types: ReadonlySet<string> | undefined): string {
  return types === undefined ? 'absent' : [...types].sort().join(' or ');
}
