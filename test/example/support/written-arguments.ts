import { type BoardState, boardDefinition } from '../../../src/example/boards/index.ts';
import { TASK_PRIORITIES } from '../../../src/example/boards/state.ts';
import { type ContentState, contentDefinition } from '../../../src/example/content/index.ts';
import type { EntryKind } from '../../../src/example/content/model.ts';
import { createSite, type InspectableSite } from '../../../src/example/site/create-site.ts';
import { generate } from '../../../src/generate.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/json.ts';
import { PNG } from '../boards/board-client.ts';
import { readDocumentedOperations, toList, toObject } from './documented-operations.ts';

/** What `written-arguments.test.ts` sends to each site, and where it reads what it has written. */

const options = {
  base: 'http://localhost',
  onError(fault: unknown): never {
    throw fault;
  },
};
export const SITES: {
  readonly content: InspectableSite<ContentState>;
  readonly boards: InspectableSite<BoardState>;
} = { content: createSite(contentDefinition, options), boards: createSite(boardDefinition, options) };
export type SiteName = keyof typeof SITES;
export const SITE_NAMES = ['content', 'boards'] as const;

/** An operation of a site with its arguments. */
export interface Operation {
  /** `boards PUT /boards/v2/projects/{board_id}` */
  readonly name: string;
  readonly site: SiteName;
  readonly method: string;
  readonly path: string;
  /** Schemas of the arguments outside the path. */
  readonly args: ReadonlyMap<string, JsonObject>;
}

/** Parameters of every route of WordPress, which concern the response alone. */
const GLOBALS = new Set(['_fields', '_embed', '_envelope', '_locale']);

/** The operations of both sites that have arguments, as their documents state them. */
export async function listOperations(): Promise<readonly Operation[]> {
  const sites = SITE_NAMES.map(async (site) => {
    const { files } = await generate('http://localhost/', {
      name: 'site',
      fetch: async (input, init) => SITES[site].fetch(new Request(input, init)),
    });
    const all = readDocumentedOperations(JSON.parse(files.get('site.openapi.json') ?? ''));
    return [...all].map(([operation, args]): Operation => {
      const [method = '', path = ''] = operation.split(' ');
      const own = [...args].filter(([arg]) => !GLOBALS.has(arg) && !path.includes(`{${arg}}`));
      return { name: `${site} ${operation}`, site, method, path, args: new Map(own) };
    });
  });
  return (await Promise.all(sites)).flat().filter(({ args }) => args.size > 0);
}

type Values = Readonly<Record<string, Json>>;

export interface Reply {
  readonly status: number;
  readonly body: Json;
}

/** Sends a request as the administrator. Beside a picture, arguments are in the query. */
export async function sendTo(
  site: SiteName,
  method: string,
  route: string,
  body?: Values,
  hasPicture = false,
): Promise<Reply> {
  const [path = '', query = ''] = route.split('?');
  const url = new URL(`http://localhost/index.php?rest_route=${path}&${query}`);
  const headers = new Headers({ authorization: `Basic ${btoa('admin:demo-admin-password')}` });
  const init: RequestInit = { method, headers };
  if (hasPicture || method === 'DELETE' || method === 'GET') {
    for (const [key, value] of toQuery(Object.entries(body ?? {}))) url.searchParams.append(key, value);
  } else if (body !== undefined) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(body);
  }
  if (hasPicture) {
    headers.set('content-type', 'image/png');
    headers.set('content-disposition', 'attachment; filename="sea.png"');
    init.body = new Uint8Array(PNG);
  }
  const response = await SITES[site].request(url.href, init);
  const text = await response.text();
  return { status: response.status, body: text.startsWith('<') ? text : JSON.parse(text) };
}

export function toQuery(members: readonly (readonly [string, Json])[]): [string, string][] {
  return members.flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) return toQuery(value.map((each) => [`${name}[]`, each]));
    if (!isJsonObject(value)) return [[name, value === null ? '' : String(value)]];
    return toQuery(Object.entries(value).map(([key, each]) => [`${name}[${key}]`, each]));
  });
}

