import type { JsonObject } from '../json.ts';
import { isJsonObject, type Json } from '../json.ts';
import { dereference } from '../openapi/document-references.ts';
import { mapInSteps, type Steps } from '../steps.ts';
import type { ChangeRuleName, ChangeValues } from './rules.ts';
import { CHANGE_RULES, type ChangeSeverity, describeChange, printName } from './rules.ts';

/** A change between two documents. Equal changes of several operations are one. */
export interface DocumentChange {
  /** Stable name of the kind of change. */
  readonly rule: ChangeRuleName;
  readonly severity: ChangeSeverity;
  /** The affected operations (`GET /wp/v2/posts`), in the order of the documents; empty if the document itself changed. */
  readonly operations: readonly string[];
  /** What changed, such as `query parameter "order"`; empty for the operations themselves. */
  readonly subject: string;
  /** The change, as an English clause: `the value "x" was removed`. */
  readonly text: string;
  /** The value before, if there was one. */
  readonly from?: Json;
  /** The value after, if there is one. */
  readonly to?: Json;
}

/** Whether a client sends or receives what changed. */
type ChangeDirection = 'request' | 'response';

/**
 * Where a change was found: an operation (`GET /wp/v2/posts`), a pair of components that operations share, or the document
 * itself (an empty text).
 */
type ChangeSource = string;

/** Collects changes. */
interface ChangeCollector {
  readonly report: (
    rule: ChangeRuleName,
    place: { readonly source: ChangeSource; readonly direction: ChangeDirection; readonly subject: string },
    values?: ChangeValues,
  ) => void;
  /** Number of reports so far. */
  readonly count: () => number;
  /** @param operationsOf returns the operations of a source, in the order of the documents */
  readonly list: (
    operationsOf: (sources: ReadonlySet<ChangeSource>) => readonly string[],
  ) => Steps<ComparisonResult>;
}

/** The changes between two documents, the breaking ones first. */
export interface ComparisonResult {
  readonly changes: readonly DocumentChange[];
  /** Number of changes beyond the limit. */
  readonly omitted: number;
}

/** Maximum number of distinct changes. The rest are counted. */
const MAX_CHANGES = 5000;

const SEVERITY_ORDER: readonly ChangeSeverity[] = ['breaking', 'compatible', 'cosmetic'];

export function createChangeCollector(): ChangeCollector {
  const found = new Map<string, { readonly change: DocumentChange; readonly sources: Set<ChangeSource> }>();
  let count = 0;
  let omitted = 0;
  return {
    report(rule, { direction, source, subject }, values = {}) {
      count += 1;
      const { from, to } = values;
      const text = describeChange(rule, values);
      const severity = CHANGE_RULES[rule][direction === 'request' ? 0 : 1];
      const key = JSON.stringify([rule, severity, subject, text]);
      const equal = found.get(key);
      if (equal !== undefined) equal.sources.add(source);
      else if (found.size >= MAX_CHANGES) omitted += 1;
      else {
        const change: DocumentChange = {
          rule,
          severity,
          operations: [],
          subject,
          text,
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
        };
        found.set(key, { change, sources: new Set([source]) });
      }
    },
    count: () => count,
    *list(operationsOf) {
      const changes = yield* mapInSteps(
        found.values(),
        ({ change, sources }): DocumentChange => ({ ...change, operations: operationsOf(sources) }),
      );
      const bySeverity = SEVERITY_ORDER.flatMap((severity) =>
        changes.filter((change) => change.severity === severity),
      );
      return { changes: bySeverity, omitted };
    },
  };
}

/** What the functions of one comparison share. */
export interface ChangeContext {
  readonly components: ComponentPairs;
  readonly resolveBefore: (value: JsonObject) => JsonObject;
  readonly resolveAfter: (value: JsonObject) => JsonObject;
  readonly report: (rule: ChangeRuleName, place: ChangePlace, values?: ChangeValues) => void;
  /** Number of reports so far. */
  readonly count: () => number;
  /** The place of a member. */
  readonly below: (place: ChangePlace, name: string) => ChangePlace;
}

export function createChangeContext(
  before: JsonObject,
  after: JsonObject,
  { collector, components }: { readonly collector: ChangeCollector; readonly components: ComponentPairs },
): ChangeContext {
  return {
    components,
    resolveBefore: (value) => dereference(value, before) ?? {},
    resolveAfter: (value) => dereference(value, after) ?? {},
    report(rule, { direction, label, path, source }, values) {
      collector.report(rule, { direction, source, subject: describePlace(label, path) }, values);
    },
    count: collector.count,
    below: (place, name) => ({ ...place, path: [...place.path, name], depth: place.depth + 1 }),
  };
}

function describePlace(label: string, path: readonly string[]): string {
  if (path.length === 0) return label;
  const text = path.reduce((before, name) => {
    if (name === '[]') return `${before}[]`;
    return before === '' ? name : `${before}.${name}`;
  }, '');
  return text === '[]' ? `${label}, each item` : `${label}, member ${printName(text)}`;
}

/** A place in an operation or a component, where schemas are compared. */
export interface ChangePlace {
  readonly source: ChangeSource;
  readonly direction: ChangeDirection;
  /** The outermost schema: `query parameter "order"`, `body`, `response schema Post`. */
  readonly label: string;
  /** The names of the members that lead to the schema; `[]` for items, `*` for members of any name. */
  readonly path: readonly string[];
  /** Number of schemas around this one. */
  readonly depth: number;
}

/** A component before and after. */
interface ComponentPair {
  /** The source of changes in the component. */
  readonly source: ChangeSource;
  readonly direction: ChangeDirection;
  /** The references, such as `#/components/schemas/Post`. */
  readonly before: string;
  readonly after: string;
}

/** The pairs of components that were met, each of which is compared once for all places that use it. */
interface ComponentPairs {
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
