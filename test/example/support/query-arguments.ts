import type { Json, JsonObject } from '../../../src/json.ts';
import { toList, toObject } from './documented-operations.ts';
import { type Operation, type Reply, SITES, sendTo } from './site-operations.ts';

/** What `query-arguments.test.ts` asks of each operation that reads, and what each item of the response must be. */

type Query = Readonly<Record<string, Json>>;
type Holds = (item: JsonObject, value: Json) => boolean;

/** How an argument shows that it is not ignored. */
interface QueryRule {
  /** Values that give a response each of its own; null leaves the argument out. */
  readonly values?: readonly Json[];
  /** In place of `values`: all values of the enumeration give responses, of which some differ. */
  readonly isEnumeration?: true;
  /** Other arguments of the request, if the operation has them. */
  readonly beside?: Query;
  /** What each item of the response is. */
  readonly holds?: Holds;
  /** Whether the items are in the order of the member that the value names, if they have it. */
  readonly isSorted?: (value: Json) => boolean;
  /** Why nothing shows the argument. */
  readonly unchecked?: string;
}

const send = async (method: string, route: string, body?: Query): Promise<JsonObject> =>
  toObject((await sendTo('content', method, `/core/v2/${route}`, body)).body);

/** Entries of the content site, of which some have revisions, an autosave and the other statuses. */
async function prepareEntries(
  collection: string,
): Promise<{ id: number; revision: number; autosave: number }> {
  const title = 'Quartz alpha';
  const body = { status: 'publish', date: '2024-03-04T05:06:07', content: 'One two three four five six' };
  const { id } = await send('POST', collection, { ...body, title, password: 'secret', author: 2 });
  await send('POST', collection, {
    ...body,
    title: 'Other',
    content: `About ${title}`,
    author: 3,
    menu_order: 1,
  });
  await send('POST', collection, {
    ...body,
    title: 'Third',
    excerpt: `About ${title}`,
    author: 3,
    parent: Number(id),
  });
  for (const status of ['draft', 'pending', 'private', 'publish'])
    await send('POST', collection, { title: status, status });
  await send('POST', collection, { title: 'future', status: 'future', date: '2090-01-01T00:00:00' });
  const trashed = await send('POST', collection, { title: 'trash' });
  await send('DELETE', `${collection}/${trashed['id']}`);
  for (const each of ['Quartz alpha one', 'Quartz two', title])
    await send('POST', `${collection}/${id}`, { title: each });
  const autosave = await send('POST', `${collection}/${id}/autosaves`, { title: 'Saved' });
  const { body: revisions } = await sendTo('content', 'GET', `/core/v2/${collection}/${id}/revisions`);
  return {
    id: Number(id),
    revision: Number(toObject(toList(revisions)[1])['id']),
    autosave: Number(autosave['id']),
  };
}

async function prepareMedia(): Promise<number[]> {
  const { body } = await sendTo('content', 'GET', '/core/v2/media?per_page=4');
  const ids = toList(body).map((each) => Number(toObject(each)['id']));
  const texts = [
    { title: 'Quartz alpha' },
    { caption: 'About Quartz alpha' },
    { description: 'About Quartz alpha' },
    { status: 'private' },
  ];
  for (const [index, text] of texts.entries()) await send('POST', `media/${ids[index]}`, text);
  return ids;
}

SITES.boards.reset();
SITES.content.reset();
const entries = { posts: await prepareEntries('posts'), pages: await prepareEntries('pages') };
const media = await prepareMedia();
await sendTo('boards', 'POST', '/boards/v2/projects/1/labels/task', { task_id: 25, label_id: 1 });
await sendTo('boards', 'POST', '/boards/v2/projects/1/crm-contact', { contact_id: 8 });

const memberIs =
  (...path: string[]): Holds =>
  (item, value) =>
    [value].flat().includes(path.reduce<Json>((inner, name) => toObject(inner)[name] ?? null, item));
const not =
  (holds: Holds): Holds =>
  (item, value) =>
    !holds(item, value);
const contains: Holds = (item, value) =>
  JSON.stringify(item).toLowerCase().includes(String(value).toLowerCase());
const has =
  (list: string): Holds =>
  (item, value) => {
    const own = toList(item[list]).map((each) => toObject(each)['id'] ?? each);
    const wanted = toList(toObject(value)['terms'] ?? value);
    const has = (each: Json): boolean => own.includes(each);
    return toObject(value)['operator'] === 'AND' ? wanted.every(has) : wanted.some(has);
  };
