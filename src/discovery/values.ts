import { isJsonObject, type Json, type JsonObject, pointerToken } from '../json.ts';
import type { Note } from './findings.ts';

/** Where a reader stands in the index. */
export interface Position {
  readonly pointer: string;
  readonly route?: string;
}

export function below(position: Position, ...tokens: readonly (string | number)[]): Position {
  let { pointer } = position;
  for (const token of tokens) pointer += pointerToken(token);
  return { ...position, pointer };
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** An own member: never what an object inherits, whatever its name. */
export function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An object, or the empty list that PHP writes for an empty one. `undefined` where it is something else. */
export function objectOrEmptyList(value: unknown, position: Position, note: Note): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  if (!isList(value) || value.length > 0) return undefined;
  note('empty-list-for-object', position);
  return {};
}

/** Words that would be read from every object's prototype by anyone who forgets `Object.hasOwn`. */
export function isReservedName(name: string): boolean {
  return name === '__proto__' || name in Object.prototype;
}

/** No schema of a real site nests past 20; what reads them later may recurse, so that there has to be an end. */
const DEEPEST = 100;

/** Whether a value nests deeper than a schema may. It goes no deeper itself. */
export function isTooDeep(value: Json, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= DEEPEST) return true;
  for (const child of Object.values(value)) if (isTooDeep(child, depth + 1)) return true;
  return false;
}

/** How a value is named in a message: short, whatever it holds. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (isList(value)) return value.length === 0 ? '[]' : `a list of ${value.length}`;
  if (isJsonObject(value)) return 'an object';
  return quoted(typeof value === 'string' ? value : String(value), typeof value === 'string' ? '"' : '');
}

/** The start of a text on one line, for a message. */
export function quoted(text: string, mark = '"', length = 60): string {
  const line = text
    .slice(0, length * 4)
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim();
  return `${mark}${line.length > length ? `${line.slice(0, length)}…` : line}${mark}`;
}
