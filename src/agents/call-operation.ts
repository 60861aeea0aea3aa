import { decodeBasicPair } from '../base/http/basic-credentials.ts';
import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
  toJsonObject,
  toText,
} from '../base/json.ts';
import type { AgentRequest, ResolvedCall } from '../gateway/surfaces.ts';
import { typesOf } from '../generator/model/schema/keywords.ts';
import { type Level, UNPUBLISHED } from '../generator/openapi/operation-levels.ts';
import type { Operation } from '../generator/openapi/operations.ts';
import { findPathProblems, isWritingMethod, toSampleUrl } from '../generator/reference/sample-request.ts';
import {
  type AgentSite,
  type CallTool,
  explainRefusal,
  needsAnswer,
  refuse,
  type ToolResult,
} from './agent-site.ts';
import {
  type Call,
  describeUnknownArguments,
  explainArguments,
  type PathArguments,
  readPathArguments,
  type TextEdit,
  toPhpName,
} from './call.ts';
import { listSent, readLevel } from './call-level.ts';
import type { ListedOperation } from './catalog.ts';
import { CUT_MARK, cutTexts, fitResponse } from './fit-response.ts';
import {
  describeChanged,
  describeStored,
  explainLoss,
  findItemRead,
  HEAD,
  hashItem,
  listItemFields,
  listSeen,
  rawOf,
  toFieldNames,
} from './present-item.ts';
import { describeResponse, hideSecrets, type ReadResponse, readJson } from './read-response.ts';
import { encodeForm, isUploading, readFiles, WRONG_FILE } from './sent-files.ts';
import { INVISIBLE, toLine } from './site-text.ts';

/** Node's servers accept no more than this in a request's head, so no other client sends a longer path. */
const MAX_PATH_LENGTH = 16 * 1024;
/** Each of them is compared with each member of a response. */
const MAX_FIELDS = 100;
/** Characters of a change that a person or a model is asked about. */
const MAX_SHOWN = 12_000;
const MAX_PRESENT_TEXT = 300;

export async function callOperation(
  listed: ListedOperation,
  args: JsonObject,
  site: AgentSite,
  tool: CallTool,
): Promise<ToolResult> {
  const { id, level, operation } = listed;
  const given = toJsonObject(args['path']);
  const path = readPathArguments(operation, given);
  const logged = path.flatMap(({ name, value }): [string, Json][] =>
    value === '' ? [] : [[name, typeof value === 'number' ? value : toLine(toText(value), 100)]],
  );
  site.note({ operation: id, level, path: Object.fromEntries(logged) });
  const { edit_text = null, from = 0, restore = null } = args;
  const [files, body] = await readFiles(args['body'] ?? null, operation, site);
  if (files === undefined) return refuse(WRONG_FILE);
  const fields = jsonItems(args['fields']).flatMap((name) => toText(name).trim() || []);
  if (fields.length > MAX_FIELDS || Number(from) < 0)
    return refuse(`"fields" must be at most ${MAX_FIELDS}, and "from" must not be negative.`);
  const isWriting = isWritingMethod(operation.method);
  // A query has no null.
  const query = Object.fromEntries(
    Object.entries(toJsonObject(args['query'])).filter(([, value]) => value !== null),
  );
  const edit = edit_text === null ? undefined : readEdit(edit_text);
  if (edit === null || [edit ?? null, restore, body].filter((each) => each !== null).length > 1)
    return refuse(
      '"edit_text", with the texts member, old and new, "restore" and "body" stand in place of each other.',
    );
  if (!site.reads.includes('*') && Object.keys(query).some((name) => toPhpName(name) === '_embed'))
    return refuse(
      '"_embed" returns items that the operator may have left out. Read them by their own operations.',
    );
  const call: Call = { listed, tool, args, path, query, body, fields, from: Number(from), edit, files, site };
  const called = readLevel(call, undefined);
  const refusal = explainRefusal(listed, called, site, isWriting && path.length > 0 ? undefined : tool);
  // Whether an update of an item is one of a draft is only known once the item is read.
  const isUnknown = level === 'draft' && path.length > 0 && called === 'publish';
  if (refusal !== undefined && (!isUnknown || explainRefusal(listed, 'draft', site) !== undefined))
    return refuse(refusal);
  const problem = explainArguments(call);
  if (problem !== '') return refuse(problem);
  if (!isWriting) return read(call);
  const item = `${operation.path} ${path.map(({ value }) => toText(value)).join(' ')}`;
  return runInTurn(site.catalog.turns, item, () => write(call));
}

