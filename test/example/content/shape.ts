import { IGNORED_MEMBERS } from './wordpress-differences.ts';

/** The types of a body's values by their paths: `title.rendered` → `string`. Lists hold what their items hold. */
export type BodyShape = ReadonlyMap<string, ReadonlySet<string>>;

/** The shape of what a path of the interface answered. */
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

/** What two shapes differ in, as sentences. */
export function compareShapes(there: BodyShape, here: BodyShape): readonly string[] {
  return [...new Set([...there.keys(), ...here.keys()])].flatMap((path) => {
    const [a, b] = [formatTypes(there.get(path)), formatTypes(here.get(path))];
    return a === b ? [] : [`${path || 'body'} is ${a} there, ${b} here`];
  });
}

function formatTypes(types: ReadonlySet<string> | undefined): string {
  return types === undefined ? 'absent' : [...types].sort().join(' or ');
}