const isAttachedTo: Holds = (item, value) => [value].flat().includes(item['post'] ?? 0);
const isAfter =
  (member: string): Holds =>
  (item, value) =>
    String(item[member]) > String(value);
const isBefore =
  (member: string): Holds =>
  (item, value) =>
    String(item[member]) < String(value);

type Rules = readonly (readonly [start: string, names: string, rule: QueryRule])[];

/** Rules of a collection of the content site, whose first items have these ids and slugs. */
function rulesOf(collection: string, ids: readonly number[]): Rules {
  const state = SITES.content.state();
  const slugs = ids.map((id) => state.entries.get(id)?.slug ?? '');
  const dates = [...state.entries.values()]
    .filter(({ kind, status }) => COLLECTIONS[kind] === collection && status !== 'draft')
    .map(({ date, modified }) => ({ date, modified }));
  /** Two moments between the dates of the entries. */
  const between = (member: 'date' | 'modified'): string[] => {
    const sorted = dates.map((each) => each[member]).sort((one, other) => one - other);
    return [0.3, 0.7].map((share) =>
      new Date((sorted[Math.floor(sorted.length * share)] ?? 0) + 500).toISOString().slice(0, 19),
    );
  };
  const start = `content GET /core/v2/${collection}`;
  return [
    [start, 'after', { values: between('date'), holds: isAfter('date'), beside: TYPED }],
    [start, 'before', { values: between('date'), holds: isBefore('date'), beside: TYPED }],
    [start, 'modified_after', { values: between('modified'), holds: isAfter('modified'), beside: TYPED }],
    [start, 'modified_before', { values: between('modified'), holds: isBefore('modified'), beside: TYPED }],
    [start, 'include', { values: [ids.slice(0, 2), ids], holds: memberIs('id') }],
    [
      start,
      'exclude',
      { values: [ids.slice(0, 2), ids], holds: not(memberIs('id')), beside: { ...TYPED, order: 'asc' } },
    ],
    [start, 'slug', { values: [slugs.slice(0, 1), slugs], holds: memberIs('slug') }],
    [
      start,
      'orderby',
      {
        isEnumeration: true,
        isSorted: (value) => value !== 'position',
        beside: { order: 'asc', include: ids, slug: slugs, search: 'a' },
      },
    ],
  ];
}

const COLLECTIONS = { post: 'posts', page: 'pages', attachment: 'media' } as const;

function firstIds(kind: keyof typeof COLLECTIONS): number[] {
  const found = [...SITES.content.state().entries.values()].filter(
    (each) => each.kind === kind && ['publish', 'inherit'].includes(each.status) && each.title.includes('a'),
  );
  return found.slice(2, 6).map(({ id }) => id);
}

/** Rules of the versions of an entry. */
function rulesOfVersions(collection: 'posts' | 'pages', revisions: readonly number[]): Rules {
  const start = `content GET /core/v2/${collection}/{parent}/revisions`;
  return [
    [start, 'search', { values: ['quartz', 'alpha', 'zzzz'], holds: contains }],
    [start, 'include', { values: [revisions.slice(0, 1), revisions], holds: memberIs('id') }],
    [start, 'exclude', { values: [revisions.slice(0, 1), revisions], holds: not(memberIs('id')) }],
    [
      start,
      'orderby',
      {
        isEnumeration: true,
        isSorted: (value) => value !== 'position',
        beside: { order: 'asc', search: 'alpha', include: revisions },
      },
    ],
    [
      `content GET /core/v2/${collection}/{id}/autosaves`,
      'parent',
      { unchecked: 'the path names the entry' },
    ],
  ];
}

async function revisionsOf(collection: 'posts' | 'pages'): Promise<number[]> {
  const path = `/core/v2/${collection}/${entries[collection].id}/revisions`;
  return toList((await sendTo('content', 'GET', path)).body)
    .map((each) => Number(toObject(each)['id']))
    .reverse();
}

const TYPED = { per_page: 100, context: 'edit' };
const post = [...SITES.content.state().entries.values()].find(
  ({ categories, tags }) => categories.length > 0 && tags.length > 0,
);
const OWN_PAGES = 'the site asks no provider of another site, and describes its own pages without it';

