import { getParameterName, hasMark } from '../base/document-extensions.ts';
import { decodeBasicPair } from '../base/http/basic-credentials.ts';
import {
  changeMembers,
  isJsonObject,
  isSameData,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
  toJsonObject,
  toText,
} from '../base/json.ts';
import { createNearestLookup } from '../base/nearest-name.ts';
import type { AgentRequest, ResolvedCall } from '../gateway/surfaces.ts';
import { typesOf } from '../generator/model/schema/keywords.ts';
import {
  type CallClass,
  findRiskyContent,
  listArgumentNames,
  type RiskyContent,
} from '../generator/openapi/operation-classes.ts';
import type { Operation } from '../generator/openapi/operations.ts';
import { contentSchemaOf, flattenSchema } from '../generator/openapi/schema-view.ts';
import { findPathProblems, isWritingMethod, toSampleUrl } from '../generator/reference/sample-request.ts';
import { type AgentSite, explainRefusal, findDeletion, type ToolResult, toolOf } from './agent-site.ts';
import type { ListedOperation } from './catalog.ts';
import { CUT_MARK, cutTexts } from './fit-response.ts';
import { describeResponse, hideSecrets, readJson } from './read-response.ts';
import { INVISIBLE, toLine } from './site-text.ts';

/** Node's servers accept no more than this in a request's head, so no other client sends a longer path. */
const MAX_PATH_LENGTH = 16 * 1024;
/** Each of them is compared with each member of a response. */
const MAX_FIELDS = 100;
/** Characters of a change that a person or a model is asked about. */
const MAX_SHOWN = 12_000;
const MAX_PRESENT_TEXT = 300;

export const CALL_TOOLS = {
  read: 'read_operation',
  write: 'write_operation',
  delete: 'delete_operation',
} as const;
export type CallTool = (typeof CALL_TOOLS)[keyof typeof CALL_TOOLS];

/** Classes of a call. All must be allowed; the first one says which tool sends it. */
type CallClasses = readonly [CallClass, ...CallClass[]];

export function refuse(reason: string): ToolResult {
  return { text: `It was not sent: ${reason}`, isError: true };
}

/** Sends a call to the site, if the settings allow it. Only the list of abilities is read elsewhere, with a `GET`. */
async function sendCall(
  request: AgentRequest,
  listed: ListedOperation,
  called: CallClasses,
  site: AgentSite,
): Promise<Response | ToolResult> {
  const refusal = explainFirstRefusal(listed, called, site);
  if (refusal !== undefined) return refuse(refusal);
  return site.send({ ...request, headers: [...request.headers, 'User-Agent', site.userAgent] }, site.signal);
}

function explainFirstRefusal(
  listed: ListedOperation,
  called: CallClasses,
  site: AgentSite,
): string | undefined {
  return called.map((each) => explainRefusal(listed, each, site)).find((reason) => reason !== undefined);
}

/** Reads what the site has at a path, for the server itself. @returns `undefined` if it cannot be read */
async function readItem(
  { operation }: ListedOperation,
  path: PathArguments,
  fields: readonly string[],
  site: AgentSite,
): Promise<Json | undefined> {
  const listed = site.catalog.byRoute.get(`GET ${operation.path}`);
  if (listed === undefined) return undefined;
  const context = takes(listed.operation, 'context') ? { context: 'edit' } : {};
  const query = { ...context, ...(fields.length > 0 && { _fields: fields.join() }) };
  const request = prepareRequest(listed, { path, query, body: null }, true, site);
  if ('text' in request) return undefined;
  const response = await sendCall(request, listed, [listed.classify()], site);
  return response instanceof Response ? readJson(response, site) : undefined;
}

