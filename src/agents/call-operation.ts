import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
  parseJson,
  toJsonObject,
  toText,
} from '../base/json.ts';
import type { AgentCall, AgentRequest } from '../gateway/surfaces.ts';
import { LEVELS, UNPUBLISHED } from '../generator/openapi/operation-levels.ts';
import { isWritingMethod } from '../generator/reference/sample-request.ts';
import {
  type AgentSite,
  CANCELLED,
  type CallTool,
  explainRefusal,
  type ListedOperation,
  needsAnswer,
  outcomeOf,
  refuse,
  type ToolResult,
} from './agent-site.ts';
import {
  type Call,
  describeIgnoredArguments,
  explainArguments,
  isUploading,
  listSent,
  listUnknownArguments,
  readFiles,
  readLevel,
  readPathArguments,
  type TextEdit,
  WRONG_FILE,
} from './call.ts';
import {
  findItemRead,
  HEAD,
  listChanged,
  listUnseen,
  propertiesOf,
  rawOf,
  rememberShown,
  toFieldNames,
} from './present-item.ts';
import { ask, type Change, MAX_PRESENT_TEXT } from './question.ts';
import {
  cutTexts,
  describeResponse,
  estimateTokens,
  fitResponse,
  hideSecrets,
  type ReadResponse,
  readJson,
  UNCERTAIN,
} from './read-response.ts';
import { prepareRequest, readItem, send, takes } from './site-request.ts';
import { toLine } from './site-text.ts';
import { compareStored, describeOutcome, isItem } from './stored-item.ts';

/** Each of them is compared with each member of a response. */
const MAX_FIELDS = 100;

/** Tokens of the present members that a refusal shows. */
const MAX_PRESENT_TOKENS = 400;

const MAX_LIST_TOKENS = 3_200;

const MAX_PARALLEL = 4;

/** Calls an operation once, or for a list of arguments: one question for all, and nothing is sent unless all can be. */
export async function callOperation(
  listed: ListedOperation,
  list: readonly JsonObject[],
  site: AgentSite,
  tool: CallTool,
): Promise<ToolResult> {
  site.note({ operation: listed.id, level: listed.level });
  const items = list.map((): Partial<AgentCall> => ({}));
  const calls: Step<Call>[] = [];
  for (const [at, args] of list.entries()) {
    const note =
      list.length === 1 ? site.note : (more: Partial<AgentCall>) => Object.assign(items[at] ?? {}, more);
    calls.push(await readCall(listed, args, { ...site, note }, tool));
  }
  if (!isReady(calls)) return joinResults(calls.map(toRefusal));
  const [first] = calls;
  if (first !== undefined && !isWritingMethod(listed.operation.method)) return read(first);
  const results = await runInTurn(site.catalog.turns, calls.map(nameItem), () => writeAll(calls, site));
  if (list.length > 1) {
    for (const [at, item] of items.entries()) {
      const outcome = outcomeOf(results[at] ?? results[0]);
      if (outcome !== null) site.logItem({ ...item, outcome });
    }
    const level = LEVELS.findLast((each) => items.some((item) => item.level === each));
    const asked = items.find((item) => item.asked !== undefined)?.asked;
    site.note({ ...(level && { level }), ...(asked && { asked }) });
  }
  return joinResults(results);
}

