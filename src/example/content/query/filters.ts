import type { SiteRequest } from '../../site/declare.ts';
import type { Entry } from '../entries.ts';
import { readDate } from '../rules/dates.ts';
import { hasStatus } from '../rules/statuses.ts';
import type { ContentState } from '../state.ts';
import { matches, type Search } from './search.ts';
import { readTaxonomies } from './taxonomy.ts';

export type Condition = (entry: Entry) => boolean;
type Filter = (request: SiteRequest<ContentState>) => Condition | undefined;

/** What narrows a list, one filter a parameter. A filter whose parameter is absent gives no condition. */
const FILTERS: Readonly<Record<string, Filter>> = {
  status: ({ params }) => {
    const wanted = params.strings('status');
    return (entry) => hasStatus(entry, wanted);
  },
  author: among('author', (entry) => entry.author),
  author_exclude: apartFrom('author_exclude', (entry) => entry.author),
  include: among('include', (entry) => entry.id),
  exclude: apartFrom('exclude', (entry) => entry.id),
  parent: among('parent', (entry) => entry.parent),
  parent_exclude: apartFrom('parent_exclude', (entry) => entry.parent),
  after: dated('after', (entry, time) => entry.date > time),
  before: dated('before', (entry, time) => entry.date < time),
  modified_after: dated('modified_after', (entry, time) => entry.modified > time),
  modified_before: dated('modified_before', (entry, time) => entry.modified < time),
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
  taxonomies: ({ params, state }) => readTaxonomies(params, state.terms),
};

/** Every condition of a list. */
export function readConditions(request: SiteRequest<ContentState>, search: Search | undefined): Condition[] {
  const conditions = Object.values(FILTERS).flatMap((filter) => filter(request) ?? []);
  if (search === undefined) return conditions;
  // A search by anybody passes over what a password protects, or its hits would tell of the content.
  const open: Condition = (entry) => request.user !== null || entry.password === '';
  return [...conditions, open, (entry) => matches(entry, search)];
}

function among(name: string, key: (entry: Entry) => number): Filter {
  return ({ params }) => {
    const ids = new Set(params.integers(name));
    return ids.size === 0 ? undefined : (entry) => ids.has(key(entry));
  };
}

function apartFrom(name: string, key: (entry: Entry) => number): Filter {
  return ({ params }) => {
    const ids = new Set(params.integers(name));
    return ids.size === 0 ? undefined : (entry) => !ids.has(key(entry));
  };
}

function dated(name: string, test: (entry: Entry, time: number) => boolean): Filter {
  return ({ params }) => {
    const time = readDate(params.string(name, ''));
    return time === undefined ? undefined : (entry) => test(entry, time);
  };
}
