import { expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject, jsonItems, toJsonObject } from '../../src/json.ts';
import { listOperations, type Operation, type Reply, sendTo } from './support/site-operations.ts';

type Query = Readonly<Record<string, Json>>;

/** How an argument shows that it is not ignored. */
interface QueryRule {
  /** Not all of them give the same response. */
  readonly values: readonly Json[];
  /** Other arguments of the request. */
  readonly beside?: Query;
  /** What each item of the response is. */
  readonly holds?: (item: JsonObject, value: Json) => boolean;
}

/** Arguments that operations require, and values of path parameters. A later line is in place of an earlier one. */
const REQUIRED: readonly (readonly [start: string, values: Query])[] = [
  [
    '',
    { search: 're', stage_id: 1, since: '2020-01-01T00:00:00', capability: 'vision', option_key: 'users' },
  ],
  ['content', { url: 'http://localhost/about/' }],
  [
    'boards',
    { url: 'http://localhost/roadmap/', board_id: 1, task_id: 25, id: 2, associated_id: 4, type: 'kanban' },
  ],
  ['boards GET /boards/v2/roadmaps', { board_id: 3, stage_id: 13 }],
  ['boards GET /boards/v2/projects/{board_id}/tasks/{task_id}/comments', { task_id: 3 }],
];

/** Arguments without effect on the data of the example, and why. */
const ALIKE: readonly (readonly [start: string, names: readonly string[], reason: string])[] = [
  ['content GET /oembed/1.0/proxy', ['format', 'discover'], 'the site describes its own pages without it'],
  ['boards GET /oembed/1.0/proxy', ['format', 'discover'], 'the site describes its own pages without it'],
  ['content GET /core/v2/posts', ['tax_relation'], 'it relates two taxonomies: lists.test.ts'],
];

const operations = (await listOperations()).filter(({ method }) => method === 'GET');

/** Ids of an entry with a revision and an autosave, by its collection. */
const entries = new Map<string, Query>();
for (const collection of ['posts', 'pages', 'media']) {
  const route = `/core/v2/${collection}`;
  const [first] = jsonItems((await sendTo('content', 'GET', route)).body).map(toJsonObject);
  const id = first?.['id'] ?? null;
  if (collection === 'media') {
    entries.set(collection, { id });
    continue;
  }
  for (const title of ['Quartz alpha', 'Quartz beta', 'Third'])
    await sendTo('content', 'POST', `${route}/${id}`, { title });
  const autosave = toJsonObject(
    (await sendTo('content', 'POST', `${route}/${id}/autosaves`, { title: 'Saved' })).body,
  );
  const revisions = jsonItems((await sendTo('content', 'GET', `${route}/${id}/revisions`)).body).map(
    toJsonObject,
  );
  entries.set(collection, { id, revision: revisions[1]?.['id'] ?? null, autosave: autosave['id'] ?? null });
}

/** Sends a request with the arguments that the operation requires and others that it has. */
async function ask({ name, site, path, args }: Operation, query: Query): Promise<Reply> {
  const known: Query = Object.assign(
    {},
    ...REQUIRED.filter(([start]) => name.startsWith(start)).map(([, own]) => own),
  );
  const required = Object.entries(known).filter(([each]) => args.get(each)?.['required'] === true);
  const [, collection = ''] = /^\/core\/v2\/(\w+)\//.exec(path) ?? [];
  const { autosave, id, revision } = entries.get(collection) ?? {};
  const version = path.includes('/autosaves') ? autosave : revision;
  const place: Query =
    collection === ''
      ? known
      : { parent: id ?? null, id: (path.includes('{parent}') ? version : id) ?? null };
  const filled = path.replace(/\{(\w+)\}/g, (_, each: string) => String(place[each]));
  const own = Object.entries(query).filter(([each]) => args.has(each) || each.startsWith('_'));
  return sendTo(site, 'GET', filled, { ...Object.fromEntries(required), ...Object.fromEntries(own) });
}

/** The member that an argument filters by, as the items show it: a value, or the ids of a list. */
function readMember(item: JsonObject, argument: string): readonly Json[] {
  const member = argument.replace(/_exclude$/, '').replace(/^(include|exclude)$/, 'id');
  const names = [
    member,
    member.replace(/_ids$/, '_id'),
    member.replace(/ies$/, 'y'),
    member.replace(/s$/, ''),
  ];
  const value = names.map((name) => item[name]).find((each) => each !== undefined) ?? [];
  return (Array.isArray(value) ? value : [value]).map((each: Json) => toJsonObject(each)['id'] ?? each);
}

/** Two values of a list, at about a third and two thirds. */
function pickTwo(values: readonly Json[]): readonly Json[] {
  const distinct = [...new Set(values)].filter((value) => value !== null).sort();
  return [...new Set([0.3, 0.7].flatMap((share) => distinct[Math.floor(distinct.length * share)] ?? []))];
}