/** @returns the checked call, or why it is refused, before anything is sent */
async function readCall(
  listed: ListedOperation,
  args: JsonObject,
  site: AgentSite,
  tool: CallTool,
): Promise<Call | ToolResult> {
  const { id, level, operation } = listed;
  const path = readPathArguments(operation, toJsonObject(args['path']));
  const logged = path.flatMap(({ name, value }): [string, Json][] =>
    value === '' ? [] : [[name, typeof value === 'number' ? value : toLine(toText(value), 100)]],
  );
  site.note({ operation: id, level, path: Object.fromEntries(logged) });
  const { edit_text = null, from = 0, restore = null } = args;
  const { body: defaultBody, query: defaultQuery } = toJsonObject(listed.defaults);
  const given = args['body'] ?? defaultBody ?? null;
  const sent = isJsonObject(given) ? { ...toJsonObject(defaultBody), ...given } : given;
  const [files, body] = await readFiles(sent, operation, site);
  if (files === undefined) return refuse(WRONG_FILE);
  const fields = jsonItems(args['fields']).flatMap((name) => toText(name).trim() || []);
  if (fields.length > MAX_FIELDS || Number(from) < 0)
    return refuse(`"fields" must be at most ${MAX_FIELDS}, and "from" must not be negative.`);
  // A query has no null.
  const query = Object.fromEntries(
    jsonMembers({ ...toJsonObject(defaultQuery), ...toJsonObject(args['query']) }).filter(
      ([, value]) => value !== null,
    ),
  );
  const edit = edit_text === null ? undefined : readEdit(edit_text);
  if (edit === null || [edit ?? null, restore, body].filter((each) => each !== null).length > 1)
    return refuse(
      '"edit_text", with the texts member, old and new, "restore" and "body" stand in place of each other.',
    );
  const call: Call = { listed, tool, args, path, query, body, fields, from: Number(from), edit, files, site };
  const called = readLevel(call, undefined);
  const isOfItem = isWritingMethod(operation.method) && path.length > 0;
  const refusal = explainRefusal(listed, called, site, isOfItem ? undefined : tool);
  // Only the item tells whether an update is one of a draft.
  const isUnknown = level === 'draft' && isOfItem && called === 'publish';
  if (refusal !== undefined && (!isUnknown || explainRefusal(listed, 'draft', site) !== undefined))
    return refuse(refusal);
  const problem = explainArguments(call);
  return problem === '' ? call : refuse(problem);
}

/** A step's result, or why the call ends. */
type Step<T extends object> = T | ToolResult;

function isReady<T extends object>(steps: readonly Step<T>[]): steps is readonly T[] {
  return !steps.some((step) => 'text' in step);
}

function toRefusal(step: Step<object>): ToolResult {
  return 'text' in step ? step : refuse('another call of the list cannot be sent.');
}

async function read(call: Call): Promise<ToolResult> {
  const { args, fields, from, listed, query, site } = call;
  // The site is asked for first members: some controllers ignore nested names.
  const first = [...new Set(fields.map((field) => field.split('.')[0] ?? ''))].join();
  const selecting = takes(listed.operation, '_fields') && first !== '' ? { _fields: first } : {};
  const request = prepareRequest({ ...call, query: { ...query, ...selecting } }, args['fresh'] === true);
  if ('text' in request) return request;
  const asked = ask(
    [{ given: call, call, level: listed.level, request, before: undefined, present: undefined }],
    site,
  );
  if (asked !== undefined) return asked;
  const isRaw = args['raw'] === true;
  const [response, item] = await Promise.all([send(request, site), readWritableItem(call)]);
  const { result, shown = null } = await describeResponse(
    response,
    { fields, from, isRaw, query, isWriting: false },
    site,
  );
  const unknown = describeIgnoredArguments(call, 'The site ignores it.');
  const notes = [
    result.text,
    ...(item == null || result.isError === true ? [] : [`"if_match": "${rememberShown(item, shown, site)}"`]),
    ...(unknown === '' ? [] : [unknown]),
  ];
  return { ...result, text: notes.join('. ') };
}

async function readWritableItem(call: Call): Promise<JsonObject | null | undefined> {
  const { listed, site } = call;
  const { path } = listed.operation;
  const writes = ['POST', 'PUT', 'PATCH'].flatMap(
    (method) => site.catalog.byRoute.get(`${method} ${path}`) ?? [],
  );
  const isWritable = writes.some(
    (each) =>
      findItemRead(each, site.catalog) === listed && explainRefusal(each, each.level, site) === undefined,
  );
  return isWritable ? readItem(listed, call) : undefined;
}

