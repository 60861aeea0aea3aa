import { groupBy } from '../../base/group-by.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { mapInSteps, type Steps } from '../../base/steps.ts';
import { countOf } from '../../base/text.ts';
import { dereference } from '../openapi/document-objects.ts';
import table from './rules.json' with { type: 'json' };

export interface DocumentChange {
  readonly rule: ChangeRuleName;
  readonly severity: ChangeSeverity;
  readonly operations: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly from?: Json;
  readonly to?: Json;
}

type ChangeDirection = 'request' | 'response';

/** An operation (`GET /wp/v2/posts`), a pair of components, or an empty text for the document. */
type ChangeSource = string;

export interface ComparisonResult {
  readonly changes: readonly DocumentChange[];
  readonly omitted: number;
}

const MAX_CHANGES = 5000;

export class Comparison {
  readonly canonical: WeakMap<JsonObject, JsonObject> = new WeakMap();
  /** References in a place where the other document has another schema. */
  readonly replaced: Set<string> = new Set();
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
    const { direction, source } = place;
    const subject = describePlace(place.label, place.path);
    const text = describeChange(rule, values);
    const declared = CHANGE_RULES[rule][direction === 'request' ? 0 : 1];
    const severity = SEVERITIES.find((each) => each === declared) ?? 'breaking';
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

  *list(names: readonly string[]): Steps<ComparisonResult> {
    const changes = yield* mapInSteps(this.#found.values(), ({ change, sources }): DocumentChange => {
      const users = this.#operationsOf(sources);
      return { ...change, operations: names.filter((name) => users.has(name)) };
    });
    const bySeverity = SEVERITIES.flatMap((severity) =>
      changes.filter((change) => change.severity === severity),
    );
    return { changes: bySeverity, omitted: this.#omitted };
  }

  /** `false` unless both schemas are references. */
  register({ $ref: from }: JsonObject, { $ref: to }: JsonObject, place: ChangePlace): boolean {
    const { direction, source: user } = place;
    if (from !== to) for (const each of [from, to]) if (typeof each === 'string') this.replaced.add(each);
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

  *pairs(): Generator<ComponentPair> {
    for (const pair of this.#pairs.values()) {
      if (!pair.isVisited) yield pair;
      pair.isVisited = true;
    }
  }

  comparedReferences(): ReadonlySet<string> {
    const pairs = [...this.#pairs.values()].filter(({ after, before }) => before === after);
    return new Set(pairs.map(({ before }) => before));
  }

  #operationsOf(sources: Iterable<ChangeSource>): ReadonlySet<string> {
    const operations = new Set<string>();
    const seen = new Set<ChangeSource>(sources);
    for (const each of seen) {
      const entry = this.#pairs.get(each);
      if (entry === undefined) operations.add(each);
      else for (const user of entry.users) seen.add(user);
    }
    return operations;
  }
}

export class ChangePlace {
  readonly comparison: Comparison;
  readonly source: ChangeSource;
  readonly direction: ChangeDirection;
  readonly label: string;
  readonly path: readonly string[];
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

  reportSwitch(was: boolean, is: boolean, begun: ChangeRuleName, ended: ChangeRuleName): void {
    if (was !== is) this.report(is ? begun : ended);
  }

  below(...name: readonly string[]): ChangePlace {
    const { comparison, depth, direction, label, path, source } = this;
    return new ChangePlace(comparison, source, direction, label, [...path, ...name], depth + 1);
  }
}

function describePlace(label: string, path: readonly string[]): string {
  if (path.length === 0) return label;
  const text = path.reduce(
    (before, name) => before + (name === '[]' || before === '' ? name : `.${name}`),
    '',
  );
  return text === '[]' ? `${label}, each item` : `${label}, member ${printName(text)}`;
}

interface ComponentPair {
  readonly source: ChangeSource;
  readonly direction: ChangeDirection;
  readonly before: string;
  readonly after: string;
  readonly users: Set<ChangeSource>;
  isVisited: boolean;
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

const NAMED_OPERATIONS = 2;

export function formatChange({ operations, severity, subject, text }: DocumentChange): string {
  const parts = [formatOperations(operations), subject, text].filter((part) => part !== '');
  return parts.join(': ') + (severity === 'compatible' ? '' : ` (${severity})`);
}

export function formatChanges({ changes, omitted }: ComparisonResult, limit: number): readonly string[] {
  const more = Math.max(0, changes.length - limit) + omitted;
  const lines = changes.slice(0, limit).map((change) => formatChange(change));
  return more === 0 ? lines : [...lines, `and ${more} more`];
}

export function countChanges({ changes }: ComparisonResult): string {
  const kinds = groupBy(changes, ({ severity }) => (severity === 'compatible' ? 'other' : severity));
  return Array.from(kinds, ([kind, { length }]) => countOf(length, `${kind} change`)).join(', ');
}

/** Paths come from the site, so control characters are escaped. */
function formatOperations(operations: readonly string[]): string {
  const named = operations.slice(0, NAMED_OPERATIONS).map((name) => JSON.stringify(name).slice(1, -1));
  const more = operations.length - named.length;
  if (more <= 0) return named.join(' and ');
  return `${named.join(', ')} and ${more} more`;
}

/**
 * Effect of a change on clients of the interface.
 * - `breaking`: a program that worked, or compiled, can fail now.
 * - `risky`: a program fails only if it cannot handle what it does not know.
 * - `compatible`: programs are not affected.
 */
type ChangeSeverity = 'breaking' | 'risky' | 'compatible';

interface ChangeValues {
  readonly from?: Json | undefined;
  readonly to?: Json | undefined;
  readonly name?: string | undefined;
}

/** Severity in what a client sends, in what it receives, and a clause. `breaking` if not certain. */
const CHANGE_RULES: Readonly<Record<ChangeRuleName, readonly string[]>> = table;

export type ChangeRuleName = keyof typeof table;

export const SEVERITIES: readonly ChangeSeverity[] = ['breaking', 'risky', 'compatible'];

function describeChange(rule: ChangeRuleName, { from, name = '', to }: ChangeValues): string {
  const values: Readonly<Record<string, string>> = { from: printValue(from), to: printValue(to), name };
  return (CHANGE_RULES[rule][2] ?? '').replace(/\{(from|to|name)\}/g, (_, key: string) => values[key] ?? '');
}

const MAX_VALUE_LENGTH = 80;

function printValue(value: Json | undefined): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value)) return truncateText(value.map((item) => JSON.stringify(item)).join(', '));
  return truncateText(JSON.stringify(value));
}

export function printName(name: string): string {
  return truncateText(JSON.stringify(name));
}

export function printKeyword(name: string): string {
  return /^[\w$-]{1,60}$/.test(name) ? name : printName(name);
}

function truncateText(text: string): string {
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}
