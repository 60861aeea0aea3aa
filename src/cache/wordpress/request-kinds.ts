import { splitNames } from '../../glob.ts';
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
const SELECTING_PARAMETERS: ReadonlySet<string> = new Set(
  splitNames(`
  id include exclude parent parent_exclude author author_exclude post posts page per_page offset
  categories categories_exclude tags tags_exclude featured_media
`),
);

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
  /** The path that the template matched. */
  readonly path: string;
  /** `null` if they are unknown. */
  readonly sentParameters: ReadonlyMap<string, Json> | null;
  /** Whether the request has no credentials. A site may publish one client's write and hold back that of another. */
  readonly isAnonymous: boolean;
  /** Body of the response; `undefined` if it is unknown. */
  readonly responseBody: Json | undefined;
}

/** Names the kind of a write; `null` if it is unknown. */
export function nameWriteKind(write: NamedWrite): string | null {
  const { isAnonymous, method, path, responseBody, sentParameters, template } = write;
  if (template === null || sentParameters === null) return null;
  const parameters = describeParameters(sentParameters);
  if (parameters === null) return null;
  const address = describePath(template, path);
  const client = isAnonymous ? 'anonymous ' : '';
  return `${client}${method} ${address}${prefix(' ', parameters)}${prefix(' -> ', describeResult(responseBody))}`;
}

function prefix(separator: string, text: string): string {
  return text === '' ? '' : separator + text;
}

/**
 * Members of a response that say whether others see what was written. The same request may publish one comment and hold
 * back another: clients could send the second kind until the first is believed to change nothing.
 */
const RESULT_MEMBERS = ['approved', 'published', 'state', 'status', 'visibility'] as const;

function describeResult(responseBody: Json | undefined): string {
  if (!isJsonObject(responseBody)) return '';
  return RESULT_MEMBERS.flatMap((name) => {
    const value = responseBody[name];
    return value !== undefined && isOption(value, false) ? [`${name}=${value}`] : [];
  }).join('&');
}

/** Returns the template with those values in it that may be options: `/items/{id}/vote` for `/items/{id}/{action}`. */
function describePath(template: string, path: string): string {
  const values = path.split('/');
  const segments = template.split('/');
  if (values.length !== segments.length) return template;
  return segments
    .map((segment, at) => (segment.includes('{') && WORD.test(values[at] ?? '') ? values[at] : segment))
    .join('/');
}

/** Returns `null` for parameters that are too many to tell one kind from another. */
function describeParameters(values: ReadonlyMap<string, Json>): string | null {
  if (values.size === 0) return '';
  if (values.size > MAX_PARAMETERS) return null;
  const described: string[] = [];
  for (const [name, value] of values) {
    const description = describeValue(value, SELECTING_PARAMETERS.has(name));
    if (description === null) return null;
    described.push(name + description);
  }
  const joined = described.sort().join('&');
  return joined.length > MAX_LENGTH ? null : joined;
}

/**
 * Describes a value that may be an option, because two options may have different effects. A value of free text, an id or an
 * amount is not part of the kind.
 */
function describeValue(value: Json, selectsItems: boolean): string | null {
  if (isJsonObject(value)) {
    const members = describeParameters(new Map(Object.entries(value)));
    return members === null ? null : `{${members}}`;
  }
  if (Array.isArray(value)) return describeList(value, selectsItems);
  return isOption(value, selectsItems) ? `=${value}` : '';
}

function describeList(list: readonly Json[], selectsItems: boolean): string | null {
  const hasStructure = list.some((each) => typeof each === 'object' && each !== null);
  if (list.length > MAX_LISTED_OPTIONS) return hasStructure ? null : '';
  if (!hasStructure && !list.every((each) => isOption(each, selectsItems))) return '';
  const described = list.map((each) => describeValue(each, selectsItems));
  return described.includes(null) ? null : `[${[...new Set(described)].sort().join(',')}]`;
}

function isOption(value: Json, selectsItems: boolean): boolean {
  if (typeof value === 'boolean' || value === null || value === '' || value === 0 || value === '0')
    return true;
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value));
  if (!isNumeric) return typeof value === 'string' && WORD.test(value);
  return !selectsItems && Number.isInteger(Number(value)) && Math.abs(Number(value)) <= MAX_OPTION_NUMBER;
}
