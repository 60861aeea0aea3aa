import { createBoundedReporter, type Diagnostic } from '../../base/diagnostics.ts';
import { isJsonObject, type Json, type JsonObject, jsonTexts, toPointerSegment } from '../../base/json.ts';
import RULES from './rules.json' with { type: 'json' };

/** In the order of discovery's steps. `warning`: the document can state less, or more, than the site does. */

interface IndexPosition {
  readonly pointer: string;
  readonly route?: string | undefined;
}

/** @param detail follows the rule's message @param action replaces the rule's */
export type RuleReporter = (
  rule: DiscoveryRuleName,
  position: IndexPosition,
  detail?: string | undefined,
  action?: string | undefined,
) => void;

export function collectDiagnostics(): {
  readonly diagnostics: readonly Diagnostic[];
  readonly report: RuleReporter;
} {
  const diagnostics: Diagnostic[] = [];
  const add = createBoundedReporter(diagnostics);
  const report: RuleReporter = (rule, { pointer, route }, detail, declaredAction) => {
    const [, level, finding = '', action = ''] = /^(\w+): (.*) → (.*)$/.exec(RULES[rule]) ?? [];
    const severity = level === 'info' ? 'info' : 'warning';
    const message = detail === undefined ? finding : `${finding} ${detail}`;
    const place = route === undefined ? { pointer } : { route, pointer };
    add({ rule, severity, ...place, message, action: declaredAction ?? action });
  };
  return { diagnostics, report };
}

export type DiscoveryRuleName = keyof typeof RULES;

export class IndexPlace implements IndexPosition {
  readonly pointer: string;
  readonly route: string | undefined;
  readonly #report: RuleReporter;

  constructor(report: RuleReporter, pointer = '', route?: string) {
    this.#report = report;
    this.pointer = pointer;
    this.route = route;
  }

  below(name: string | number): IndexPlace {
    return new IndexPlace(this.#report, this.pointer + toPointerSegment(name), this.route);
  }

  report(rule: DiscoveryRuleName, detail?: string): void {
    this.#report(rule, this, detail);
  }

  /** Reports that a value is left out. @param expected such as `an object` */
  drop(value: Json | undefined, expected: string): void {
    this.report('value-dropped', `Expected ${expected}, found ${describeValue(value)}.`);
  }
}

export function routePlace(pattern: string, report: RuleReporter): IndexPlace {
  return new IndexPlace(report, `/routes${toPointerSegment(pattern)}`, pattern);
}

export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** An empty object in place of no value, PHP's `[]`, and other values, which are reported. */
export function readObject(value: Json | undefined, place: IndexPlace): JsonObject {
  if (isJsonObject(value)) return value;
  const isEmpty = value === undefined || (isJsonArray(value) && value.length === 0);
  if (!isEmpty) place.drop(value, 'an object');
  return {};
}

/** Texts of a list, which PHP writes as an object after a plugin has removed an item. */
export function listTexts(value: Json | undefined): readonly string[] {
  return jsonTexts(isJsonObject(value) ? Object.values(value) : value);
}

/** Bounds of a route, because later steps recurse. Real schemas have 20 levels, real routes 1,100 values. */
export const MAX_DEPTH: number = 64;
export const MAX_VALUES: number = 50_000;

export function exceedsLimits(value: Json): boolean {
  return countValues(value, 0) > MAX_VALUES;
}

function countValues(value: Json, depth: number): number {
  // `JSON.parse('1e999')` is infinite.
  if (depth > MAX_DEPTH || (typeof value === 'number' && !Number.isFinite(value))) return MAX_VALUES + 1;
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const member of isJsonObject(value) ? Object.values(value) : value) {
    count += countValues(member, depth + 1);
    if (count > MAX_VALUES) break;
  }
  return count;
}

export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (isJsonArray(value)) return value.length === 0 ? '[]' : `a list of ${value.length}`;
  if (isJsonObject(value)) return 'an object';
  return typeof value === 'string' ? quoteExcerpt(value) : quoteExcerpt(String(value), '');
}

export function quoteExcerpt(text: string, mark = '"', length = 60): string {
  const line = text
    .slice(0, length * 4)
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim();
  return `${mark}${line.length > length ? `${line.slice(0, length)}…` : line}${mark}`;
}
