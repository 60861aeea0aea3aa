import { isJsonObject, type Json, type JsonObject, toPointerSegment } from '../json.ts';
import type { DiscoveryRuleName, IndexPosition, RuleReporter } from './rules.ts';

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

  /** Reports that a rule applied to the value at the place. */
  reportValue(rule: DiscoveryRuleName, value: Json | undefined): void {
    this.report(rule, `Value: ${describeValue(value)}.`);
  }
}

export function routePlace(pattern: string, report: RuleReporter): IndexPlace {
  return new IndexPlace(report, `/routes${toPointerSegment(pattern)}`, pattern);
}

export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Reads an object. PHP writes an empty object as `[]`, which is accepted. Returns `undefined` for every other value. */
export function readObject(value: Json | undefined, place: IndexPlace): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  if (!isJsonArray(value) || value.length > 0) return undefined;
  place.report('empty-list-for-object');
  return {};
}

/** Whether a name exists on every object's prototype, so that code without `Object.hasOwn` reads a wrong value. */
export function isObjectPrototypeMember(name: string): boolean {
  return name === '__proto__' || name in Object.prototype;
}

/** Limits nesting, because later steps recurse. No schema of a real site was seen to exceed 20 levels. */
const MAX_DEPTH = 100;

/** Whether a value nests deeper than 100 levels. The check itself recurses no deeper. */
export function exceedsMaxDepth(value: Json, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= MAX_DEPTH) return true;
  if (!isJsonObject(value)) return value.some((child) => exceedsMaxDepth(child, depth + 1));
  for (const name in value) if (exceedsMaxDepth(value[name] ?? null, depth + 1)) return true;
  return false;
}

export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (isJsonArray(value)) return value.length === 0 ? '[]' : `a list of ${value.length}`;
  if (isJsonObject(value)) return 'an object';
  return typeof value === 'string' ? quoteExcerpt(value) : quoteExcerpt(String(value), '');
}

/** Quotes the start of a text on one line, for a message. */
export function quoteExcerpt(text: string, mark = '"', length = 60): string {
  const line = text
    .slice(0, length * 4)
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim();
  return `${mark}${line.length > length ? `${line.slice(0, length)}…` : line}${mark}`;
}
