import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { toSingular } from '../model/naming/words.ts';

/** Fills path templates with values of items from collections. */
export interface PathExpander {
  /** Adds the response of a path, which may be a collection. */
  addResponse(path: string, body: Json): void;
  /**
   * Returns up to `limit` paths that fit a template; none if no value of one of its parameters is known.
   *
   * @param isOfRoute whether the route's pattern matches a path. Values with slashes are used only if it does: the id
   * `theme//index` of a template, the name `core/paragraph` for two parameters.
   */
  expand(template: string, limit: number, isOfRoute?: (path: string) => boolean): readonly string[];
  /** Values that responses have under the name of a parameter, or of a resource that the name refers to. */
  valuesOf(parameter: string): readonly string[];
  /** Values that the items of a collection have under a name. */
  fieldsOf(collection: string, name: string): readonly string[];
  /** The address of a page of the site that a response contains. */
  link(): string | undefined;
}

/** Maximum number of items of a collection that are kept. */
const MAX_COLLECTION_ITEMS = 200;

interface CollectionItem {
  /** The item's key, if the collection is an object keyed by name. */
  readonly key: string | null;
  readonly fields: ReadonlyMap<string, string>;
}

/** Returns the values of a parameter below a path. */
type ParameterValues = (path: string, placeholder: string) => readonly string[];

export function createPathExpander(): PathExpander {
  const collections = new Map<string, readonly CollectionItem[]>();
  const pool = createValuePool();

  const ownValues: ParameterValues = (path, placeholder) =>
    placeholderValues(collections.get(path) ?? [], placeholder, isSafePathSegment);
  /** Values of the items of the collection at the path, else of any resource of the parameter's name. */
  const anyValues: ParameterValues = (path, placeholder) => {
    const own = ownValues(path, placeholder);
    return own.length > 0 ? own : pool.valuesOf(parameterName(path, placeholder));
  };
  const expandBy = (template: string, limit: number, valuesBelow: ParameterValues): readonly string[] =>
    template.split('/').reduce<readonly string[]>(
      (paths, segment) => {
        const placeholder = readPlaceholder(segment);
        if (placeholder === undefined) {
          // A parameter that is only a part of a segment is not filled.
          return segment.includes('{') ? [] : paths.map((path) => joinPath(path, segment));
        }
        const filled = paths.flatMap((path) =>
          sampleEvenly(valuesBelow(path, placeholder), limit).map((value) => joinPath(path, value)),
        );
        return sampleEvenly(filled, limit);
      },
      [''],
    );
  /** Fills templates with values that contain slashes. Parameters that follow each other share one value. */
  const expandBySlashes = (template: string, limit: number): readonly string[] => {
    let paths: readonly string[] = [''];
    for (const { literal, placeholders } of splitRuns(template)) {
      const [last] = placeholders.slice(-1);
      paths = sampleEvenly(
        paths.flatMap((path) => {
          if (last === undefined) return [joinPath(path, literal)];
          const values = placeholderValues(collections.get(path) ?? [], last, isSafePath);
          const whole = values.filter(
            (value) => placeholders.length === 1 || value.split('/').length === placeholders.length,
          );
          return sampleEvenly(whole, limit).map((value) => joinPath(path, value));
        }),
        limit,
      );
    }
    return paths;
  };
  /** Fills a template with the fields of single objects, whose ids belong together. */
  const expandByTuples = (template: string, limit: number): readonly string[] => {
    const segments = template.split('/');
    const names = segments.flatMap((segment) => readPlaceholder(segment) ?? []);
    if (names.length !== segments.filter((segment) => segment.includes('{')).length) return [];
    return sampleEvenly(
      pool.tuplesOf(names).map((tuple) => {
        const left = [...tuple];
        return segments.map((segment) => (segment.includes('{') ? left.shift() : segment)).join('/');
      }),
      limit,
    );
  };
  return {
    addResponse(path, body) {
      const items = readItems(body);
      if (items.length > 0) collections.set(path, items);
      pool.addResponse(path.slice(path.lastIndexOf('/') + 1), body);
    },
    expand(template, limit, isOfRoute) {
      const slashed =
        isOfRoute === undefined ? [] : expandBySlashes(template, limit).filter((path) => isOfRoute(path));
      if (slashed.length > 0) return slashed;
      const paths = expandBy(template, limit, ownValues);
      if (paths.length > 0) return paths;
      // Values of one object belong together. Values of several may not, so that the site refuses some of the paths.
      const tuples = expandByTuples(template, limit);
      return [...new Set([...tuples, ...expandBy(template, limit, anyValues)])].slice(0, limit);
    },
    valuesOf: (parameter) => pool.valuesOf(parameter),
    fieldsOf: (collection, name) =>
      (collections.get(collection) ?? [])
        .flatMap(({ fields }) => fields.get(name) ?? [])
        .filter(isSafePathSegment),
    link: () => pool.link(),
  };
}