/** Values of path parameters and of arguments that name something or that only the site understands. */
const VALUES: Readonly<Record<SiteName, Readonly<Record<string, readonly Json[]>>>> = {
  content: {
    author: [2, 3],
    featured_media: [2, 0],
    categories: [[3, 5], [2]],
    tags: [[14, 15], []],
    slug: ['written-slug', 'other-slug'],
    password: ['Written password', ''],
    modifiers: [
      [{ type: 'rotate', args: { angle: 90 } }],
      [{ type: 'flip', args: { flip: { horizontal: true, vertical: false } } }],
      [{ type: 'crop', args: { left: 10, top: 20, width: 50, height: 60 } }],
    ],
    template: ['wide', ''],
    meta: [{ footnotes: '[]' }, { footnotes: 'Written' }],
  },
  boards: {
    board_id: [1],
    task_id: [3],
    label_id: [5],
    stage_id: [4, 1],
    position: [2, 1],
    folder_id: [2],
    comment_id: [1],
    reply_id: [1],
    contact_id: [8],
    idea_id: [75],
    page_id: [3, null],
    source_board_id: [3],
    from_stage_id: [1],
    to_stage_id: [4],
    task_ids: [[3, 8]],
    stage_ids: [[5, 4, 3, 2, 1]],
    user_id: [5],
    user_ids: [[11, 12], [7]],
    assignees: [[3, 5], []],
    labels: [[2, 3], []],
    default_assignees: [[3, 5], []],
    reply_to: [1],
    image_id: [1],
    images: [['https://example.com/sea.png'], []],
    image_url: ['https://example.com/sea.png'],
    suggestions: [[{ field: 'priority', value: 'urgent' }]],
  },
};

/** Values of an argument: all of an enumeration, else two of its type, and null if the site takes it. */
export function valuesOf(site: SiteName, name: string, schema: JsonObject): readonly Json[] {
  const known = VALUES[site][name];
  if (known !== undefined) return known;
  const types = [schema['x-waygate-type'] ?? schema['type']].flat();
  const isText = types.includes('object') && toList(schema['type']).includes('string');
  const some: readonly Json[] = isText
    ? [`Written ${name}`, { raw: `Raw ${name}` }]
    : valuesOfType(name, types, schema);
  return types.includes('null') && !some.includes(null) ? [...some, null] : some;
}

function valuesOfType(
  name: string,
  types: readonly (Json | undefined)[],
  { enum: values, format, minimum = 0, items }: JsonObject,
): readonly Json[] {
  if (Array.isArray(values)) return values;
  if (types.includes('boolean')) return [true, false];
  if (types.includes('integer')) return [Number(minimum) + 6, Number(minimum) + 7];
  if (format === 'date-time') return ['2031-05-04T03:02:01', '2032-05-04T03:02:01'];
  if (format === 'hex-color') return ['#123456', '#abcdef'];
  if (types.includes('string')) return [`Written ${name}`, `Other ${name}`];
  const list = toList(toObject(items)['enum']);
  return list.length === 0 ? [[`Written ${name}`, 'Other']] : [[...list].reverse(), list.slice(1, 3)];
}

/** What an operation needs besides its required arguments. */
interface Preparation {
  /** Values of path parameters and arguments in place of the usual ones. */
  readonly values?: Readonly<Record<string, readonly Json[]>>;
  readonly body?: Values;
  readonly before?: readonly (readonly [
    method: string,
    route: string,
    body?: Values | undefined,
    hasPicture?: boolean,
  ])[];
  /** Arguments without which another one, or a value of it, has no meaning. */
  readonly companions?: Readonly<Record<string, Values>>;
  /** Whether each value needs new data. */
  readonly isSingle?: boolean;
}

const board = SITES.boards.state();
const entries = [...SITES.content.state().entries.values()];
const NEXT_ENTRY = Math.max(...entries.map(({ id }) => id)) + 1;

function firstEntry(kind: EntryKind): number {
  return entries.find((each) => each.kind === kind && each.password === '' && !each.sticky)?.id ?? 0;
}

