import { countOf } from '../count-of.ts';
import type { Json, JsonObject } from '../json.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { dereference } from '../openapi/document-references.ts';
import { mapInSteps, type Steps } from '../steps.ts';
import {
  type ChangeRuleName,
  type ChangeSeverity,
  type ChangeValues,
  describeChange,
  printName,
  SEVERITIES,
  severityOf,
} from './rules.ts';

/** A change between two documents. Equal changes of several operations are one. */
export interface DocumentChange {
  /** Stable name of the kind of change. */
  readonly rule: ChangeRuleName;
  readonly severity: ChangeSeverity;
  /** The affected operations (`GET /wp/v2/posts`), in the order of the documents; empty if the document itself changed. */
  readonly operations: readonly string[];
  /** Subject of a change, such as `query parameter "order"`; empty for the operations themselves. */
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

/** The changes between two documents, the breaking ones first. */
export interface ComparisonResult {
  readonly changes: readonly DocumentChange[];
  /** Number of changes beyond the limit. */
  readonly omitted: number;
}

/** Maximum number of distinct changes. The rest are counted. */
const MAX_CHANGES = 5000;

/** A comparison of two documents: the changes that were found, and the pairs of components that are compared once for all. */
export class Comparison {
  /** Number of reports so far. */
  count = 0;
  readonly #before: JsonObject;
  readonly #after: JsonObject;
  readonly #found: Map<string, { readonly change: DocumentChange; readonly sources: Set<ChangeSource> }> =
    new Map();
  #omitted = 0;
  readonly #pairs: Map<ChangeSource, ComponentPair> = new Map();

  constructor(before: JsonObject, after: JsonObject) {
    this.#before = before;
    this.#after = after;
  }