/** By the beginning of an operation and the names of arguments. A later rule is in place of an earlier one. */
const RULES: Rules = [
  ['', 'page', { values: [1, 2], beside: { per_page: 1 } }],
  ['', 'per_page limit per_board per_stage', { values: [1, 2] }],
  ['', 'order', { values: ['asc', 'desc'] }],
  ['', 'namespace', { values: ['oembed/1.0', 'core/v2'] }],
  ['boards', 'namespace', { values: ['oembed/1.0', 'boards/v2'] }],
  ['', 'context', { isEnumeration: true }],
  ...['/', '/oembed/1.0', '/ext-a/v1', '/v1', '/ai/v1', '/core/v2', '/boards/v2'].flatMap((route) =>
    ['content', 'boards'].map((site): Rules[number] => [
      `${site} GET ${route}`,
      'context',
      ['/v1', '/oembed/1.0'].includes(route)
        ? { unchecked: 'its routes have no schemas to show' }
        : { values: ['view', 'help'] },
    ]),
  ),
  ['content GET /core/v2/', 'context', { isEnumeration: true }],
  ['', 'url', { values: ['http://localhost/about/', 'http://localhost/contact/'] }],
  ['boards', 'url', { values: ['http://localhost/roadmap/', 'http://localhost/help/'] }],
  ['', 'format', { values: ['json', 'xml'] }],
  ['', 'maxwidth', { values: [300, 500] }],
  ['', 'maxheight discover', { unchecked: OWN_PAGES }],
  ['content GET /oembed/1.0/proxy', 'format', { unchecked: OWN_PAGES }],
  ['boards GET /oembed/1.0/proxy', 'format', { unchecked: OWN_PAGES }],
  ['content', 'capability', { isEnumeration: true }],
  ['content', 'search', { values: ['quartz', 'other', 'zzzz', 'harbour'], holds: contains, beside: TYPED }],
  ['content', 'author', { values: [[2], [3], [2, 3]], holds: memberIs('author') }],
  [
    'content',
    'author_exclude',
    { values: [[2], [3], [2, 3]], holds: not(memberIs('author')), beside: TYPED },
  ],
  ['content', 'offset', { values: [0, 1] }],
  ['content', 'search_semantics', { values: [null, 'exact'], beside: { search: 'Quartz alpha' } }],
  ['content', 'search_columns', { isEnumeration: true, beside: { search: 'quartz' } }],
  [
    'content',
    'status',
    {
      isEnumeration: true,
      beside: TYPED,
      holds: (item, value) => [value].flat().some((each) => each === 'any' || each === item['status']),
    },
  ],
  [
    'content',
    'tax_relation',
    { values: ['AND', 'OR'], beside: { categories: post?.categories ?? [], tags: post?.tags ?? [] } },
  ],
  ['content', 'categories', { values: CHOICES(2, 3), holds: has('categories') }],
  ['content', 'tags', { values: CHOICES(14, 15), holds: has('tags') }],
  [
    'content',
    'categories_exclude',
    { values: [[2], [3], { terms: [2, 3] }], holds: not(has('categories')), beside: TYPED },
  ],
  [
    'content',
    'tags_exclude',
    { values: [[14], [15], { terms: [14, 15] }], holds: not(has('tags')), beside: TYPED },
  ],
  ['content', 'sticky', { values: [true, false], holds: memberIs('sticky') }],
  ['content', 'ignore_sticky', { values: [true, false] }],
  ['content GET /core/v2/posts', 'format', { isEnumeration: true, holds: memberIs('format') }],
  ['content', 'menu_order', { values: [0, 1], holds: memberIs('menu_order') }],
  ['content', 'parent', { values: [[0], [entries.pages.id]], holds: memberIs('parent') }],
  ['content', 'parent_exclude', { values: [[0], [entries.pages.id]], holds: not(memberIs('parent')) }],
  ['content GET /core/v2/media', 'parent', { values: [[0], PARENTS()], holds: isAttachedTo }],
  [
    'content GET /core/v2/media',
    'parent_exclude',
    { values: [[0], PARENTS()], holds: not(isAttachedTo), beside: TYPED },
  ],
  [
    'content GET /core/v2/media',
    'search',
    { values: ['quartz', 'fog', 'zzzz'], holds: contains, beside: TYPED },
  ],
  [
    'content GET /core/v2/media',
    'media_type',
    {
      isEnumeration: true,
      holds: (item, value) => String(item['mime_type']).startsWith(`${[value].flat()[0]}/`),
    },
  ],
  [
    'content GET /core/v2/media',
    'mime_type',
    { values: [['image/png'], ['application/pdf']], holds: memberIs('mime_type') },
  ],
  ['content', 'excerpt_length', { values: [2, 4], beside: { password: 'secret' } }],
  ['content', 'password', { values: ['secret', null] }],
  ['content GET /core/v2/media', 'author', { values: [[1], [2]], holds: memberIs('author') }],
  [
    'content GET /core/v2/media',
    'author_exclude',
    { values: [[1], [2]], holds: not(memberIs('author')), beside: TYPED },
  ],
  ['content GET /core/v2/posts/{parent}/revisions', 'offset', { values: [0, 1], beside: { per_page: 10 } }],
  ['content GET /core/v2/pages/{parent}/revisions', 'offset', { values: [0, 1], beside: { per_page: 10 } }],
  ...rulesOf('posts', firstIds('post')),
  ...rulesOf('pages', firstIds('page')),
  ...rulesOf('media', firstIds('attachment')),
  ...rulesOfVersions('posts', await revisionsOf('posts')),
  ...rulesOfVersions('pages', await revisionsOf('pages')),

  ['boards', 'search', { values: ['re', 'of', 'zzzz'], holds: contains }],
  ['boards', 'from', { values: ['2025-12-20', '2026-01-20'] }],
  ['boards', 'to', { values: ['2025-12-20', '2026-01-20'] }],
  [
    'boards GET /boards/v2/projects/{board_id}/activities',
    'from',
    { values: ['2026-02-20', '2026-02-25'], holds: isAfter('at'), beside: { per_page: 100 } },
  ],
  [
    'boards GET /boards/v2/projects/{board_id}/activities',
    'to',
    {
      values: ['2026-01-20', '2026-02-20'],
      holds: (item, value) => String(item['at']).slice(0, 10) <= String(value),
    },
  ],
  ['boards', 'board_ids', { values: [[1], [2], [3]] }],
  ['boards', 'user_ids', { values: [[2], [3]] }],
  ['boards', 'billable mine include_archived', { values: [true, false] }],
  ['boards GET /boards/v2/roadmaps', 'search', { values: ['speed', 'allow', 'zzzz'], holds: contains }],
  ['boards GET /boards/v2/roadmaps', 'orderby', { isEnumeration: true }],
  ['boards GET /boards/v2/projects', 'type status', { isEnumeration: true }],
  ['boards GET /boards/v2/projects', 'folder_id', { values: [1, 2] }],
  [
    'boards GET /boards/v2/projects',
    'orderby',
    { isEnumeration: true, isSorted: (value) => value !== 'position', beside: { order: 'asc' } },
  ],
  [
    'boards GET /boards/v2/global-search',
    'kinds',
    { isEnumeration: true, holds: memberIs('kind'), beside: { per_page: 100 } },
  ],
  ['boards', 'board_id', { values: [1, 2] }],
  ['boards GET /boards/v2/ajax-options', 'option_key', { isEnumeration: true }],
  ['boards GET /boards/v2/ajax-options', 'board_id', { values: [1, 2], beside: { option_key: 'stages' } }],
  [
    'boards GET /boards/v2/ajax-options',
    'search',
    { values: ['re', 'do', 'zzzz'], holds: contains, beside: { option_key: 'stages', board_id: 1 } },
  ],
  ['boards GET /boards/v2/reports/roadmap', 'board_ids', { values: [[3], [7]] }],
  [
    'boards GET /boards/v2/projects/{board_id}/tasks/table',
    'search',
    { values: ['measure', 'imprint', 'zzzz'] },
  ],
  ['boards', 'values', { values: [[1], [2]] }],
  ['boards', 'since', { values: ['2020-01-01T00:00:00', '2090-01-01T00:00:00'] }],
  ['boards', 'role', { isEnumeration: true, holds: memberIs('role') }],
  ['boards', 'action', { isEnumeration: true, holds: memberIs('action') }],
  ['boards', 'subject', { isEnumeration: true, holds: memberIs('subject') }],
  ['boards', 'user_id', { values: [1, 2, 3], holds: memberIs('user', 'id') }],
  [
    'boards GET /boards/v2/projects/{board_id}/tasks',
    'stage_id',
    { values: [1, 2], holds: memberIs('stage_id') },
  ],
  ['boards GET /boards/v2/projects/{board_id}/stage-task', 'task_id', { values: [3, 22] }],
  ['boards', 'stage_ids', { values: [[1], [2], [1, 2]], holds: memberIs('stage_id') }],
  ['boards', 'assignees', { values: [[2], [3]], holds: has('assignees') }],
  ['boards', 'labels', { values: [[4], [5]], holds: has('labels') }],
  ['boards', 'priorities', { isEnumeration: true, holds: memberIs('priority') }],
  [
    'boards GET /boards/v2/projects/{board_id}/tasks',
    'status',
    { isEnumeration: true, holds: memberIs('status') },
  ],
  ['boards', 'due', { isEnumeration: true }],
  [
    'boards GET /boards/v2/projects/{board_id}/tasks',
    'orderby',
    { isEnumeration: true, isSorted: (value) => value !== 'position', beside: { order: 'asc' } },
  ],
  ...['stage_ids', 'labels', 'assignees'].map((name): Rules[number] => [
    'boards GET /boards/v2/projects/{board_id}/tasks/table',
    name,
    { values: [[2], [3], [2, 3]] },
  ]),
  ['boards GET /boards/v2/admin/mcp', 'client', { isEnumeration: true }],
  ['boards GET /boards/v2/admin/pages', 'search', { values: ['ro', 'he', 'zzzz'], holds: contains }],
  [
    'boards GET /boards/v2/projects/{board_id}/labels',
    'search',
    { values: ['ur', 'te', 'zzzz'], holds: contains },
  ],
];