const mediaFile = entries.find(({ id }) => id === firstEntry('attachment'))?.media?.file;
/** A status with a date of the other kind becomes another one, and a private entry has no password. */
const companions = {
  'status=future': { date: '2090-01-01T00:00:00' },
  'status=publish': { date: '2020-01-01T00:00:00' },
  password: { status: 'publish', date: '2020-01-01T00:00:00' },
};
const ROADMAP: Preparation = {
  values: {
    board_id: [3],
    stage_id: [14, 12],
    comment_id: [
      board.comments.where(({ boardId, privacy }) => boardId === 3 && privacy === 'public')[0]?.id ?? 0,
    ],
  },
};
const BACKGROUND = '/boards/v2/projects/1/upload/background-image';
const PICTURE: Preparation = { before: [['POST', BACKGROUND, undefined, true]] };
const TRACKS = '/boards/v2/projects/1/tasks/3/time-tracks';

/** By the beginning of an operation. A later one is added to an earlier one. */
const PREPARATIONS: readonly (readonly [start: string, Preparation])[] = [
  ...['posts', 'pages', 'media'].flatMap((name): [string, Preparation][] => {
    const kind = name === 'posts' ? 'post' : name === 'pages' ? 'page' : 'attachment';
    const values = {
      id: [firstEntry(kind)],
      parent: [firstEntry('page') + 1, 0],
      post: [firstEntry('post'), firstEntry('post') + 1],
    };
    return ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [
      `content ${method} /core/v2/${name}`,
      {
        values,
        companions,
        isSingle: method === 'DELETE',
        ...(method === 'POST' && name !== 'media' ? { body: { title: 'New' } } : {}),
      },
    ]);
  }),
  ...['posts', 'pages'].map((name): [string, Preparation] => [
    `content POST /core/v2/${name}/{id}/autosaves`,
    {
      isSingle: true,
      before: [['POST', `/core/v2/${name}`, { title: 'A draft' }]],
      values: { id: [NEXT_ENTRY], parent: [firstEntry('page') + 1, 0] },
      companions,
    },
  ]),
  [
    'boards POST /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks',
    { isSingle: true, values: { minutes: [7, 8] } },
  ],
  [
    'boards PUT /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/commit',
    { isSingle: true, before: [['POST', TRACKS, {}]], values: { track_id: [board.timeTracks.lastId + 1] } },
  ],
  ['boards POST /boards/v2/roadmaps/', ROADMAP],
  ['boards POST /boards/v2/projects/onboard', { isSingle: true }],
  [
    'boards PUT /boards/v2/projects/{board_id}/update-board-properties',
    {
      companions: {
        'property=description': { value: 'Written value' },
        'property=currency': { value: 'SEK' },
        'property=color': { value: '#123456' },
      },
    },
  ],
  [
    'boards PUT /boards/v2/projects/{board_id}/update-stage-property',
    {
      values: { value: ['Written value'] },
      companions: {
        'property=title': { value: 'Written value' },
        'property=color': { value: '#123456' },
        'property=default_status': { value: 'closed' },
        'property=default_assignees': { value: [3, 5] },
        'property=task_limit': { value: 7 },
      },
    },
  ],
  ...[
    'PUT /boards/v2/projects/{board_id}/tasks/{task_id}',
    'POST /boards/v2/projects/{board_id}/tasks/{task_id}/dates',
  ].map((name): [string, Preparation] => [`boards ${name}`, { body: { due_at: null } }]),
  [
    'content POST /core/v2/media/{id}/edit',
    { values: { src: [`http://localhost/wp-content/uploads/${mediaFile}`] } },
  ],
  ...['posts', 'pages'].map((name): [string, Preparation] => [
    `content DELETE /core/v2/${name}/{parent}/revisions`,
    {
      before: [
        ['POST', `/core/v2/${name}/${firstEntry(name === 'posts' ? 'post' : 'page')}`, { title: 'Changed' }],
      ],
      values: { parent: [firstEntry(name === 'posts' ? 'post' : 'page')], id: [NEXT_ENTRY] },
    },
  ]),
  ['boards PUT /boards/v2/projects/{board_id}/upload/background', { ...PICTURE, isSingle: true }],
  [
    'boards PUT /boards/v2/projects/{board_id}/update-notification-settings',
    {
      isSingle: true,
      before: [['PUT', '/boards/v2/projects/1/update-notification-settings', { task_created: true }]],
    },
  ],
  [
    'boards POST /boards/v2/projects/{board_id}/import-from-board',
    {
      isSingle: true,
      before: [
        ['POST', '/boards/v2/projects/3/labels', { title: 'Written label', background_color: '#123456' }],
        ['POST', '/boards/v2/projects/3/add-members', { user_ids: [11, 12] }],
      ],
    },
  ],
  ['boards POST /boards/v2/projects/{board_id}/tasks/update-cover-photo', PICTURE],
  ['boards PUT /boards/v2/projects/{board_id}/restore-stage', { isSingle: true, values: { stage_id: [6] } }],
  [
    'boards POST /boards/v2/projects/{board_id}/tasks/bulk-actions',
    {
      isSingle: true,
      companions: {
        stage_id: { action: 'move' },
        position: { action: 'move', stage_id: 4 },
        user_id: { action: 'assign' },
        label_id: { action: 'add-label' },
        priority: { action: 'set-priority' },
        status: { action: 'set-status' },
        due_at: { action: 'set-due-date' },
        'action=move': { stage_id: 4 },
        task_ids: { action: 'archive' },
      },
    },
  ],
  [
    'boards PUT /boards/v2/projects/{board_id}/bulk-restore-tasks',
    {
      before: [['POST', '/boards/v2/projects/1/tasks/bulk-actions', { action: 'archive', task_ids: [3, 8] }]],
    },
  ],
  ['boards POST /boards/v2/projects/{board_id}/labels/task', { values: { label_id: [5] } }],
  ['boards POST /boards/v2/projects/{board_id}/tasks/{task_id}/clone-task', { values: { task_id: [5] } }],
];