export async function callOperation(
  listed: ListedOperation,
  args: JsonObject,
  site: AgentSite,
  tool: CallTool,
): Promise<ToolResult> {
  const { operation } = listed;
  const given = toJsonObject(args['path']);
  const path = readPathArguments(operation, given);
  const logged = path.flatMap(({ name, value }): [string, Json][] =>
    value === '' ? [] : [[name, typeof value === 'number' ? value : toLine(toText(value), 100)]],
  );
  site.note({ operation: listed.id, class: listed.classify().name, path: Object.fromEntries(logged) });
  const { edit_text = null, from = 0 } = args;
  const fields = jsonItems(args['fields']).flatMap((name) => toText(name).trim() || []);
  if (fields.length > MAX_FIELDS || Number(from) < 0)
    return refuse(`"fields" must be at most ${MAX_FIELDS}, and "from" must not be negative.`);
  const isWriting = isWritingMethod(operation.method);
  const query = withoutNulls(toJsonObject(args['query']));
  const body = isJsonObject(args['body']) ? withoutNulls(args['body']) : (args['body'] ?? null);
  const edit = edit_text === null ? undefined : readEdit(edit_text);
  if (edit === null || (edit !== undefined && (!isWriting || body !== null)))
    return refuse('"edit_text" must have the texts member, old and new, and stands in place of "body".');
  const classes = classifyCall(listed, findRiskyContent(operation, [query, body], site.hosts));
  const refusal = refuseByClass(listed, classes, tool, site);
  if (refusal !== undefined) return refusal;
  const effect = isWriting ? 'It would be ignored.' : 'The site ignores it.';
  const unknown = describeUnknownArguments(listed, query, body, site.document, effect);
  const problem =
    explainPathArguments(path, given, query, body) ||
    explainBody(operation, body, [query, body, edit?.new ?? null], site) ||
    (isWriting ? unknown : '');
  if (problem !== '') return refuse(problem);
  // The site is asked for first members: some controllers ignore nested names.
  const first = [...new Set(fields.map((field) => field.split('.')[0] ?? ''))];
  const selecting = takes(operation, '_fields') && fields.length > 0 ? { _fields: first.join() } : {};
  const send = async (request: AgentRequest | ToolResult, called: CallClasses): Promise<ToolResult> => {
    const response = 'text' in request ? request : await sendCall(request, listed, called, site);
    if (!(response instanceof Response)) return response;
    const isSecretShown = listed.classify().name === 'administration';
    const reading = { fields, from: Number(from), isRaw: args['raw'] === true, query, isSecretShown };
    const result = await describeResponse(response, reading, site);
    return unknown === '' ? result : { ...result, text: `${result.text}. ${unknown}` };
  };
  const sent = { path, query: { ...query, ...selecting }, body };
  if (!isWriting) return send(prepareRequest(listed, sent, args['fresh'] === true, site), classes);

  const write = async (): Promise<ToolResult> => {
    const edited = edit && (await editText(listed, path, edit, site));
    if (edited !== undefined && 'text' in edited) return edited;
    const called =
      edited === undefined
        ? classes
        : classifyCall(listed, [...findRiskyContent(operation, query, site.hosts), ...edited.risks]);
    const refused = refuseByClass(listed, called, tool, site);
    if (refused !== undefined) return refused;
    const request = prepareRequest(listed, { ...sent, body: edited?.body ?? body }, false, site);
    if ('text' in request) return request;
    const needsConsent = called[0].name === 'administration' || called[0].name === 'deletion';
    if (args['preview'] === true || (site.ask !== undefined && needsConsent)) {
      const shown = await describeChange(
        request,
        listed,
        called[0],
        { ...sent, query, edit: edit ?? null },
        site,
      );
      if (args['preview'] === true || shown.isError === true) return shown;
      const question = `${shown.text}\n${shown.content}`;
      const answer = site.ask?.(question);
      if (answer === 'unasked') return { text: shown.text, question };
      if (answer !== 'accepted') return refuse('the person declined it.');
    }
    if (edited !== undefined && !isSameData(edited.item, await readItem(listed, path, edited.fields, site)))
      return refuse('the item has changed in the meantime. Read it again.');
    return send(request, called);
  };
  return runInTurn(
    site.catalog.turns,
    `${operation.path} ${path.map(({ value }) => toText(value)).join(' ')}`,
    write,
  );
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

function refuseByClass(
  listed: ListedOperation,
  called: CallClasses,
  tool: CallTool,
  site: AgentSite,
): ToolResult | undefined {
  const [{ name, reason }] = called;
  site.note({ class: name });
  const refusal = explainFirstRefusal(listed, called, site);
  if (refusal !== undefined) return refuse(refusal);
  const isDeletion = name === 'deletion' && (toolOf(listed) === 'delete' || findDeletion(listed, site));
  const needed = CALL_TOOLS[isDeletion ? 'delete' : toolOf(listed)];
  if (tool !== needed) return refuse(`call it with ${needed}: ${reason}`);
  const { method, path } = listed.operation;
  const returnsPassword = isWritingMethod(method) && /\/application-passwords(?:\/|$)/.test(path);
  return returnsPassword && site.showSecret === undefined
    ? refuse('its response is a secret, which only waygate mcp can show to the person.')
    : undefined;
}

function classifyCall(listed: ListedOperation, risks: readonly RiskyContent[]): CallClasses {
  const own = listed.classify();
  if (!isWritingMethod(listed.operation.method) || own.name === 'deletion') return [own];
  const classes = (['deletion', 'administration'] as const).flatMap((name): CallClass[] => {
    const first = risks.find((each) => each.name === name && name !== own.name);
    if (first === undefined) return [];
    const [member, piece] = [first.member, first.piece].map((text) => JSON.stringify(toLine(text, 60)));
    return [{ name, reason: `${piece} in ${member}: ${first.reason}` }];
  });
  const [main = own, ...others] = [...classes, own];
  return [main, ...others];
}

function withoutNulls(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** The declared arguments of a path, `''` for a missing one. `siteName` is the one in the site's pattern. */
type PathArguments = readonly {
  readonly name: string;
  readonly siteName: string;
  readonly value: Json;
  readonly mayContainSlashes: boolean;
  readonly schema: JsonObject;
}[];

function readPathArguments({ parameterObjects }: Operation, given: JsonObject): PathArguments {
  return parameterObjects
    .filter((parameter) => parameter['in'] === 'path')
    .map((parameter) => {
      const name = String(parameter['name']);
      const siteName = String(getParameterName(parameter));
      const value = memberAt(given, name) ?? memberAt(given, siteName) ?? '';
      const mayContainSlashes = hasMark(parameter, 'slashes');
      return { name, siteName, value, mayContainSlashes, schema: toJsonObject(parameter['schema']) };
    });
}

/** Explains an argument that no path has, or that WordPress would read in place of that of the path. */
function explainPathArguments(path: PathArguments, given: JsonObject, query: JsonObject, body: Json): string {
  const isKnown = (name: string): boolean =>
    path.some((each) => each.name === name || each.siteName === name);
  const extra = Object.keys(given).find((name) => !isKnown(name));
  if (extra !== undefined) {
    const names = path.map(({ name }) => toLine(name, 60)).join(', ') || 'nothing';
    return `"path" takes ${names}, and no ${JSON.stringify(toLine(extra, 60))}.`;
  }
  if (Object.entries(query).some(([name, value]) => !PHP_NAME.test(name) || hasBracket(value)))
    return 'PHP reads a name in "query" as another, or it changes the form of the response. Nest objects instead of brackets.';
  for (const [place, sent] of Object.entries({ query, body }))
    for (const [name, value] of jsonMembers(sent)) {
      // As PHP reads ` id`, `id[]` and `id\0x`.
      const read = name
        .replace(/[[\0].*/s, '')
        .replace(/^ +/, '')
        .replace(/[. ]/g, '_');
      const own = path.find((each) => each.siteName === read);
      if (own !== undefined && toText(own.value) !== toText(value))
        return `${JSON.stringify(toLine(name, 60))} in "${place}" would replace that of "path". Leave it out.`;
    }
  return '';
}

/** PHP leaves out what follows a bracket: `images[0][src]x` is `images[0][src]`. `_envelope` makes errors look like results. */
const PHP_NAME = /^(?! *[_. ](?:envelope|jsonp)\b)[^[\]]*(?:\[[^[\]]*\])*$/;

const hasBracket = (value: Json): boolean =>
  typeof value === 'object' &&
  Object.entries(value ?? {}).some(([name, member]) => /[[\]]/.test(name) || hasBracket(member));

function explainBody({ method, requestBody }: Operation, body: Json, texts: Json, site: AgentSite): string {
  if (!isWritingMethod(method)) return body === null ? '' : `${method} takes no "body". Use "query".`;
  const { schema } = flattenSchema(contentSchemaOf(requestBody) ?? {}, site.document);
  if (Array.isArray(body) && typesOf(schema).includes('object'))
    return '"body" must be one object with the fields to write, not a list.';
  return CUT_MARK.test(JSON.stringify(texts))
    ? 'a text of it was cut when it was read, so the rest would be lost. Read on with "from", or use "edit_text".'
    : '';
}

/** Names unknown arguments, which the site ignores: a typing error. @param effect what follows from it */
function describeUnknownArguments(
  { id, operation }: ListedOperation,
  query: JsonObject,
  body: Json,
  document: JsonObject,
  effect: string,
): string {
  const known = listArgumentNames(operation, document);
  const { schema } = flattenSchema(contentSchemaOf(operation.requestBody) ?? {}, document);
  const isOpen = schema['properties'] === undefined || (schema['additionalProperties'] ?? false) !== false;
  const isQueryOpen = hasMark(operation.shared, 'openQuery') || known.length === 0;
  const names = [
    ...(isQueryOpen ? [] : Object.keys(query).map((name) => name.replace(/\[.*/s, ''))),
    ...(isOpen ? [] : jsonMembers(body).map(([name]) => name)),
  ];
  // PHP reads `.` and space as `_`; arguments such as `_embed` are those of all operations.
  const unknown = [...new Set(names)].filter(
    (name) => !name.startsWith('_') && !known.includes(name) && !known.includes(name.replace(/[. ]/g, '_')),
  );
  if (unknown.length === 0) return '';
  const findNearest = createNearestLookup(known);
  const described = unknown.slice(0, 10).map((name) => {
    const nearest =
      findNearest(name) ??
      known.find(
        (each) => Math.min(each.length, name.length) > 2 && (each.startsWith(name) || name.startsWith(each)),
      );
    const advice = nearest === undefined ? '' : ` (did you mean ${JSON.stringify(toLine(nearest, 60))}?)`;
    return JSON.stringify(toLine(name, 60)) + advice;
  });
  return `${id} takes no ${described.join(', ')}. ${effect} describe_operation lists its arguments.`;
}

interface SentArguments {
  readonly path: PathArguments;
  readonly query: JsonObject;
  readonly body: Json;
}

function prepareRequest(
  { operation }: ListedOperation,
  { body, path: pathParameters, query }: SentArguments,
  isFresh: boolean,
  site: AgentSite,
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
  const content = body === null ? null : new TextEncoder().encode(JSON.stringify(body));
  const type = body === null ? [] : ['Content-Type', 'application/json'];
  const headers = isFresh ? [...type, 'Cache-Control', 'no-cache'] : type;
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

type TextEdit = Readonly<Record<'member' | 'new' | 'old', string>>;

function readEdit(edit: Json): TextEdit | null {
  const { member, new: text, old } = isJsonObject(edit) ? edit : {};
  const isComplete = typeof member === 'string' && typeof old === 'string' && typeof text === 'string';
  return isComplete && old !== '' && /^\w{1,80}$/.test(member) ? { member, old, new: text } : null;
}

interface EditedItem {
  readonly body: JsonObject;
  /** What is in the text now and was not before: harmless passages can make a script together. */
  readonly risks: readonly RiskyContent[];
  readonly item: Json;
  readonly fields: readonly string[];
}

/** Replaces one passage of a member as the site has it now, so that the rest of a long text never passes through the agent. */
async function editText(
  listed: ListedOperation,
  path: PathArguments,
  { member, new: text, old }: TextEdit,
  site: AgentSite,
): Promise<EditedItem | ToolResult> {
  const fields = [member, 'modified_gmt'];
  const item = await readItem(listed, path, fields, site);
  const value = memberAt(item, member);
  const current = isJsonObject(value) ? value['raw'] : value;
  if (item === undefined || typeof current !== 'string')
    return refuse(`the text ${JSON.stringify(member)} of the item cannot be read.`);
  const at = current.indexOf(old);
  if (at < 0 || at !== current.lastIndexOf(old)) {
    const problem = at < 0 ? 'does not occur' : 'occurs more than once';
    return refuse(`"old" ${problem} in ${JSON.stringify(member)}. Read it with "raw": true.`);
  }
  const body = { [member]: current.slice(0, at) + text + current.slice(at + old.length) };
  const find = (sent: JsonObject): readonly RiskyContent[] =>
    findRiskyContent(listed.operation, sent, site.hosts);
  const known = new Set(find({ [member]: current }).map(({ piece }) => piece));
  const risks = find(body).filter(({ piece }) => !known.has(piece));
  return { body, risks, item, fields };
}

/** Says what a call would do: method, path, user, and all that it sends. What cannot be shown whole is refused. */
async function describeChange(
  request: AgentRequest,
  listed: ListedOperation,
  called: CallClass,
  { body, edit, path, query }: SentArguments & { readonly edit: TextEdit | null },
  site: AgentSite,
): Promise<ToolResult> {
  const read = await readItem(listed, path, [], site);
  const current = toJsonObject(hideSecrets(read ?? null, { isSecretShown: false }, {}).value);
  const readCurrent = (name: string): Json =>
    cutTexts(memberAt(current, name, 'raw') ?? memberAt(current, name) ?? null, MAX_PRESENT_TEXT);
  const changes = isJsonObject(body)
    ? changeMembers(body, (to, name) => ({ from: readCurrent(name), to }))
    : body;
  const item = withoutNulls(
    Object.fromEntries(['id', 'name', 'slug', 'status', 'title'].map((name) => [name, readCurrent(name)])),
  );
  const sentQuery = Object.keys(query).length > 0 ? query : null;
  const shown = withoutNulls({ item, query: sentQuery, edit_text: edit, changes });
  // Whoever reads it must see what nobody would see on the site.
  const content = JSON.stringify(shown).replace(
    INVISIBLE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  const [target = ''] = request.target.slice(site.mountPath.length).split('?');
  const text = [
    `It would send ${listed.operation.method} ${target} as ${nameUser(site)} (${called.name}: ${called.reason})`,
    read === undefined ? 'What the site has now cannot be read' : '',
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