/** Derives how an argument is checked from its name, its schema and the items that the operation lists without it. */
function deriveRule(argument: string, schema: JsonObject, items: readonly JsonObject[]): QueryRule | null {
  const isList = [schema['type']].flat().includes('array') || schema['oneOf'] !== undefined;
  const wrap = (values: readonly Json[]): readonly Json[] =>
    isList ? values.map((value) => [value]) : values;
  const all = { per_page: 100, context: 'edit' };
  const [, moment = ''] = /^(modified|)_?(?:after|before)$/.exec(argument) ?? [];
  if (argument === 'page') return { values: [1, 2], beside: { per_page: 1 } };
  if (/^(per_\w+|limit)$/.test(argument)) return { values: [1, 2] };
  if (argument === 'offset') return { values: [0, 1], beside: { per_page: 10 } };
  if (/(after|before)$/.test(argument)) {
    const member = moment === '' ? 'date' : moment;
    const isAfter = argument.endsWith('after');
    const isRight = (shown: string, value: string): boolean => (isAfter ? shown > value : shown < value);
    const holds: QueryRule['holds'] = (item, value) => isRight(String(item[member]), String(value));
    return { values: pickTwo(items.map((item) => item[member] ?? null)), beside: all, holds };
  }
  if (argument === 'search') {
    const words = items.flatMap(
      (item) => /\b[a-z]{5,}\b/.exec(JSON.stringify(item['title'] ?? item['name'] ?? ''))?.[0] ?? [],
    );
    const contains: QueryRule['holds'] = (item, value) =>
      JSON.stringify(item).toLowerCase().includes(String(value));
    return words.length === 0 ? null : { values: [...pickTwo(words), 'zzzz'], beside: all, holds: contains };
  }
  const enumerated = [...jsonItems(schema['enum']), ...jsonItems(toJsonObject(schema['items'])['enum'])];
  // These two need a list of ids or slugs.
  const named = enumerated.filter((value) => value !== 'include' && value !== 'include_slugs');
  if (named.length > 0)
    return named.length < 2
      ? null
      : {
          values: wrap(named),
          beside: /^(orderby|search_columns)$/.test(argument) ? { ...all, search: 'a' } : all,
        };
  if ([schema['type']].flat().includes('boolean')) return { values: [true, false] };
  const isNumber = toJsonObject(schema['items'])['type'] === 'integer';
  const members = items.flatMap((item) => readMember(item, argument));
  const values = wrap(pickTwo(members.filter((value) => !isNumber || typeof value === 'number')));
  const isExcluded = argument.endsWith('exclude');
  const holds: QueryRule['holds'] = (item, value) =>
    readMember(item, argument).some((each) => [value].flat().includes(each)) !== isExcluded;
  return values.length < 2 ? null : { values, beside: all, holds };
}

/** @returns what shows that the site ignores an argument; `null` if it cannot be told */
async function check(
  operation: Operation,
  argument: string,
  items: readonly JsonObject[],
): Promise<readonly string[] | null> {
  const isAlike = ALIKE.some(
    ([start, names]) => operation.name.startsWith(start) && names.includes(argument),
  );
  const rule = isAlike ? null : deriveRule(argument, operation.args.get(argument) ?? {}, items);
  if (rule === null) return null;
  const faults: string[] = [];
  const shown = new Set<string>();
  for (const value of rule.values) {
    const { status, body } = await ask(operation, { ...rule.beside, [argument]: value });
    const text = JSON.stringify(body);
    shown.add(text);
    const place = `${argument}=${JSON.stringify(value)}`;
    if (status !== 200) faults.push(`${place}: ${text.slice(0, 200)}`);
    const wrong = jsonItems(body)
      .filter(isJsonObject)
      .find((item) => rule.holds?.(item, value) === false);
    if (wrong !== undefined) faults.push(`${place}: ${JSON.stringify(wrong).slice(0, 200)}`);
  }
  if (shown.size < 2) faults.push(`${argument}: one response for ${JSON.stringify(rule.values)}`);
  return faults;
}

const checked: string[] = [];

test.each(operations)('$name: its arguments do what they say', async (operation) => {
  const { body } = await ask(operation, { per_page: 100, context: 'edit' });
  const items = jsonItems(body).filter(isJsonObject);
  const faults: string[] = [];
  for (const argument of operation.args.keys()) {
    const found = await check(operation, argument, items);
    if (found !== null) checked.push(argument);
    faults.push(...(found ?? []));
  }
  expect(faults).toEqual([]);
});

test('most arguments can be checked', () => {
  const all = operations.reduce((sum, { args }) => sum + args.size, 0);
  expect(checked.length / all).toBeGreaterThan(2 / 3);
});