export function prepare(name: string): Preparation {
  let prepared: Preparation = {};
  for (const [, each] of PREPARATIONS.filter(([begin]) => name.startsWith(begin))) {
    prepared = { ...prepared, ...each, values: { ...prepared.values, ...each.values } };
  }
  return prepared;
}

/** A write that has succeeded. */
interface Written {
  readonly reply: Reply;
  readonly sent: Values;
  readonly path: string;
}

/** Reads what a write has changed, in the form of the argument. */
type Read = (item: JsonObject, written: Written, value: Json) => Promise<Json | undefined>;

/** Follows members; a number selects an item of a list by its id. */
function follow(value: Json | undefined, members: readonly (string | number)[]): Json | undefined {
  let found = value;
  for (const member of members) {
    found =
      typeof member === 'number'
        ? toList(found).find((each) => toObject(each)['id'] === member)
        : toObject(found)[member];
  }
  return found;
}

/** Reads a route of the boards. */
async function readBoards(route: string, ...members: (string | number)[]): Promise<Json | undefined> {
  return follow((await sendTo('boards', 'GET', `/boards/v2${route}`)).body, members);
}

const LISTED = 'per_page=100';

/** Where an item of the boards is read, by members that only its kind has. */
const PLACES: readonly (readonly [
  member: string,
  place: (item: JsonObject) => readonly [string, ...(string | number)[]],
])[] = [
  [
    'task_limit',
    ({ board_id, id, archived_at }) => [
      archived_at === null ? `/projects/${board_id}` : '',
      'stages',
      Number(id),
    ],
  ],
  [
    'started_at',
    ({ board_id, task_id, id }) => [
      `/projects/${board_id}/tasks/${task_id}/time-tracks?${LISTED}`,
      Number(id),
    ],
  ],
  ['remaining_minutes', ({ task_id }) => [`/projects/1/tasks/${task_id}`]],
  ['has_voted', ({ board_id, id }) => [`/roadmaps/${board_id}/ideas/${id}`]],
  [
    'replies',
    ({ board_id, task_id, id }) => [`/projects/${board_id}/tasks/${task_id}/comments?${LISTED}`, Number(id)],
  ],
  [
    'comment_id',
    ({ task_id, comment_id, id }) => {
      const { boardId } = board.tasks.get(Number(task_id)) ?? {};
      return [
        `/projects/${boardId}/tasks/${task_id}/comments?${LISTED}`,
        Number(comment_id),
        'replies',
        Number(id),
      ];
    },
  ],
  ['remind_at', ({ board_id, id }) => [`/projects/${board_id}/tasks/${id}`]],
  ['stage_count', ({ id }) => [`/projects/${id}`]],
  ['background_color', ({ board_id, id }) => [`/projects/${board_id}/labels`, Number(id)]],
  ['board_ids', ({ id }) => [`/admin/folders/${id}`]],
];

