import { isJsonObject, type Json } from '../../json.ts';

/**
 * Names of kinds of reads and writes, between which dependencies are learned: the path template, the names of the
 * parameters, and those values that look like options (`status=private`), because they decide what a request does.
 */

/** Kind of the reads that no name describes. Nothing is learned about it. */
export const UNKNOWN_READ_KIND = '';

const MAX_PARAMETERS = 24;
const MAX_LENGTH = 300;
/** A text that can be an option: one short word, such as `private`, `EUR` or `A1`. */
const WORD = /^[a-z][\w.-]{0,23}$/i;
/** A number that can be an option. Greater ones are ids, amounts or times. */
const MAX_OPTION_NUMBER = 20;
const MAX_LISTED_OPTIONS = 4;

/** Parameters of WordPress whose numbers select items or a page. They decide which items a request concerns, not what it does. */
const SELECTING_PARAMETERS: ReadonlySet<string> = new Set([
  ...[
    'id',
    'include',
    'exclude',
    'parent',
    'parent_exclude',
    'author',
    'author_exclude',
    'post',
    'posts',
    'page',
  ],
  ...['per_page', 'offset', 'categories', 'categories_exclude', 'tags', 'tags_exclude', 'featured_media'],
]);

/** Parameters of all REST routes that the document does not declare. */
const GLOBAL_PARAMETERS: ReadonlySet<string> = new Set(['_embed', '_fields', '_locale', 'rest_route']);

/**
 * Names the kind of a read.
 *
 * @param template path template; `null` for a route outside the document
 * @param values the query, as the site reads it
 * @param isDeclared whether the operation declares a parameter. Clients could invent any number of others
 */
export function nameReadKind(
  template: string | null,
  values: ReadonlyMap<string, Json>,
  isDeclared: (parameter: string) => boolean,
): string {
  if (template === null) return UNKNOWN_READ_KIND;
  for (const name of values.keys()) {
    if (!isDeclared(name) && !GLOBAL_PARAMETERS.has(name)) return UNKNOWN_READ_KIND;
  }
  const parameters = describeParameters(values);
  if (parameters === null) return UNKNOWN_READ_KIND;
  return parameters === '' ? template : `${template}?${parameters}`;
}

/** Returns the path template in the name of a read kind. */
export function templateOfReadKind(readKind: string): string {
  return readKind.split('?', 1)[0] ?? '';
}

/** The properties of a write that decide its kind. */
export interface NamedWrite {
  readonly method: string;
  /** Path template; `null` for a route outside the document. */
  readonly template: string | null;
  /** `null` if they are unknown. */
  readonly sentParameters: ReadonlyMap<string, Json> | null;
  /** Whether the request has no credentials. A site may publish one client's write and hold back that of another. */
  readonly isAnonymous: boolean;
}

/** Names the kind of a write; `null` if it is unknown. */
export function nameWriteKind({ isAnonymous, method, sentParameters, template }: NamedWrite): string | null {
  if (template === null || sentParameters === null) return null;
  const parameters = describeParameters(sentParameters);
  if (parameters === null) return null;
  return `${isAnonymous ? 'anonymous ' : ''}${method} ${template}${parameters === '' ? '' : ` ${parameters}`}`;
}

function describeParameters(values: ReadonlyMap<string, Json>): string | null {
  if (values.size === 0) return '';
  if (values.size > MAX_PARAMETERS) return null;
  const described = Array.from(
    values,
    ([name, value]) => name + describeValue(value, SELECTING_PARAMETERS.has(name)),
  )
    .sort()
    .join('&');
  return described.length > MAX_LENGTH ? null : described;
}

/**
 * Describes a value that may be an option, because two options may have different effects. A value of free text, an id or an
 * amount is not part of the kind.
 */
function describeValue(value: Json, selectsItems: boolean): string {
  if (isJsonObject(value)) return `{${Object.keys(value).sort().join(',')}}`;
  if (!Array.isArray(value)) return isOption(value, selectsItems) ? `=${value}` : '';
  const isOptions =
    value.length <= MAX_LISTED_OPTIONS &&
    value.every((each) => each !== null && isOption(each, selectsItems));
  return isOptions ? `=[${value.join(',')}]` : '';
}

function isOption(value: Json, selectsItems: boolean): boolean {
  if (typeof value === 'boolean' || value === null || value === '' || value === 0 || value === '0')
    return true;
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value));
  if (isNumeric)
    return !selectsItems && Number.isInteger(Number(value)) && Math.abs(Number(value)) <= MAX_OPTION_NUMBER;
  return typeof value === 'string' && WORD.test(value);
}
