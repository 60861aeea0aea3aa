import { isJsonObject, type Json, type JsonObject, toPointerSegment } from '../json.ts';
import type { IndexPosition, RuleReporter } from './rules.ts';

/** Returns the position of a route. */
export function routePosition(pattern: string): IndexPosition {
  return { route: pattern, pointer: childPosition({ pointer: '' }, 'routes', pattern).pointer };
}

/** Returns the position of a member below `position`. */
export function childPosition(
  position: IndexPosition,
  ...tokens: readonly (string | number)[]
): IndexPosition {
  let { pointer } = position;
  for (const token of tokens) pointer += toPointerSegment(token);
  return { ...position, pointer };
}

export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Reads an object. PHP writes an empty object as `[]`, which is accepted. Returns `undefined` for every other value. */
export function readObject(
  value: unknown,
  position: IndexPosition,
  report: RuleReporter,
): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  if (!isJsonArray(value) || value.length > 0) return undefined;
  report('empty-list-for-object', position);
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

/** Describes a value in a few words for a message. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (isJsonArray(value)) return value.length === 0 ? '[]' : `a list of ${value.length}`;
  if (isJsonObject(value)) return 'an object';
  return quoteExcerpt(
    typeof value === 'string' ? value : String(value),
    typeof value === 'string' ? '"' : '',
  );
}

/** States a value in a sentence, for the detail of a diagnostic. */
export function statedValue(value: unknown): string {
  return `Value: ${describeValue(value)}.`;
}

/** Quotes the start of a text on one line, for a message. */
export function quoteExcerpt(text: string, mark = '"', length = 60): string {
  const line = text
    .slice(0, length * 4)
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim();
  return `${mark}${line.length > length ? `${line.slice(0, length)}…` : line}${mark}`;
}