async function read(call: Call): Promise<ToolResult> {
  const { args, fields, from, listed, query, site } = call;
  // The site is asked for first members: some controllers ignore nested names.
  const first = [...new Set(fields.map((field) => field.split('.')[0] ?? ''))].join();
  const selecting = takes(listed.operation, '_fields') && first !== '' ? { _fields: first } : {};
  const request = prepareRequest({ ...call, query: { ...query, ...selecting } }, args['fresh'] === true);
  if ('text' in request) return request;
  const asked = ask(request, call, listed.level, undefined);
  if (asked !== undefined) return asked;
  const isRaw = args['raw'] === true;
  const [response, item] = await Promise.all([send(request, site), readWritableItem(call)]);
  const { result, shown } = await describeResponse(
    response,
    { fields, from, isRaw, query, isWriting: false },
    site,
  );
  const unknown = describeUnknownArguments(call, 'The site ignores it.');
  const notes = [
    result.text,
    ...(item === undefined || shown === undefined ? [] : [`"if_match": "${keepTag(item, shown, site)}"`]),
    ...(unknown === '' ? [] : [unknown]),
  ];
  return { ...result, text: notes.join('. ') };
}

/** Reads an item once more as a write would compare it, if the agent can write it. */
async function readWritableItem(call: Call): Promise<JsonObject | undefined> {
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

/** Remembers what was shown, so that a later refusal can say what has changed. @returns what a write names as `if_match` */
function keepTag(item: JsonObject, shown: Json, { catalog }: AgentSite): string {
  const { members, tag } = hashItem(item);
  catalog.shown.set(tag, members);
  return [tag, ...listSeen(item, shown)].join('.');
}

/**
 * Reads what the site has at a path. A write is compared with it whatever the agent can read, which is shown only what it can.
 * @returns `undefined` if it cannot be read
 */
async function readItem(
  listed: ListedOperation,
  { path, site }: Pick<Call, 'path' | 'site'>,
): Promise<JsonObject | undefined> {
  // A GET of another level can do more than read.
  if (listed.level !== 'read' && explainRefusal(listed, listed.level, site) !== undefined) return undefined;
  const fields = listItemFields(listed, site).join();
  const query = {
    ...(takes(listed.operation, 'context') && { context: 'edit' }),
    ...(fields !== '' && { _fields: fields }),
  };
  const request = prepareRequest({ listed, path, query, body: null, site }, true);
  const value = 'text' in request ? undefined : await readJson(await send(request, site), site);
  return value === undefined || isJsonObject(value) ? value : { items: value };
}

function send(request: AgentRequest, site: AgentSite): Promise<Response> {
  return site.send({ ...request, headers: [...request.headers, 'User-Agent', site.userAgent] }, site.signal);
}

async function write(given: Call): Promise<ToolResult> {
  const { args, edit, listed, query, site } = given;
  const { operation } = listed;
  const itemRead = findItemRead(listed, site.catalog);
  const item = itemRead && (await readItem(itemRead, given));
  const present = itemRead && explainRefusal(itemRead, itemRead.level, site) === undefined ? item : undefined;
  const restored =
    typeof args['restore'] === 'number' ? await readRevision(given, args['restore']) : undefined;
  const edited = (edit && editText(edit, present)) ?? restored;
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
  const refusal = explainRefusal(listed, level, site, call.tool);
  if (refusal !== undefined) return refuse(refusal);
  if (operation.method === 'POST' && /\/application-passwords$/.test(operation.path))
    return refuse('its response is a password. A person creates it in wp-admin, under Users > Profile.');
  if (itemRead !== undefined && item === undefined)
    return refuse(
      `what it would replace cannot be read with ${itemRead.id}, so nobody knows what would be lost.`,
    );
  const stale = item === undefined || edited !== undefined ? undefined : explainItem(call, item, present);
  if (stale !== undefined) return stale;
  const stored = listStoredFields(call, body);
  const prepared = prepareRequest({ ...call, query: { ...query, ...stored } }, false);
  if ('text' in prepared) return prepared;
  const asked = ask(prepared, call, level, present);
  if (asked !== undefined) return asked;
  if (edited !== undefined && itemRead !== undefined && item !== undefined) {
    const now = await readItem(itemRead, call);
    if (now === undefined || hashItem(now).tag !== hashItem(item).tag)
      return refuse('the item has changed in the meantime. Read it again.');
  }
  const uploaded = await uploadMembers(call);
  if ('text' in uploaded) return uploaded;
  const request = prepareRequest({ ...call, query: { ...query, ...stored }, ...uploaded }, false);
  if ('text' in request) return request;
  const { fields, from } = call;
  const reading = { fields, from, isRaw: false, query, head: [...HEAD, 'source_url'], isWriting: true };
  const answered = await describeResponse(await send(request, site), reading, site);
  noteWritten(answered, site);
  const notes = [
    ...describeStored(body, answered.value),
    ...(call.files.size > 0 && answered.result.isError !== true
      ? ['A file is public at its address, whatever its status']
      : []),
  ];
  return { ...answered.result, text: [answered.result.text, ...notes].join('. ') };
}

/** Asks the person, if the level needs an answer. @returns what ends the call: a preview, the question, or that it was declined */
function ask(
  request: AgentRequest,
  call: Call,
  level: Level,
  item: JsonObject | undefined,
): ToolResult | undefined {
  const { args, site } = call;
  const isPreview = args['preview'] === true;
  if (!isPreview && !needsAnswer(level)) return undefined;
  if (!isPreview && site.ask === undefined) {
    site.note({ asked: 'unasked' });
    return undefined;
  }
  const shown = describeChange(request, call, level, item);
  if (isPreview || shown.isError === true) return shown;
  const question = `${shown.text}\n${shown.content}`;
  const answer = site.ask?.(question) ?? 'declined';
  if (answer === 'unasked') return { text: shown.text, question };
  site.note({ asked: answer });
  return answer === 'accepted' ? undefined : refuse('the person declined it.');
}

/** Uploads the files that stand in place of ids, such as that of `featured_media`, and refers to them. */
async function uploadMembers(call: Call): Promise<Pick<Call, 'body'> | ToolResult> {
  const { body, files, listed, site } = call;
  const media = site.catalog.byRoute.get(`POST /${listed.operation.namespace}/media`);
  if (files.size === 0 || isUploading(listed.operation.requestBody)) return { body };
  const refusal = media === undefined ? 'the site takes no files.' : explainRefusal(media, 'draft', site);
  if (media === undefined || refusal !== undefined) return refuse(refusal ?? '');
  const ids: [string, Json][] = [];
  for (const [name, file] of files) {
    const upload = { body: {}, files: new Map([['file', file]]), listed: media, path: [], query: {}, site };
    const request = prepareRequest(upload, false);
    const id =
      'text' in request ? undefined : memberAt(await readJson(await send(request, site), site), 'id');
    if (id === undefined)
      return refuse(`the site has not taken the file of ${JSON.stringify(toLine(name, 60))}.`);
    ids.push([name, id]);
    site.note({ files: ids.map(([, each]) => toLine(toText(each), 60)) });
  }
  return { body: { ...toJsonObject(body), ...Object.fromEntries(ids) } };
}

/** Reads the texts of a revision, to write them to its item. @returns why there are none, or a body */
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

/** Names what an item's write answers with, where the site knows the names: without them, it renders what it has stored. */
function listStoredFields({ fields, listed, site }: Call, body: Json): JsonObject {
  const { level, operation } = listed;
  if (!takes(operation, '_fields') || (level !== 'draft' && fields.length === 0)) return {};
  const names = toFieldNames(
    jsonMembers(body).map(([name]) => name),
    [listed],
    operation,
    site.document,
  );
  return { _fields: [...new Set([...names, ...fields.map((field) => field.split('.')[0] ?? '')])].join() };
}

/** An upload can be shown at the item that it is attached to. */
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
    const found = items.filter((item) => item !== undefined);
    if (found.length === 0 || !found.every(({ status }) => UNPUBLISHED.includes(status))) return false;
  }
  return true;
}