/** Sends all writes, unless one is refused or the person declines. */
async function writeAll(calls: readonly Call[], site: AgentSite): Promise<readonly ToolResult[]> {
  const changed = calls.filter(({ path }) => path.length > 0).map(nameItem);
  if (new Set(changed).size < changed.length) return [refuse('two calls of the list change the same item.')];
  // Creations keep their order.
  const width = changed.length === 0 ? 1 : MAX_PARALLEL;
  const [first] = calls;
  const itemRead = first && findItemRead(first.listed, site.catalog);
  // A read that can do more waits for the person's answer.
  const isAskedFirst = itemRead !== undefined && itemRead.level !== 'read';
  const changes = await mapBy(width, calls, (call) => prepareWrite(call, !isAskedFirst));
  if (!isReady(changes)) return changes.map(toRefusal);
  const asked = ask(changes, site);
  if (asked !== undefined) return [asked];
  return mapBy(width, changes, (change) =>
    unlessCancelled(site, 'unsent', async () => {
      // The first of a list was compared a while ago.
      const now = changes.length === 1 && !isAskedFirst ? change : await prepareWrite(change.given, true);
      if ('text' in now) return now;
      return now.level === change.level || !needsAnswer(now.level)
        ? write(now)
        : refuse('the item has changed since the person was asked.');
    }),
  );
}

/** Runs a step of a write. @param cancelled what became of the write if the client cancels meanwhile */
async function unlessCancelled(
  { signal }: AgentSite,
  cancelled: 'sent' | 'unsent',
  run: () => Promise<ToolResult>,
): Promise<ToolResult> {
  if (signal.aborted) return CANCELLED;
  const result = await run().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  // The gateway answers a request that it has given up.
  if (result !== undefined && !(signal.aborted && (result.status ?? 0) >= 500)) return result;
  return cancelled === 'unsent'
    ? CANCELLED
    : { text: `It was cancelled. ${UNCERTAIN}`, isError: true, cancelled };
}

