import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import { type JsonObject, jsonItems } from '../../base/json.ts';
import TABLE from '../model/conventions/operation-levels.json' with { type: 'json' };

/** By who sees the effect: nobody, users of wp-admin, visitors, the owner. */
export const LEVELS = ['read', 'draft', 'publish', 'manage', 'delete'] as const;
export type Level = (typeof LEVELS)[number];

export function isLevel(name: unknown): name is Level {
  return LEVELS.some((level) => level === name);
}

/** Statuses of items that no visitor sees. WordPress deletes an `auto-draft` after a week. */
export const UNPUBLISHED: readonly unknown[] = ['draft', 'pending', 'private', 'auto-draft'];

/** Properties of a body or arguments of a query, by name. */
type Arguments = ReadonlyMap<string, JsonObject>;

const SHAPES: Readonly<Record<string, (taken: Arguments) => boolean>> = {
  post: (taken) => {
    const statuses = jsonItems(taken.get('status')?.['enum']);
    return (
      ['date_gmt', 'slug', 'password'].every((name) => taken.has(name)) &&
      ['draft', 'pending', 'private', 'publish'].every((status) => statuses.includes(status))
    );
  },
  /** The arguments of WP_REST_Terms_Controller, and no others. */
  term: (taken) =>
    ['name', 'slug', 'description'].every((name) => taken.has(name)) &&
    [...taken.keys()].every((name) => /^(?:id|name|slug|description|parent|meta)$/.test(name)),
};

interface DeclaredRow {
  readonly level: string;
  readonly reads?: string;
  readonly methods: string;
  readonly path?: string;
  readonly shape?: string;
  readonly words?: string;
  readonly arguments?: string;
}

const split = (names: string | undefined): ReadonlySet<string> => new Set(names?.split(' '));

/** A row applies if its method is listed, and its path (with its shape), a word of the name or the last word of an argument matches. */
const ROWS = TABLE.map(
  ({ level, reads = level, methods, path, shape = '', words, arguments: names }: DeclaredRow) => ({
    level,
    reads,
    methods: split(methods),
    isForAll: path === undefined && words === undefined && names === undefined,
    path: path === undefined ? undefined : new RegExp(`^(?:${path})$`),
    hasShape: SHAPES[shape] ?? ((): boolean => true),
    words: split(words),
    names: split(names),
  }),
);

/** `manage` for a write of which nothing is known. */
export function findLevel(method: string, template: string, id: string, taken: Arguments): Level {
  const path = template.replace(/\{[^{}]*\}/g, '{}').replace(/\/$/, '');
  // Words in the id of a read can merely tell it from another.
  const isRead = method === 'GET' || method === 'HEAD';
  const words = toWords(isRead ? path : `${path}/${id}`);
  const found = ROWS.find(
    (row) =>
      row.methods.has(method) &&
      (row.isForAll ||
        (row.path?.test(path) === true && row.hasShape(taken)) ||
        words.some((word) => row.words.has(word)) ||
        (row.names.size > 0 &&
          Array.from(taken).some(
            ([name, { format }]) => format === 'uri' || row.names.has(toWords(name).at(-1) ?? ''),
          ))),
  );
  const level = isRead ? found?.reads : found?.level;
  return isLevel(level) ? level : 'manage';
}

/** `/wc-admin/sendLink` has the words wc-admin, wc, admin, sendlink, send, link. */
function toWords(path: string): readonly string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '{}')
    .flatMap((segment) => [segment, ...segment.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^A-Za-z\d]+/)])
    .map((word) => word.toLowerCase());
}

/** The site can run any route of an operation. */
export function highestOf(levels: readonly Level[]): Level {
  return LEVELS.findLast((level) => levels.includes(level)) ?? 'manage';
}

export function getLevel(operation: JsonObject, method: string): Level {
  const level = operation[EXTENSION_NAMES.level];
  return isLevel(level) ? level : method === 'DELETE' ? 'delete' : 'manage';
}