/** Routes that show what other routes change. */
const SHOWN_BY: Readonly<Record<string, string>> = {
  '/update-global-notification-settings': '/get-global-notification-settings',
  '/update-dashboard-view-settings': '/get-dashboard-view-settings',
  '/projects/1/toggle-public-access': '/projects/1/public-access-settings',
  '/projects/1/update-notification-settings': '/projects/1/notification-settings',
  '/admin/mcp/toggle': '/admin/mcp/status',
};

async function readItem(name: string, { reply, path }: Written): Promise<JsonObject> {
  const item = toObject(reply.body);
  if (name.startsWith('content')) {
    const [, collection] = /^\/core\/v2\/(\w+)/.exec(path) ?? [];
    return toObject(
      (await sendTo('content', 'GET', `/core/v2/${collection}/${item['id']}?context=edit`)).body,
    );
  }
  const [, place] = PLACES.find(([member]) => Object.hasOwn(item, member)) ?? [];
  const own = path.replace('/boards/v2', '');
  return toObject(await readBoards(...(place?.(item) ?? [SHOWN_BY[own] ?? own])));
}

const readTask = (id: Json | undefined, ...members: string[]): Promise<Json | undefined> =>
  readBoards(`/projects/1/tasks/${id}`, ...members);

const PROJECT = 'boards POST /boards/v2/projects/{board_id}';
const CHANGED = 'boards PUT /boards/v2/projects/{board_id}';
const STAGES = '/projects/1';

const PRIORITIES: readonly Json[] = TASK_PRIORITIES;

/** The board before a copy or an import, and what a board shows of each part that these take over. */
const BEFORE = toObject(await readBoards(STAGES));
const PARTS: Readonly<Record<string, (shown: JsonObject) => number>> = {
  stages: ({ stages }) => toList(stages).length,
  labels: ({ labels }) => toList(labels).length,
  tasks: ({ task_count }) => Number(task_count),
  members: ({ member_count }) => Number(member_count),
};

/** The parts of which a board has more than another one, in the order of a list. */
function grownParts(shown: JsonObject, before: JsonObject, order: Json): Json[] {
  return toList(order).filter((part) => {
    const count = PARTS[String(part)];
    return count !== undefined && count(shown) > count(before);
  });
}