async function mapBy<T, R>(
  width: number,
  list: readonly T[],
  map: (each: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (let at = 0; at < list.length; at += width)
    results.push(...(await Promise.all(list.slice(at, at + width).map(map))));
  return results;
}

/** Compares a write with what the site has, if that is read, and creates its request. Changes nothing. */
async function prepareWrite(given: Call, isRead: boolean): Promise<Step<Change>> {
  const { args, edit, listed, query, site } = given;
  const { operation } = listed;
  const itemRead = findItemRead(listed, site.catalog);
  const read = itemRead && isRead ? await readItem(itemRead, given) : undefined;
  const item = read ?? undefined;
  const present = itemRead && explainRefusal(itemRead, itemRead.level, site) === undefined ? item : undefined;
  const restored =
    typeof args['restore'] === 'number' ? await readRevision(given, args['restore']) : undefined;
  const edited = (edit && isRead ? editText(edit, present) : undefined) ?? restored;
  if (typeof edited === 'string') return refuse(edited);
  const body = edited ?? given.body;
  const call: Call = { ...given, body };
  const problem = edited === undefined ? '' : explainArguments(call);
  if (problem !== '') return refuse(problem);
  const isParentPublic = listed.level === 'draft' && !(await isUnpublishedParent(call));
  const level = isParentPublic ? 'publish' : readLevel(call, item ?? null);
  const { status = null } = item ?? {};
  const members = [query, body].flatMap((sent) => jsonMembers(sent).map(([name]) => toLine(name, 60)));
  const before = typeof status === 'string' ? { before: toLine(status, 40) } : {};
  site.note({ level, members: members.slice(0, 50), ...before });
  const own = level === 'delete' ? readLevel(call, item ?? null, true) : listed.level;
  const refusal = explainRefusal({ ...listed, level: own }, level, site, call.tool);
  if (refusal !== undefined) return refuse(refusal);
  if (operation.method === 'POST' && /\/application-passwords$/.test(operation.path))
    return refuse('its response is a password. A person creates it in wp-admin, under Users > Profile.');
  if (itemRead !== undefined && !isRead && edit === undefined && (args['if_match'] ?? restored) == null)
    return refuse(
      `it would replace what the site has now: read it with ${itemRead.id}, which shows its "if_match".`,
    );
  if (read === null) return { text: 'HTTP 404. The site has no such item', status: 404, isError: true };
  if (
    itemRead !== undefined &&
    (isRead ? item === undefined : explainRefusal(itemRead, itemRead.level, site) !== undefined)
  )
    return refuse(
      `what it would replace cannot be read with ${itemRead.id}, so nobody knows what would be lost.`,
    );
  const stale = item === undefined || edited !== undefined ? undefined : explainItem(call, item, present);
  if (stale !== undefined) return stale;
  const request = prepareWriteRequest(call);
  return 'text' in request ? request : { given, call, level, before: item, present, request };
}

/** Sends a write. Its files stay at the site whatever becomes of it, so each answer names them. */
async function write(change: Change): Promise<ToolResult> {
  const ids: string[] = [];
  const result = await unlessCancelled(change.call.site, 'sent', () => uploadAndSend(change, ids));
  if (ids.length === 0) return result;
  return {
    ...result,
    text: `${result.text}. Uploaded, and public at their addresses: media ${ids.join(', ')}`,
  };
}

/** @param ids receives those of uploaded files */
async function uploadAndSend(
  { before, call: given, request: prepared }: Change,
  ids: string[],
): Promise<ToolResult> {
  const call = await uploadMembers(given, ids);
  if ('text' in call) return call;
  const { fields, from, query, site } = call;
  const request = call === given ? prepared : prepareWriteRequest(call);
  if ('text' in request) return request;
  const reading = { fields, from, isRaw: false, query, head: [...HEAD, 'source_url'], isWriting: true };
  const answered = await describeResponse(await send(request, site), reading, site);
  noteWritten(answered, site);
  const { result } = answered;
  const stored =
    result.isError === true || result.status === 202
      ? undefined
      : await describeWritten(call, before, answered.value);
  const notes = [
    result.text,
    ...(stored?.notes ?? []),
    ...(result.status === 202 ? ['The site has accepted it, and may carry it out later'] : []),
    ...(isUploading(call.listed.operation.requestBody) && result.isError !== true
      ? ['A file is public at its address, whatever its status']
      : []),
  ];
  const isError = result.isError === true || stored?.isNothing === true;
  return { ...result, text: notes.join('. '), isError };
}

/** Compares what was sent with the item that came back, and what that does not show with a read of it. */
async function describeWritten(
  call: Call,
  before: JsonObject | undefined,
  answer: Json | undefined,
): Promise<{ readonly notes: readonly string[]; readonly isNothing: boolean }> {
  const { body, listed, path, site } = call;
  const { operation } = listed;
  const shown = propertiesOf(operation.responseSchema, site.document);
  const undeclared = listUnknownArguments(call);
  // No response shows `password` or `force`. For an empty excerpt the site would render the content.
  const isCompared = ([name]: readonly [string, Json]): boolean =>
    memberAt(answer, name) !== undefined ||
    undeclared.includes(name) ||
    (shown[name] !== undefined && name !== 'excerpt');
  const sent = Object.fromEntries(jsonMembers(body).filter(isCompared));
  if (operation.method === 'DELETE' || Object.keys(sent).length === 0) return { notes: [], isNothing: false };
  let item = isItem(answer, sent) ? answer : {};
  let outcome = compareStored(sent, item, before);
  const id = memberAt(answer, 'id') ?? null;
  const itemRead =
    findItemRead(listed, site.catalog) ?? site.catalog.byRoute.get(`GET ${operation.path}/{id}`);
  if (outcome.unknown.length > 0 && itemRead !== undefined && (path.length > 0 || id !== null)) {
    const place = path.length > 0 ? path : readPathArguments(itemRead.operation, { id });
    item = { ...(await readItem(itemRead, { path: place, site }, undeclared)), ...item };
    outcome = compareStored(sent, item, before);
  }
  const { missing, other, stored, unknown } = outcome;
  const unclear = unknown.filter((name) => undeclared.includes(name)).join(', ');
  return {
    notes: [
      ...describeOutcome(outcome, item),
      ...(unclear === '' ? [] : [`Whether the site has stored ${toLine(unclear, 200)} is not shown`]),
    ],
    isNothing: missing.length > 0 && other.length + stored + unknown.length === 0,
  };
}

/** Creates a request whose response has few members of the item: for all, the site would render its content. */
function prepareWriteRequest(call: Call): AgentRequest | ToolResult {
  const { body, fields, listed, query, site } = call;
  const { level, operation } = listed;
  if (!takes(operation, '_fields') || (level !== 'draft' && fields.length === 0))
    return prepareRequest(call, false);
  const written = jsonMembers(body).map(([name]) => name);
  const names = [
    ...toFieldNames(written, [listed], operation, site.document),
    ...listUnknownArguments(call),
    ...fields.map((field) => field.split('.')[0] ?? ''),
  ];
  return prepareRequest({ ...call, query: { ...query, _fields: [...new Set(names)].join() } }, false);
}

/** Uploads files that stand for ids, e.g. of `featured_media`. @returns the call with their ids */
async function uploadMembers(call: Call, ids: string[]): Promise<Step<Call>> {
  const { body, files, listed, site } = call;
  const media = site.catalog.byRoute.get(`POST /${listed.operation.namespace}/media`);
  if (files.size === 0 || isUploading(listed.operation.requestBody)) return call;
  if (media === undefined) return refuse('the site takes no files.');
  const refusal = explainRefusal(media, 'draft', site);
  if (refusal !== undefined) return refuse(refusal);
  const members: [string, Json][] = [];
  for (const [name, file] of files) {
    const upload = { body: {}, files: new Map([['file', file]]), listed: media, path: [], query: {}, site };
    const request = prepareRequest(upload, false);
    const id =
      'text' in request ? undefined : memberAt(await readJson(await send(request, site), site), 'id');
    if (id === undefined)
      return refuse(`the site has not taken the file of ${JSON.stringify(toLine(name, 60))}`);
    members.push([name, id]);
    ids.push(toLine(toText(id), 60));
    site.note({ files: [...ids] });
  }
  return { ...call, body: { ...toJsonObject(body), ...Object.fromEntries(members) } };
}

/** Reads the texts of a revision. @returns a body for its item, or why there is none */
async function readRevision({ listed, path, site }: Call, revision: number): Promise<JsonObject | string> {
  const collection = listed.operation.path.replace(/\{[^{}]*\}$/, '');
  const read = site.catalog.operations.find(
    ({ operation: { method, path: other } }) =>
      method === 'GET' &&
      other.startsWith(collection) &&
      /^\{[^{}]*\}\/revisions\/\{[^{}]*\}$/.test(other.slice(collection.length)),
  );
  const [item] = path;
  const values = [item?.value ?? '', revision];
  const found =
    read &&
    (await readItem(read, {
      site,
      path: readPathArguments(read.operation, {}).map((each, at) => ({ ...each, value: values[at] ?? '' })),
    }));
  const texts = ['title', 'content', 'excerpt'].flatMap((name): [string, Json][] => {
    const text = rawOf(found?.[name]);
    return typeof text === 'string' ? [[name, text]] : [];
  });
  return texts.length === 0 ? 'the revision cannot be read.' : Object.fromEntries(texts);
}

function noteWritten({ value }: ReadResponse, site: AgentSite): void {
  const [id, status] = ['id', 'status'].map((name) => memberAt(value, name));
  site.note({
    ...((typeof id === 'number' || typeof id === 'string') && { item: toLine(String(id), 60) }),
    ...(typeof status === 'string' && { after: toLine(status, 40) }),
  });
}

/** Uploads can be shown at their parent. */
async function isUnpublishedParent(call: Call): Promise<boolean> {
  const { listed, site } = call;
  const { path } = listed.operation;
  if (!path.endsWith('/media')) return true;
  for (const id of listSent(call, 'post')) {
    const reads = ['posts', 'pages'].flatMap(
      (type) => site.catalog.byRoute.get(`GET ${path.replace(/media$/, type)}/{id}`) ?? [],
    );
    const items = await Promise.all(
      reads.map((each) => readItem(each, { site, path: readPathArguments(each.operation, { id }) })),
    );
    const found = items.filter((item) => item != null);
    if (found.length === 0 || !found.every(({ status }) => UNPUBLISHED.includes(status))) return false;
  }
  return true;
}

/** Compares what the agent has read with the present item. @returns a refusal with the text to replace */
function explainItem(
  { args, body, query, site }: Call,
  item: JsonObject,
  present: JsonObject | undefined,
): ToolResult | undefined {
  const { if_match: given = null } = args;
  const sent = { ...query, ...toJsonObject(body) };
  const shown = site.catalog.shown.get(toText(given));
  // A write of a status can publish what somebody has changed meanwhile.
  const watched = { status: item['status'] ?? null, ...sent };
  const compared = shown && { sent: watched, present: item, earlier: shown.item, shown: shown.shown };
  const changed = compared === undefined ? [] : listChanged(compared);
  if (compared !== undefined && changed.length === 0) {
    const [unseen] = listUnseen(compared);
    return unseen === undefined
      ? undefined
      : refuse(
          `${toLine(unseen, 100)} was not seen whole, as it is stored. Replace a passage with "edit_text", or read it with "raw": true and {"context": "edit"}, in few enough "fields" that nothing is cut. What is hidden from assistants, a person changes.`,
        );
  }
  const names = changed.length > 0 ? changed.map((path) => path.replace(/\..*/s, '')) : Object.keys(sent);
  const replaced = Object.fromEntries(
    [...new Set(names)].flatMap((name): [string, Json][] => {
      const value = present?.[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const { text } = fitResponse(
    cutTexts(hideSecrets(replaced).value, MAX_PRESENT_TEXT),
    [],
    MAX_PRESENT_TOKENS,
  );
  const next = rememberShown(item, parseJson(text) ?? null, site);
  const reason =
    changed.length > 0
      ? `the item was changed since it was read: ${toLine(changed.join(', '), 200)}`
      : 'it would replace what the site has now';
  return refuse(`${reason}. If that is meant, send it with "if_match": "${next}".`, text);
}

function readEdit(edit: Json): TextEdit | null {
  const { member, new: text, old } = isJsonObject(edit) ? edit : {};
  const isComplete = typeof member === 'string' && typeof old === 'string' && typeof text === 'string';
  return isComplete && old !== '' && /^\w{1,80}$/.test(member) ? { member, old, new: text } : null;
}

/** @returns a body, or why there is none */
function editText({ member, new: text, old }: TextEdit, item: JsonObject | undefined): JsonObject | string {
  const current = rawOf(item?.[member]);
  if (typeof current !== 'string') return `the text ${JSON.stringify(member)} of the item cannot be read.`;
  const at = current.indexOf(old);
  if (at >= 0 && at === current.lastIndexOf(old))
    return { [member]: current.slice(0, at) + text + current.slice(at + old.length) };
  const problem = at < 0 ? 'does not occur' : 'occurs more than once';
  return `"old" ${problem} in ${JSON.stringify(member)}. Read it with "raw": true.`;
}

/** Joins the results of a list, equal ones once. The status is the worst. */
function joinResults(results: readonly ToolResult[]): ToolResult {
  const [first] = results;
  if (first !== undefined && results.length === 1) return first;
  const places = new Map<string, number[]>();
  for (const [at, { text }] of results.entries()) places.set(text, [...(places.get(text) ?? []), at]);
  let tokens = 0;
  const leftOut: number[] = [];
  const contents = results.map(({ content = 'null' }, at) => {
    tokens += estimateTokens(content);
    if (tokens <= MAX_LIST_TOKENS || content === 'null') return content;
    leftOut.push(at);
    return 'null';
  });
  const lines = Array.from(places, ([text, at]) => `calls ${at.join(', ')}: ${text}`);
  if (leftOut.length > 0)
    lines.push(`The list is too long: the content of calls ${leftOut.join(', ')} is left out, as null`);
  const statuses = results.flatMap(({ status }) => status ?? []);
  return {
    text: lines.join('\n'),
    ...(statuses.length > 0 && { status: Math.max(...statuses) }),
    content: `[${contents.join(',\n')}]`,
    isError: results.some(({ isError }) => isError === true),
    ...(results.some(({ cancelled }) => cancelled !== undefined) && {
      cancelled: results.some(({ cancelled, status }) => cancelled === 'sent' || status !== undefined)
        ? 'sent'
        : 'unsent',
    }),
  };
}

/** Names an item for {@link runInTurn}. The site reads `01` as 1. */
function nameItem({ listed, path }: Call): string {
  const values = path.map(({ schema, value }) =>
    schema['type'] === 'integer' ? toText(value).replace(/^0+(?=\d)/, '') : toText(value),
  );
  return `${listed.operation.path} ${values.join(' ')}`;
}

/** Runs an item's writes one after the other, so that an edit reads what the one before wrote. */
async function runInTurn<T>(
  turns: Map<string, Promise<unknown>>,
  items: readonly string[],
  run: () => Promise<T>,
): Promise<T> {
  const running = Promise.allSettled(items.map((item) => turns.get(item))).then(run);
  for (const item of items) turns.set(item, running);
  return running.finally(() => {
    for (const item of items) if (turns.get(item) === running) turns.delete(item);
  });
}