  resolveBefore(value: JsonObject): JsonObject {
    return dereference(value, this.#before) ?? {};
  }

  resolveAfter(value: JsonObject): JsonObject {
    return dereference(value, this.#after) ?? {};
  }

  report(rule: ChangeRuleName, place: ChangePlace, values: ChangeValues): void {
    this.count += 1;
    const { direction, source } = place;
    const subject = describePlace(place.label, place.path);
    const text = describeChange(rule, values);
    const severity = severityOf(rule, direction);
    const key = JSON.stringify([rule, severity, subject, text]);
    const equal = this.#found.get(key);
    if (equal !== undefined) equal.sources.add(source);
    else if (this.#found.size >= MAX_CHANGES) this.#omitted += 1;
    else {
      const { from, to } = values;
      const change = omitUndefined({ rule, severity, operations: [], subject, text, from, to });
      this.#found.set(key, { change, sources: new Set([source]) });
    }
  }

  /**
   * Lists the changes.
   *
   * @param names the names of all operations, in the order of the documents
   */
  *list(names: readonly string[]): Steps<ComparisonResult> {
    const changes = yield* mapInSteps(this.#found.values(), ({ change, sources }): DocumentChange => {
      const users = new Set([...sources].flatMap((source) => [...this.#operationsOf(source)]));
      return { ...change, operations: names.filter((name) => users.has(name)) };
    });
    const bySeverity = SEVERITIES.flatMap((severity) =>
      changes.filter((change) => change.severity === severity),
    );
    return { changes: bySeverity, omitted: this.#omitted };
  }

  /** Registers a pair of references. Returns false if the schemas are not two references. */
  register({ $ref: from }: JsonObject, { $ref: to }: JsonObject, place: ChangePlace): boolean {
    const { direction, source: user } = place;
    if (typeof from !== 'string' || typeof to !== 'string') return false;
    // An operation's name begins with a method, never with `#`.
    const source = `#${JSON.stringify([direction, from, to])}`;
    const entry = this.#pairs.get(source) ?? {
      ...{ source, direction, before: from, after: to },
      ...{ users: new Set<ChangeSource>(), isVisited: false },
    };
    this.#pairs.set(source, entry);
    entry.users.add(user);
    return true;
  }

  /** Visits each pair of components that was not visited before, those too that are registered meanwhile. */
  *pairs(): Generator<ComponentPair> {
    for (const pair of this.#pairs.values()) {
      if (!pair.isVisited) yield pair;
      pair.isVisited = true;
    }
  }

  /** The references to components that were compared under the same name. */
  comparedReferences(): ReadonlySet<string> {
    const pairs = [...this.#pairs.values()].filter(({ after, before }) => before === after);
    return new Set(pairs.map(({ before }) => before));
  }

  /** Names of components that were met after another name. */
  renamed(): ReadonlyMap<string, string> {
    const pairs = [...this.#pairs.values()];
    const names = pairs.map((pair) => [nameOf(pair.before), nameOf(pair.after)] as const);
    return new Map(names.filter(([before, after]) => before !== after));
  }

  /** The operations that use a source, directly or through other components: a source that is no pair is an operation. */
  #operationsOf(source: ChangeSource): ReadonlySet<string> {
    const operations = new Set<string>();
    const seen = new Set<ChangeSource>([source]);
    for (const each of seen) {
      const entry = this.#pairs.get(each);
      if (entry === undefined) operations.add(each);
      // A set that grows while it is walked is walked to its end.
      else for (const user of entry.users) seen.add(user);
    }
    return operations;
  }
}

/** A place in an operation, in a component or in the document itself, where changes are found. */
export class ChangePlace {
  readonly comparison: Comparison;
  readonly source: ChangeSource;
  readonly direction: ChangeDirection;
  /** The outermost schema: `query parameter "order"`, `body`, `response schema Post`. */
  readonly label: string;
  /** The names of the members that lead to the schema; `[]` for items, `*` for members of any name. */
  readonly path: readonly string[];
  /** Number of schemas around this one. */
  readonly depth: number;

  constructor(
    comparison: Comparison,
    source: ChangeSource,
    direction: ChangeDirection,
    label = '',
    path: readonly string[] = [],
    depth = 0,
  ) {
    this.comparison = comparison;
    this.source = source;
    this.direction = direction;
    this.label = label;
    this.path = path;
    this.depth = depth;
  }

  report(rule: ChangeRuleName, values: ChangeValues = {}): void {
    this.comparison.report(rule, this, values);
  }

  /** Reports that something has become true, or no longer is. */
  reportSwitch(was: boolean, is: boolean, begun: ChangeRuleName, ended: ChangeRuleName): void {
    if (was !== is) this.report(is ? begun : ended);
  }

  /** The place of a member, or without a name that of a part of the schema, such as an alternative. */
  below(...name: readonly string[]): ChangePlace {
    const { comparison, depth, direction, label, path, source } = this;
    return new ChangePlace(comparison, source, direction, label, [...path, ...name], depth + 1);
  }
}

function describePlace(label: string, path: readonly string[]): string {
  if (path.length === 0) return label;
  const text = path.reduce((before, name) => {
    if (name === '[]') return `${before}[]`;
    return before === '' ? name : `${before}.${name}`;
  }, '');
  return text === '[]' ? `${label}, each item` : `${label}, member ${printName(text)}`;
}

interface ComponentPair {
  readonly source: ChangeSource;
  readonly direction: ChangeDirection;
  /** The references, such as `#/components/schemas/Post`. */
  readonly before: string;
  readonly after: string;
  readonly users: Set<ChangeSource>;
  isVisited: boolean;
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Number of operations that a line names. The rest are counted. */
const NAMED_OPERATIONS = 2;

const SUFFIXES: ReadonlyMap<string, string> = new Map<ChangeSeverity, string>([
  ['breaking', ' (breaking)'],
  ['risky', ' (risky)'],
  ['cosmetic', ' (text only)'],
]);

/** A change, or what another program says about one. It can name fewer operations than it concerns. */
type FormattedChange = Pick<DocumentChange, 'operations' | 'subject' | 'text'> & {
  readonly severity: string;
  readonly operationCount?: number;
};

/** Formats a change in one line: `GET /wp/v2/posts: query parameter "order": the value "x" was removed (breaking)`. */
export function formatChange(change: FormattedChange): string {
  const { operations, operationCount = operations.length, severity, subject, text } = change;
  const parts = [formatOperations(operations, operationCount), subject, text].filter((part) => part !== '');
  return parts.join(': ') + (SUFFIXES.get(severity) ?? '');
}

/** Formats a comparison: a line for each change, and the number of those left out. */
export function formatChanges({ changes, omitted }: ComparisonResult, limit: number): readonly string[] {
  const more = Math.max(0, changes.length - limit) + omitted;
  const lines = changes.slice(0, limit).map((change) => formatChange(change));
  return more === 0 ? lines : [...lines, `and ${more} more`];
}

/** Counts the changes in words: `2 breaking changes, 1 risky change, 1 other change`. */
export function countChanges({ changes }: ComparisonResult): string {
  const count = (name: ChangeSeverity): number => changes.filter(({ severity }) => severity === name).length;
  const [breaking, risky] = [count('breaking'), count('risky')];
  const others = changes.length - breaking - risky;
  return [
    ...(breaking === 0 ? [] : [countOf(breaking, 'breaking change')]),
    ...(risky === 0 ? [] : [countOf(risky, 'risky change')]),
    ...(others === 0 ? [] : [countOf(others, 'other change')]),
  ].join(', ');
}

/** Names a few operations. Paths come from the site, so control characters are escaped as in JSON. */
function formatOperations(operations: readonly string[], count: number): string {
  const named = operations.slice(0, NAMED_OPERATIONS).map((name) => JSON.stringify(name).slice(1, -1));
  const more = count - named.length;
  if (more <= 0) return named.join(' and ');
  return `${named.join(', ')} and ${more} more`;
}
