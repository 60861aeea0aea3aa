import { isJsonObject, type Json } from '../json.ts';
import type { ChangeDirection, ChangeSource } from './collector.ts';
import type { ChangePlace } from './place.ts';

/** A component before and after. */
export interface ComponentPair {
  /** The source of changes in the component. */
  readonly source: ChangeSource;
  readonly direction: ChangeDirection;
  /** The references, such as `#/components/schemas/Post`. */
  readonly before: string;
  readonly after: string;
}

/** The pairs of components that were met, each of which is compared once for all places that use it. */
export interface ComponentPairs {
  /** Registers a pair of references. Returns false if the schemas are not two references to components alone. */
  readonly register: (before: Json | undefined, after: Json | undefined, place: ChangePlace) => boolean;
  /** Returns a pair that was not returned before. */
  readonly next: () => ComponentPair | undefined;
  /** The operations that use a source, directly or through other components: a source that is no pair is an operation. */
  readonly operationsOf: (source: ChangeSource) => ReadonlySet<string>;
  /** Names of components that were met after another name. */
  readonly renamed: () => ReadonlyMap<string, string>;
}

export function createComponentPairs(): ComponentPairs {
  const pairs = new Map<ChangeSource, { readonly pair: ComponentPair; readonly users: Set<ChangeSource> }>();
  const found: ComponentPair[] = [];
  let returned = 0;
  return {
    register(before, after, { direction, source: user }) {
      const [from, to] = [toComponentReference(before), toComponentReference(after)];
      if (from === undefined || to === undefined) return false;
      // An operation's name begins with a method, never with `#`.
      const source = `#${JSON.stringify([direction, from, to])}`;
      let entry = pairs.get(source);
      if (entry === undefined) {
        entry = { pair: { source, direction, before: from, after: to }, users: new Set() };
        pairs.set(source, entry);
        found.push(entry.pair);
      }
      entry.users.add(user);
      return true;
    },
    next() {
      returned += 1;
      return found[returned - 1];
    },
    operationsOf(source) {
      const operations = new Set<string>();
      const seen = new Set<ChangeSource>([source]);
      for (const each of seen) {
        const entry = pairs.get(each);
        if (entry === undefined) operations.add(each);
        // A set that grows while it is walked is walked to its end.
        else for (const user of entry.users) seen.add(user);
      }
      return operations;
    },
    renamed() {
      const names = [...pairs.values()].map(({ pair }) => [nameOf(pair.before), nameOf(pair.after)] as const);
      return new Map(names.filter(([before, after]) => before !== after));
    },
  };
}

/** The reference of a schema that is a reference to a component and nothing else. */
function toComponentReference(schema: Json | undefined): string | undefined {
  if (!isJsonObject(schema) || Object.keys(schema).length !== 1) return undefined;
  const { $ref } = schema;
  return typeof $ref === 'string' && $ref.startsWith('#/components/schemas/') ? $ref : undefined;
}

/** The name in a reference to a component. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