/** Splits a template into literals and runs of parameters. A segment that contains a parameter and text is a literal. */
function splitRuns(
  template: string,
): readonly { readonly literal: string; readonly placeholders: readonly string[] }[] {
  const runs: { literal: string; placeholders: string[] }[] = [];
  for (const segment of template.split('/')) {
    const placeholder = readPlaceholder(segment);
    const last = runs.at(-1);
    if (placeholder === undefined) runs.push({ literal: segment, placeholders: [] });
    else if (last !== undefined && last.placeholders.length > 0) last.placeholders.push(placeholder);
    else runs.push({ literal: '', placeholders: [placeholder] });
  }
  return runs;
}

function readPlaceholder(segment: string): string | undefined {
  return /^\{([^{}]+)\}$/.exec(segment)?.[1];
}

/** The name under which responses have a parameter: `id` below `/stages` is `stage_id`. */
function parameterName(path: string, placeholder: string): string {
  if (placeholder !== 'id' && placeholder !== 'slug') return placeholder;
  return `${toSingular(path.slice(path.lastIndexOf('/') + 1))}_${placeholder}`;
}

function joinPath(path: string, segment: string): string {
  return segment === '' ? path : `${path}/${segment}`;
}

function readItems(body: Json): readonly CollectionItem[] {
  const list = findItemList(body, 0);
  const entries: readonly (readonly [string | null, Json])[] =
    list === null ? Object.entries(isJsonObject(body) ? body : {}) : list.map((item) => [null, item]);
  return entries.slice(0, MAX_COLLECTION_ITEMS).flatMap(([key, item]): CollectionItem[] => {
    if (!isJsonObject(item)) return [];
    const fields = Object.entries(item).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    );
    return fields.length === 0 ? [] : [{ key, fields: new Map(fields) }];
  });
}

/** Finds the list of a response: the response itself, or the first list of objects inside of it (`{ data: [...] }`). */
function findItemList(body: Json, depth: number): readonly Json[] | null {
  if (Array.isArray(body)) return body;
  if (!isJsonObject(body) || depth > 2) return null;
  const members = Object.values(body).filter((member) => typeof member === 'object' && member !== null);
  const list = members.find((member) => Array.isArray(member) && member.some(isJsonObject));
  if (Array.isArray(list)) return list;
  if (depth === 0 && members.length > 1) return null;
  for (const member of members) {
    const inner = isJsonObject(member) ? findItemList(member, depth + 1) : null;
    if (inner !== null) return inner;
  }
  return null;
}

/**
 * Returns a value for each item: the field with the placeholder's name, else its id, slug, name or key. The placeholder
 * `parent` stands for the item itself, not for its field `parent`.
 */
function placeholderValues(
  items: readonly CollectionItem[],
  placeholder: string,
  isSafe: (value: string | undefined) => value is string,
): readonly string[] {
  const names = [...(placeholder === 'parent' ? [] : [placeholder]), 'id', 'slug', 'name'];
  const values = items.map(
    ({ fields, key }) => names.map((name) => fields.get(name)).find(isSafe) ?? key ?? undefined,
  );
  return [...new Set(values.filter(isSafe))];
}

/** Returns the first, the last and evenly spaced values between, because distant items differ more than neighbours. */
function sampleEvenly(values: readonly string[], limit: number): readonly string[] {
  if (values.length <= limit) return values;
  const step = (values.length - 1) / Math.max(1, limit - 1);
  return Array.from({ length: limit }, (_, index) => values[Math.round(index * step)] ?? '');
}

/** Values of parameters that responses contain, by the parameter's name: `board_id` from the boards of any list. */
interface ValuePool {
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

function createValuePool(): ValuePool {
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
function isSafePathSegment(value: string | undefined): value is string {
  return value !== undefined && /^[\w.~-]{1,200}$/.test(value) && !/^\.+$/.test(value);
}

/** Whether a value is segments that are safe, of which one may be empty: `theme//index`. */
function isSafePath(value: string | undefined): value is string {
  if (value === undefined || value.length > 200 || value.includes('///')) return false;
  const segments = value.split('/');
  const isFramed = segments[0] === '' || segments.at(-1) === '';
  return !isFramed && segments.every((segment) => segment === '' || isSafePathSegment(segment));
}
