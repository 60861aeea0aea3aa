import type { Entry } from '../model/entries.ts';
import type { ContentRequest } from '../model/state.ts';
import { parseDateTime } from '../rules/dates.ts';
import { matchesStatus } from '../rules/statuses.ts';
import { matchesSearch, type SearchQuery } from './search.ts';
import { createTaxonomyCondition } from './taxonomy.ts';

type EntryCondition = (entry: Entry) => boolean;
type ParameterFilter = (request: ContentRequest) => EntryCondition | undefined;

/** A filter for each list parameter. It returns `undefined` if its parameter is absent. */
const PARAMETER_FILTERS: Readonly<Record<string, ParameterFilter>> = {
  status: ({ params }) => {
    const statuses = params.strings('status');
    return (entry) => matchesStatus(entry, statuses);
  },
  author: includesId('author', (entry) => entry.author),
  author_exclude: excludesId('author_exclude', (entry) => entry.author),
  include: includesId('include', (entry) => entry.id),
  exclude: excludesId('exclude', (entry) => entry.id),
  parent: includesId('parent', (entry) => entry.parent),
  parent_exclude: excludesId('parent_exclude', (entry) => entry.parent),
  after: comparesDate('after', (entry, time) => entry.date > time),
  before: comparesDate('before', (entry, time) => entry.date < time),
  modified_after: comparesDate('modified_after', (entry, time) => entry.modified > time),
  modified_before: comparesDate('modified_before', (entry, time) => entry.modified < time),
  slug: ({ params }) => {
    const slugs = new Set(params.strings('slug'));
    return slugs.size === 0 ? undefined : (entry) => slugs.has(entry.slug);
  },
  menu_order: ({ params }) => {
    const order = params.integer('menu_order');
    return order === undefined ? undefined : (entry) => entry.menuOrder === order;
  },
  sticky: ({ params }) => {
    const sticky = params.boolean('sticky');
    return params.has('sticky') ? (entry) => entry.sticky === sticky : undefined;
  },
  format: ({ params }) => {
    const formats = params.strings('format');
    return formats.length === 0 ? undefined : (entry) => formats.includes(entry.format);
  },
  media_type: ({ params }) => {
    const types = params.strings('media_type');
    return types.length === 0
      ? undefined
      : (entry) => types.some((type) => entry.media?.mime.startsWith(`${type}/`) === true);
  },
  mime_type: ({ params }) => {
    const types = params.strings('mime_type');
    return types.length === 0 ? undefined : (entry) => types.includes(entry.media?.mime ?? '');
  },
  taxonomies: ({ params, state }) => createTaxonomyCondition(params, state.terms),
};

/** Creates the conditions that the entries of a list must meet. */
export function createEntryConditions(
  request: ContentRequest,
  search: SearchQuery | undefined,
): EntryCondition[] {
  const conditions = Object.values(PARAMETER_FILTERS).flatMap((filter) => filter(request) ?? []);
  if (search === undefined) return conditions;
  // An anonymous search skips entries with a password, because matches would reveal their content.
  const isSearchable: EntryCondition = (entry) => request.user !== null || entry.password === '';
  return [...conditions, isSearchable, (entry) => matchesSearch(entry, search)];
}

function includesId(name: string, key: (entry: Entry) => number): ParameterFilter {
  return ({ params }) => {
    const ids = new Set(params.integers(name));
    return ids.size === 0 ? undefined : (entry) => ids.has(key(entry));
  };
}

function excludesId(name: string, key: (entry: Entry) => number): ParameterFilter {
  return ({ params }) => {
    const ids = new Set(params.integers(name));
    return ids.size === 0 ? undefined : (entry) => !ids.has(key(entry));
  };
}

function comparesDate(name: string, test: (entry: Entry, time: number) => boolean): ParameterFilter {
  return ({ params }) => {
    const time = parseDateTime(params.string(name, ''));
    return time === undefined ? undefined : (entry) => test(entry, time);
  };
}