/** Reads the arguments that another member or another route shows than the one of their name. */
const CHECKS: readonly (readonly [start: string, names: string, read: Read])[] = [
  ['content DELETE', 'force', async (_, { path }) => (await sendTo('content', 'GET', path)).status === 404],
  [
    'content POST /core/v2/media/{id}/edit',
    'modifiers',
    async (item) => follow(item, ['media_details', 'parent_image', 'modifiers']),
  ],
  ['', 'file', readPicture],
  [
    `${PROJECT}/tasks/{task_id}/time-tracks/estimated-time`,
    'minutes',
    async (item) => item['estimated_minutes'],
  ],
  [
    `${CHANGED}/update-notification-settings`,
    'reset',
    async () => toList(await readBoards(`${STAGES}/notification-settings`, 'overrides')).length === 0,
  ],
  [
    `${PROJECT}/duplicate-board`,
    'include',
    async (item, _, parts) => grownParts(item, { member_count: 1, task_count: 0 }, parts),
  ],
  [
    `${PROJECT}/import-from-board`,
    'include',
    async (_, __, parts) => grownParts(toObject(await readBoards(STAGES)), BEFORE, parts),
  ],
  [
    `${PROJECT}/import-from-board`,
    'source_board_id',
    async (_, __, source) => {
      const labels = await readBoards(`${STAGES}/labels`);
      const titles = await readBoards(`/projects/${source}/labels`);
      const own = new Set(toList(labels).map((each) => toObject(each)['title']));
      return toList(titles).every((each) => own.has(toObject(each)['title'])) ? source : labels;
    },
  ],
  [
    `${CHANGED}/stage/{stage_id}/sort-task`,
    'orderby order',
    async (_, { sent }, value) => {
      const tasks = toList(await readBoards(`${STAGES}/tasks/stage-page?stage_id=4&${LISTED}`)).map(toObject);
      const member = String(sent['orderby']);
      const keys = tasks
        .flatMap((task) => task[member] ?? [])
        .map((key) => (member === 'priority' ? PRIORITIES.indexOf(key) : String(key)));
      if (sent['order'] === 'desc') keys.reverse();
      return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key) ? value : keys;
    },
  ],
  [`${PROJECT}/tasks/{task_id}/ai-assist`, 'action', async (_, { reply }) => toObject(reply.body)['action']],
  ['boards POST /boards/v2/roadmaps/vote-idea', 'vote', async (item) => item['has_voted']],
  [
    'boards POST /boards/v2/roadmaps/{board_id}/idea/',
    'stage_id',
    async (item) => follow(item, ['stage', 'id']),
  ],
  [
    'boards POST /boards/v2/roadmaps/{board_id}/idea/',
    'position',
    ({ id }) => readBoards(`/projects/3/tasks/${id}`, 'position'),
  ],
  [
    'boards POST /boards/v2/projects',
    'stages',
    async (item) => toList(item['stages']).map((each) => toObject(each)['title'] ?? null),
  ],
  [
    'boards POST /boards/v2/projects',
    'folder_id',
    async ({ id = null }, _, folder) => {
      const ids = await readBoards(`/admin/folders/${folder}`, 'board_ids');
      return toList(ids).includes(id) ? folder : ids;
    },
  ],
  ['boards POST /boards/v2/projects', 'color', async (item) => follow(item, ['background', 'color'])],
  [CHANGED, 'color', async (item) => follow(item, ['background', 'color'])],
  ...[`${CHANGED}/update-stage`, `${CHANGED}/labels`, `${PROJECT}/stage-create`, `${PROJECT}/labels`].map(
    (start): [string, string, Read] => [start, 'color', async (item) => item['color']],
  ),
  [
    `${CHANGED}/update-board-properties`,
    'property',
    async (item, { sent }, property) =>
      shows(
        property === 'color' ? follow(item, ['background', 'color']) : item[String(property)],
        sent['value'] ?? null,
      )
        ? property
        : item,
  ],
  [`${CHANGED}/update-board-properties`, 'value', async (item) => item['title']],
  [
    `${CHANGED}/update-stage-property`,
    'property',
    async (item, { sent }, property) =>
      shows(item[String(property)], sent['value'] ?? null) ? property : item,
  ],
  [`${CHANGED}/update-stage-property`, 'value', async (item) => item['title']],
  [
    `${PROJECT}/add-members`,
    'user_ids',
    async (_, __, ids) => {
      const users = toList(await readBoards('/projects/1/users')).map((each) => toObject(each)['id'] ?? null);
      return toList(ids).every((id) => users.includes(id)) ? ids : users;
    },
  ],
  [`${PROJECT}/add-members`, 'role', () => readBoards('/projects/1/users', 11, 'role')],
  [
    `${CHANGED}/upload/background`,
    'image_id',
    async (item) => (String(follow(item, ['background', 'image_url'])).includes('/1/') ? 1 : item),
  ],
  [`${PROJECT}/crm-contact`, 'contact_id', () => readBoards('/projects/1/crm-contacts', 8, 'id')],
  [`${PROJECT}/labels/task`, 'task_id', async (item) => item['id']],
  [
    `${PROJECT}/labels/task`,
    'label_id',
    async (item, _, label) => follow(item, ['labels', Number(label), 'id']),
  ],
  [
    `${CHANGED}/stage-move-all-task`,
    'from_stage_id',
    async (_, __, from) =>
      (await readBoards(STAGES, 'stages', Number(from), 'task_count')) === 0 ? from : null,
  ],
  [`${CHANGED}/stage-move-all-task`, 'to_stage_id', () => readTask(3, 'stage_id')],
  [
    `${CHANGED}/re-position-stages`,
    'stage_ids',
    async () => toList(await readBoards(STAGES, 'stages')).map((each) => toObject(each)['id'] ?? null),
  ],
  [`${CHANGED}/stage-view`, 'folded', () => readBoards(STAGES, 'stages', 4, 'is_folded')],
  [
    `${CHANGED}/drag-stage`,
    'stage_id',
    async (_, { sent }, stage) =>
      (await readBoards(STAGES, 'stages', Number(stage), 'position')) === sent['position'] ? stage : null,
  ],
  [`${CHANGED}/drag-stage`, 'position', () => readBoards(STAGES, 'stages', 4, 'position')],
  [`${CHANGED}/tasks/{task_id}/pin`, 'pinned', async (item) => item['is_pinned']],
  [
    `${PROJECT}/tasks/bulk-actions`,
    'task_ids',
    async (_, __, ids) => {
      const archived = toList(await readBoards(`/projects/1/archived-tasks?${LISTED}`)).map(
        (each) => toObject(each)['id'] ?? null,
      );
      return toList(ids).every((id) => archived.includes(id)) ? ids : archived;
    },
  ],
  [
    `${PROJECT}/tasks/bulk-actions`,
    'stage_id position priority status due_at',
    async (_, { sent }, value) => {
      const name =
        ['position', 'stage_id', 'priority', 'status', 'due_at'].find((each) => sent[each] === value) ?? '';
      return readTask(3, name);
    },
  ],
  [
    `${PROJECT}/tasks/bulk-actions`,
    'user_id',
    (_, __, user) => readBoards('/projects/1/tasks/3', 'assignees', Number(user), 'id'),
  ],
  [
    `${PROJECT}/tasks/bulk-actions`,
    'label_id',
    (_, __, label) => readBoards('/projects/1/tasks/3', 'labels', Number(label), 'id'),
  ],
  [
    `${CHANGED}/bulk-restore-tasks`,
    'task_ids',
    async (_, __, ids) =>
      (await readTask(3, 'archived_at')) === null && (await readTask(8, 'archived_at')) === null ? ids : null,
  ],
  [
    'boards DELETE /boards/v2/projects/{board_id}/bulk-delete-tasks',
    'task_ids',
    async (_, __, ids) =>
      (await readTask(3, 'code')) === 'task_not_found' && (await readTask(8, 'code')) === 'task_not_found'
        ? ids
        : null,
  ],
  [`${PROJECT}/tasks/update-cover-photo`, 'color', async (item) => follow(item, ['cover', 'color'])],
  [`${PROJECT}/tasks/update-cover-photo`, 'image_url', async (item) => follow(item, ['cover', 'image_url'])],
  [
    `${PROJECT}/tasks/update-cover-photo`,
    'image_id',
    async (item) => (String(follow(item, ['cover', 'image_url'])).includes('/1/') ? 1 : item),
  ],
  [
    `${PROJECT}/tasks/{task_id}/ai-apply-suggestions`,
    'suggestions',
    async (item) => [{ field: 'priority', value: item['priority'] ?? null }],
  ],
  [
    `${PROJECT}/tasks/{task_id}/clone-task`,
    'with_assignees',
    async (item) => toList(item['assignees']).length > 0,
  ],
  [`${PROJECT}/tasks/{task_id}/clone-task`, 'with_labels', async (item) => toList(item['labels']).length > 0],
  [`${PROJECT}/tasks/{task_id}/clone-task`, 'with_dates', async (item) => item['due_at'] !== null],
  [
    `${PROJECT}/tasks/{task_id}/comments`,
    'reply_to',
    async (item, { sent }, comment) =>
      toList(item['replies']).some((each) => toObject(each)['content'] === sent['content']) ? comment : item,
  ],
  [
    'boards POST /boards/v2/admin/feature-modules',
    'time_tracking roadmaps reports crm ai mcp folders',
    async (item, { sent }) => follow(item, ['modules', Object.keys(sent)[0] ?? '']),
  ],
  [
    'boards POST /boards/v2/admin/feature-modules/install-plugin',
    'plugin',
    async (_, __, plugin) =>
      (await readBoards('/admin/feature-modules', 'plugins', String(plugin))) === true ? plugin : null,
  ],
  [
    'boards POST /boards/v2/admin/folders/{folder_id}/add-board',
    'board_id',
    async (item, _, id) => (toList(item['board_ids']).includes(id) ? id : item),
  ],
  [
    'boards POST /boards/v2/admin/folders/{folder_id}/remove-board',
    'board_id',
    async (item, _, id) => (toList(item['board_ids']).includes(id) ? item : id),
  ],
];

