import { expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject, jsonItems, toJsonObject } from '../../src/json.ts';
import {
  listOperations,
  type Operation,
  type Reply,
  SITES,
  type SiteName,
  sendTo,
} from './support/site-operations.ts';

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
    reply_to: [1],
    image_id: [1],
  },
};

/** Values of an argument: all of an enumeration, else two of its type, and null if the site takes it. */
function valuesOf(site: SiteName, name: string, schema: JsonObject): readonly Json[] {
  const known = VALUES[site][name];
  if (known !== undefined) return known;
  const types = [schema['x-waygate-type'] ?? schema['type']].flat();
  const isText = types.includes('object') && jsonItems(schema['type']).includes('string');
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
  const list = jsonItems(toJsonObject(items)['enum']);
  return list.length === 0 ? [[`Written ${name}`, 'Other']] : [[...list].reverse(), list.slice(1, 3)];
}

/** A status with a date of the other kind becomes another one, and a private entry has no password. */
const COMPANIONS: Readonly<Record<string, JsonObject>> = {
  'status=future': { date: '2090-01-01T00:00:00' },
  'status=publish': { date: '2020-01-01T00:00:00' },
  password: { status: 'publish', date: '2020-01-01T00:00:00' },
};

/** What the sites show in another way than it is written, and why. */
const OTHERWISE: readonly (readonly [written: RegExp, reason: string])[] = [
  [/ date(_gmt)? = null$/, 'null sets the date to the time of the request'],
  [/media\S* status = "(publish|future|draft|pending)"$/, 'a media item has the status of its parent'],
  [/media\S* meta = /, 'media items have no meta fields'],
  [/restore-stage\S* position = /, 'the stage is not archived'],
  [
    /autosaves (date|date_gmt|slug|author|parent) = /,
    'an autosave has its own date, slug, author and parent',
  ],
];

const operations = await listOperations();
const reads = new Set(
  operations.filter(({ method }) => method === 'GET').map(({ site, path }) => site + path),
);

/** The newest item of a collection that the path of an operation names, by the name of the path parameter. */
async function findPath({ site, path }: Operation): Promise<string> {
  const [, collection = ''] = /^(\/core\/v2\/\w+)\//.exec(path) ?? [];
  const id = collection === '' ? 1 : await findFirst(site, collection);
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const [own = null] = VALUES[site][name] ?? [];
    return String(own ?? id);
  });
}

async function findFirst(site: SiteName, collection: string): Promise<Json> {
  const { body } = await sendTo(site, 'GET', collection, { per_page: 100, context: 'edit' });
  const items = jsonItems(body).map(toJsonObject);
  return items.find(({ content }) => toJsonObject(content)['protected'] !== true)?.['id'] ?? null;
}

/** Reads what a write has changed: the item, or else what the path of the operation shows. */
async function readBack(
  { site, path: template }: Operation,
  path: string,
  { body }: Reply,
): Promise<JsonObject> {
  const { id = null } = toJsonObject(body);
  const [, collection] = /^\/core\/v2\/(\w+)/.exec(path) ?? [];
  if (path.endsWith('/autosaves')) return toJsonObject(body);
  if (collection !== undefined) {
    return toJsonObject((await sendTo(site, 'GET', `/core/v2/${collection}/${id}?context=edit`)).body);
  }
  if (!reads.has(site + template)) return toJsonObject(body);
  const { body: shown } = await sendTo(site, 'GET', path, { per_page: 100 });
  const item = Array.isArray(shown) ? shown.find((each) => toJsonObject(each)['id'] === id) : shown;
  return toJsonObject(item ?? body);
}

/** Writes each value of an argument. @returns what was read back for each that the site shows under the name of the argument */
async function write(
  operation: Operation,
  path: string,
  argument: string,
): Promise<readonly (readonly [written: string, value: Json, shown: Json])[]> {
  const { site, method, name, args } = operation;
  const required = [...args].filter(([, schema]) => schema['required'] === true);
  const base = Object.fromEntries(
    required.map(([each, schema]): [string, Json] => [each, valuesOf(site, each, schema)[0] ?? null]),
  );
  // An entry needs a title, a text or an excerpt.
  const first: JsonObject =
    method === 'POST' && /^\/core\/v2\/(posts|pages)$/.test(path) ? { title: 'New' } : {};
  const found: [string, Json, Json][] = [];
  for (const value of valuesOf(site, argument, args.get(argument) ?? {})) {
    const companions = { ...COMPANIONS[argument], ...COMPANIONS[`${argument}=${value}`] };
    const { file, ...sent } = { ...base, ...first, ...companions, [argument]: value };
    const reply = await sendTo(site, method, path, sent, file !== undefined);
    const item = reply.status < 300 ? await readBack(operation, path, reply) : {};
    const shown = item[argument];
    if (shown !== undefined) found.push([`${name} ${argument} = ${JSON.stringify(value)}`, value, shown]);
  }
  return found;
}

const cases = operations.filter(({ method }) => method !== 'GET' && method !== 'DELETE');
const seen = new Set<string>();

test.each(cases)('$name: what is written is read back', async (operation) => {
  SITES[operation.site].reset();
  const path = await findPath(operation);
  const faults: string[] = [];
  for (const argument of operation.args.keys()) {
    for (const [written, value, shown] of await write(operation, path, argument)) {
      const reason = OTHERWISE.find(([pattern]) => pattern.test(written));
      if (reason === undefined) seen.add(`${operation.name} ${argument}`);
      else seen.add(reason[1]);
      if (reason === undefined && !shows(shown, value)) faults.push(`${written}: ${JSON.stringify(shown)}`);
    }
  }
  expect(faults).toEqual([]);
});

test('most arguments are shown under their names, and each exception is needed', () => {
  const reasons = OTHERWISE.map(([, reason]) => reason);
  expect(reasons.filter((reason) => !seen.has(reason))).toEqual([]);
  const written = cases.reduce((sum, { args }) => sum + args.size, 0);
  expect((seen.size - reasons.length) / written).toBeGreaterThan(0.7);
});

/** Whether a member shows a written value: texts have `raw`; people, labels and stages are objects with an id. */
function shows(shown: Json | undefined, written: Json): boolean {
  if (JSON.stringify(shown) === JSON.stringify(written)) return true;
  if (isJsonObject(shown) && 'raw' in shown) {
    return shown['raw'] === (isJsonObject(written) ? written['raw'] : written);
  }
  if (isJsonObject(shown) && isJsonObject(written)) {
    return Object.entries(written).every(([name, value]) => shows(shown[name], value));
  }
  if (Array.isArray(shown) && Array.isArray(written)) {
    return JSON.stringify(shown.map((each) => toJsonObject(each)['id'])) === JSON.stringify(written);
  }
  const [one, other] = [shown, written].map((each) => Date.parse(`${String(each).replace(/Z$/, '')}Z`));
  return /^\d{4}-\d\d-\d\dT/.test(String(written)) && one === other;
}