/** Terms as a list, and as an object with an operator. */
function CHOICES(one: number, other: number): Json[] {
  const terms = [one, other];
  return [[one], [other], { terms, operator: 'AND' }, { terms, operator: 'OR' }];
}

function PARENTS(): number[] {
  const parent = [...SITES.content.state().entries.values()].find(
    (each) => each.kind === 'attachment' && each.parent > 0,
  )?.parent;
  return parent === undefined ? [] : [parent];
}

export function ruleOf(name: string, argument: string): QueryRule | undefined {
  return RULES.findLast(
    ([start, names]) => name.startsWith(start) && names.split(' ').includes(argument),
  )?.[2];
}

/** Arguments that an operation requires. */
const REQUIRED: Query = {
  option_key: 'users',
  url: 'http://localhost/about/',
  search: 're',
  stage_id: 1,
  since: '2020-01-01T00:00:00',
  capability: 'vision',
};

/** Path parameters of the boards, by the beginning of a path. */
const PLACES: readonly (readonly [start: string, values: Readonly<Record<string, number | string>>])[] = [
  ['', { board_id: 1, task_id: 25, stage_id: 1, id: 2, associated_id: 8, type: 'kanban' }],
  ['/boards/v2/roadmaps', { board_id: 3, stage_id: 13 }],
  ['/boards/v2/projects/{board_id}/tasks/{task_id}/comments', { task_id: 3 }],
];

/** Sends a request with the arguments that the operation requires and others that it has. */
export function ask({ name, site, path, args }: Operation, query: Query): Promise<Reply> {
  const own = site === 'boards' ? { ...REQUIRED, url: 'http://localhost/roadmap/' } : REQUIRED;
  const required = Object.entries(own).filter(([each]) => args.get(each)?.['required'] === true);
  const known = Object.entries(query).filter(([each]) => args.has(each) || each.startsWith('_'));
  const values = Object.assign(
    {},
    ...PLACES.filter(([start]) => path.startsWith(start)).map(([, own]) => own),
  );
  if (site === 'content') Object.assign(values, contentPlace(name));
  const filled = path.replace(/\{(\w+)\}/g, (_, each: string) => String(values[each]));
  return sendTo(site, 'GET', filled, { ...Object.fromEntries(required), ...Object.fromEntries(known) });
}

function contentPlace(name: string): Readonly<Record<string, number | undefined>> {
  if (name.includes('/media/')) return { id: media[3] };
  const { id, revision, autosave } = entries[name.includes('/pages') ? 'pages' : 'posts'];
  if (!name.includes('{parent}')) return { id };
  return { parent: id, id: name.includes('/autosaves') ? autosave : revision };
}