/** Reads the picture that the last member of a URL names, and compares it with the one that was sent. */
async function readPicture(item: JsonObject, { reply }: Written, name: Json): Promise<Json> {
  const url = /"(http[^"]*\/[^"/]*\.png)"/.exec(JSON.stringify([item, reply.body]))?.[1];
  const bytes = url === undefined ? undefined : await (await SITES.boards.request(url)).arrayBuffer();
  const other = url === undefined ? undefined : await (await SITES.content.request(url)).arrayBuffer();
  return [bytes, other].some((each) => each !== undefined && Buffer.from(PNG).equals(Buffer.from(each)))
    ? name
    : null;
}

/** Arguments that nothing shows as they were written. The last member restricts the reason to some values. */
export const NOT_SHOWN: readonly (readonly [
  start: string,
  names: string,
  reason: string,
  values?: readonly Json[],
])[] = [
  ['', 'requests validation', 'a batch stores nothing itself: batch.test.ts reads what its requests write'],
  [
    'content POST /ext-a/v1/abilities',
    'input',
    'an ability stores what it is for: assistant.test.ts reads its drafts',
  ],
  ['content', 'date date_gmt', 'null sets the date to the time of the request', [null]],
  ['content DELETE /core/v2/media', 'force', 'media have no trash: false is refused', [false]],
  ...['posts', 'pages'].map((name): (typeof NOT_SHOWN)[number] => [
    `content DELETE /core/v2/${name}/{parent}/revisions`,
    'force',
    'revisions have no trash: false is refused',
    [false],
  ]),
  [
    'content POST /core/v2/media',
    'Content-Disposition',
    'it names the file, whose name shows in source_url: media.test.ts reads it',
  ],
  ['content POST /core/v2/posts/{id}/autosaves', 'parent', 'the path names the post, as in WordPress'],
  [
    'content POST /core/v2/posts/{id}/autosaves',
    'featured_media template sticky format categories tags',
    'WordPress does not save them with the text',
  ],
  [
    'content POST /core/v2/pages/{id}/autosaves',
    'featured_media template',
    'WordPress does not save them with the text',
  ],
  ...['POST', 'PUT', 'PATCH'].flatMap((method): (typeof NOT_SHOWN)[number][] => [
    [
      `content ${method} /core/v2/media`,
      'status',
      'a media item has the status of its parent unless it is private',
      ['publish', 'future', 'draft', 'pending'],
    ],
    [`content ${method} /core/v2/media`, 'meta template', 'media items have no meta fields and no templates'],
  ]),
  [
    'content POST /core/v2/media/{id}/post-process',
    'action',
    'a command: missing_image_sizes shows its effect, which media.test.ts reads',
  ],
  ['content POST /core/v2/media/{id}/edit', 'src', 'it must be the address of the file that is edited'],
  [
    'boards POST /boards/v2/projects/{board_id}/tasks/bulk-actions',
    'action',
    'a command: its arguments are read here, task-moves.test.ts reads the effect of each',
  ],
];

