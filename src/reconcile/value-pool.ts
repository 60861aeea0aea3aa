import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { toSingular } from '../model/naming/words.ts';

/** Values of parameters that responses contain, by the parameter's name: `board_id` from the boards of any list. */
export interface ValuePool {
  /** Adds all objects of a response. @param collection last word of the path, such as `boards` */
  addResponse(collection: string, body: Json): void;
  /** Values of a parameter, in the order in which they were seen. */
  valuesOf(parameter: string): readonly string[];
  /** Values of several parameters that one object has together; `[]` for none. */
  tuplesOf(parameters: readonly string[]): readonly (readonly string[])[];
  /** The first `link` of a response: the address of a page of the site. */
  link(): string | undefined;
}

/** Maximum number of objects of one response that are read. */
const MAX_OBJECTS = 300;
/** Maximum number of values of one parameter. */
const MAX_VALUES = 60;
/** Maximum number of parameters with values. */
const MAX_PARAMETERS = 3_000;
/** Maximum number of objects that are kept for tuples. */
const MAX_ROWS = 3_000;
const MAX_DEPTH = 6;

/** Names that mean something else in each resource. */
const GENERIC_NAMES: ReadonlySet<string> = new Set([
  'id',
  'slug',
  'name',
  'key',
  'parent',
  'type',
  'title',
  'status',
]);

export function createValuePool(): ValuePool {
  const values = new Map<string, Set<string>>();
  const rows: ReadonlyMap<string, string>[] = [];
  let firstLink: string | undefined;

  const addRow = (object: JsonObject, container: string): void => {
    const { link } = object;
    if (typeof link === 'string' && link.length <= 500 && URL.canParse(link)) firstLink ??= link;
    const row = readRow(object, container);
    if (row.size > 0 && rows.length < MAX_ROWS) rows.push(row);
    for (const [name, value] of row) {
      const known = values.get(name) ?? new Set();
      if (known.size >= MAX_VALUES || (known.size === 0 && values.size >= MAX_PARAMETERS)) continue;
      values.set(name, known.add(value));
    }
  };
  return {
    addResponse(collection, body) {
      let objects = 0;
      const visit = (value: Json, container: string, depth: number): void => {
        if (depth > MAX_DEPTH || objects >= MAX_OBJECTS) return;
        if (Array.isArray(value)) {
          for (const item of value) visit(item, container, depth + 1);
        } else if (isJsonObject(value)) {
          objects += 1;
          addRow(value, container);
          for (const [name, member] of Object.entries(value)) {
            if (name !== '_links')
              visit(member, name === 'data' || name === 'items' ? container : name, depth + 1);
          }
        }
      };
      visit(body, collection, 0);
    },
    link: () => firstLink,
    valuesOf: (parameter) => [...(values.get(parameter) ?? [])],
    tuplesOf(parameters) {
      if (parameters.length === 0 || parameters.some((name) => GENERIC_NAMES.has(name))) return [];
      return rows.flatMap((row) => {
        const tuple = parameters.flatMap((name) => row.get(name) ?? []);
        return tuple.length === parameters.length ? [tuple] : [];
      });
    },
  };
}

/** The fields of an object under the names of parameters: `board_id` as it is, `id` of a board as `board` and `board_id`. */
function readRow(object: JsonObject, container: string): ReadonlyMap<string, string> {
  const row = new Map<string, string>();
  const item = toSingular(container);
  for (const [name, value] of Object.entries(object).slice(0, 200)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const text = String(value);
    if (!isSafePathSegment(text)) continue;
    if (!GENERIC_NAMES.has(name)) row.set(name, text);
    if (name === 'id') row.set(item, text);
    if (name === 'id' || name === 'slug' || name === 'name') row.set(`${item}_${name}`, text);
  }
  return row;
}

/** Whether a value needs no escaping in any form of a URL, and does not change the path (`..`). */
export function isSafePathSegment(value: string | undefined): value is string {
  return value !== undefined && /^[\w.~-]{1,200}$/.test(value) && !/^\.+$/.test(value);
}

/** Whether a value is segments that are safe, of which one may be empty: `theme//index`. */
export function isSafePath(value: string | undefined): value is string {
  if (value === undefined || value.length > 200 || value.includes('///')) return false;
  const segments = value.split('/');
  const isFramed = segments[0] === '' || segments.at(-1) === '';
  return !isFramed && segments.every((segment) => segment === '' || isSafePathSegment(segment));
}