/** Compares what the agent has read with the present item. @returns a refusal with what is to be replaced */
function explainItem(
  { args, body, query, site }: Call,
  item: JsonObject,
  present: JsonObject | undefined,
): ToolResult | undefined {
  const { if_match: given = null } = args;
  const sent = { ...query, ...toJsonObject(body) };
  const { tag } = hashItem(item);
  const [read = '', ...seen] = String(given ?? '').split('.');
  const changed = describeChanged(read, item, site.catalog);
  const loss = read === tag ? explainLoss(sent, item, seen) : undefined;
  if (read === tag && loss === undefined) return undefined;
  if (loss !== undefined)
    return refuse(
      `${toLine(loss, 100)}. Replace a passage with "edit_text", or read it whole: "raw": true with {"context": "edit"}.`,
    );
  const names = given === null ? Object.keys(sent) : changed;
  const replaced = Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value = present?.[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const { text } = fitResponse(hideSecrets(replaced).value, [], MAX_PRESENT_TEXT);
  const next = keepTag(item, JSON.parse(text), site);
  const reason =
    given === null
      ? 'it would replace what the site has now'
      : `the item was changed since it was read${changed.length > 0 ? `: ${toLine(changed.join(', '), 200)}` : ''}`;
  return refuse(`${reason}. If that is meant, send it with "if_match": "${next}".`, text);
}

/** Runs the writes to an item one after the other, so that an edit reads what the one before it has written. */
async function runInTurn<T>(
  turns: Map<string, Promise<unknown>>,
  item: string,
  run: () => Promise<T>,
): Promise<T> {
  const running = Promise.resolve(turns.get(item)).then(run, run);
  turns.set(item, running);
  return running.finally(() => {
    if (turns.get(item) === running) turns.delete(item);
  });
}

function prepareRequest(
  {
    body,
    files,
    listed: { operation },
    path: pathParameters,
    query,
    site,
  }: Pick<Call, 'body' | 'listed' | 'path' | 'query' | 'site'> & Partial<Pick<Call, 'files'>>,
  isFresh: boolean,
): AgentRequest | ToolResult {
  // A query has no empty object: WordPress reads an empty text as one.
  const filled = changeMembers(query, (value) =>
    /^(?:\{\}|\[\])$/.test(JSON.stringify(value)) ? '' : value,
  );
  let path: string;
  try {
    path = toSampleUrl({ path: operation.path, baseUrl: '', pathParameters, query: Object.entries(filled) });
  } catch {
    // `encodeURIComponent` throws for half of a surrogate pair.
    return refuse('an argument contains half of a character.');
  }
  const problems = [...findPathProblems({ path: operation.path, pathParameters }).values()];
  if (problems.length > 0) return refuse(`in "path", ${problems.join(' ')}`);
  if (path.length > MAX_PATH_LENGTH)
    return refuse(`"path" and "query" make a URL of more than ${MAX_PATH_LENGTH} characters.`);
  const resolved = resolveCall(operation, path, site);
  if (resolved === undefined) return refuse(explainUnresolved(pathParameters));
  const file = isUploading(operation.requestBody) ? files?.get('file') : undefined;
  const [type, content] =
    file !== undefined
      ? encodeForm(file, body)
      : [
          ['Content-Type', 'application/json'],
          body === null ? null : new TextEncoder().encode(JSON.stringify(body)),
        ];
  const headers = [...(content === null ? [] : type), ...(isFresh ? ['Cache-Control', 'no-cache'] : [])];
  return { method: operation.method, target: resolved.target, headers, body: content };
}

function explainUnresolved(path: PathArguments): string {
  const wrong = path.flatMap(({ name, schema, value }) => {
    const text = toText(value);
    if (!typesOf(schema).includes('integer') || /^\d+$/.test(text)) return [];
    return [
      `in "path", ${toLine(name, 60)} must be a whole number, not ${JSON.stringify(toLine(text, 60))}.`,
    ];
  });
  return wrong.length > 0 ? wrong.join(' ') : 'with these arguments the site would run another operation.';
}

function readEdit(edit: Json): TextEdit | null {
  const { member, new: text, old } = isJsonObject(edit) ? edit : {};
  const isComplete = typeof member === 'string' && typeof old === 'string' && typeof text === 'string';
  return isComplete && old !== '' && /^\w{1,80}$/.test(member) ? { member, old, new: text } : null;
}

/**
 * Replaces one passage of a member as the site has it now, so that the rest of a long text never passes through the agent.
 * @returns a body, or why there is none
 */
function editText({ member, new: text, old }: TextEdit, item: JsonObject | undefined): JsonObject | string {
  const current = rawOf(item?.[member]);
  if (typeof current !== 'string') return `the text ${JSON.stringify(member)} of the item cannot be read.`;
  const at = current.indexOf(old);
  if (at >= 0 && at === current.lastIndexOf(old))
    return { [member]: current.slice(0, at) + text + current.slice(at + old.length) };
  const problem = at < 0 ? 'does not occur' : 'occurs more than once';
  return `"old" ${problem} in ${JSON.stringify(member)}. Read it with "raw": true.`;
}

/** Says what a call would do: method, path, user, and all that it sends. What cannot be shown whole is refused. */
function describeChange(
  request: AgentRequest,
  { args, body, edit, listed, path, query, site }: Call,
  level: Level,
  item: JsonObject | undefined,
): ToolResult {
  const { method } = listed.operation;
  const present = toJsonObject(hideSecrets(item ?? null).value);
  const readPresent = (name: string): Json => cutTexts(rawOf(present[name]) ?? null, MAX_PRESENT_TEXT);
  const isRestored = typeof args['restore'] === 'number';
  const changes = isJsonObject(body)
    ? changeMembers(body, (to, name) => ({
        from: readPresent(name),
        to: isRestored ? cutTexts(to, MAX_PRESENT_TEXT) : to,
      }))
    : body;
  const head = ['id', 'name', 'slug', 'status', 'title'].map((name) => [name, readPresent(name)] as const);
  const shown = {
    item: Object.fromEntries(head.filter(([, value]) => value !== null)),
    ...(Object.keys(query).length > 0 && { query }),
    ...(edit === undefined ? { changes } : { edit_text: edit }),
  };
  // Whoever reads it must see what nobody would see on the site.
  const content = JSON.stringify(shown).replace(
    INVISIBLE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  const [target = ''] = request.target.slice(site.mountPath.length).split('?');
  const text = [
    `It would send ${method} ${target} as ${nameUser(site)} (level ${level})`,
    item === undefined && path.length > 0 && isWritingMethod(method)
      ? 'What the site has now is not known'
      : '',
    CUT_MARK.test(content)
      ? 'What the site has now is cut: read the item for the rest. What would be sent is whole'
      : '',
  ];
  if (target.length + content.length > MAX_SHOWN)
    return refuse(
      `the change has more than ${MAX_SHOWN} characters, so it cannot be shown whole before it is sent. Send it in parts, or use "edit_text".`,
    );
  return { text: text.filter((line) => line !== '').join('. '), content };
}

export function nameUser({ authorization }: Pick<AgentSite, 'authorization'>): string {
  const [, scheme = '', token = ''] = /^(\S+)\s+(.+)$/.exec(authorization) ?? [];
  if (scheme === '') return 'a visitor';
  const [user = ''] = /^basic$/i.test(scheme) ? decodeBasicPair(token).split(':') : [];
  return toLine(user, 60) || `the user of a ${toLine(scheme, 20)} token`;
}

/** Finds the target for which the site runs an operation: `_method` or a slash in a path leads elsewhere. */
function resolveCall(operation: Operation, path: string, site: AgentSite): ResolvedCall | undefined {
  return site
    .resolve(operation.method, path)
    .find(
      ({ method, operation: found }) =>
        method === operation.method &&
        operation.routes.some((route) =>
          route.pattern === undefined ? found.path === route.path : found.pattern === route.pattern,
        ),
    );
}

function takes({ parameterObjects }: Operation, name: string): boolean {
  return parameterObjects.some((parameter) => parameter['name'] === name);
}