/** Reads an argument after a write. */
export async function checkShown(
  name: string,
  argument: string,
  value: Json,
  written: Written,
): Promise<Json | undefined> {
  const item = await readItem(name, written);
  const check = CHECKS.findLast(
    ([start, names]) => name.startsWith(start) && names.split(' ').includes(argument),
  );
  return check === undefined ? item[argument] : check[2](item, written, value);
}

/** Whether a member shows a written value: texts have `raw`; people, labels and stages are objects with an id. */
export function shows(shown: Json | undefined, written: Json): boolean {
  if (JSON.stringify(shown) === JSON.stringify(written)) return true;
  if (isJsonObject(shown) && 'raw' in shown) {
    return shown['raw'] === (isJsonObject(written) ? written['raw'] : written);
  }
  if (isJsonObject(shown) && isJsonObject(written)) {
    return Object.entries(written).every(([name, value]) => shows(shown[name], value));
  }
  if (Array.isArray(shown) && Array.isArray(written)) {
    return JSON.stringify(shown.map((each) => toObject(each)['id'])) === JSON.stringify(written);
  }
  const [one, other] = [shown, written].map((each) => Date.parse(`${String(each).replace(/Z$/, '')}Z`));
  return /^\d{4}-\d\d-\d\dT/.test(String(written)) && one === other;
}
