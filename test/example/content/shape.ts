import { MEMBERS } from './wordpress-differences.ts';

/** The types of a body's values by their paths: `title.rendered` → `string`. Lists hold what their items hold. */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

/** The shape of what a path of the interface answered. */
export function shapeOf(body: unknown, path: string): Shape {
  const passedOver = new Set(
    MEMBERS.filter(({ of = '' }) => path.startsWith(of)).flatMap(({ member }) =>
      ['', '[].', 'previous.'].map((place) => place + member),
    ),
  );
  const shape = new Map<string, Set<string>>();
  note(body, '');
  return shape;

  function note(value: unknown, at: string): void {
    if (passedOver.has(at)) return;
    const types = shape.get(at) ?? new Set();
    shape.set(at, types);
    types.add(typeOf(value));
    if (Array.isArray(value)) {
      for (const item of value) note(item, `${at}[]`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) note(member, at === '' ? name : `${at}.${name}`);
    }
  }
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}

/** What two shapes differ in, as sentences. */
export function differences(there: Shape, here: Shape): readonly string[] {
  return [...new Set([...there.keys(), ...here.keys()])].flatMap((path) => {
    const [a, b] = [namesOf(there.get(path)), namesOf(here.get(path))];
    return a === b ? [] : [`${path || 'body'} is ${a} there, ${b} here`];
  });
}

function namesOf(types: ReadonlySet<string> | undefined): string {
  return types === undefined ? 'absent' : [...types].sort().join(' or ');
}
