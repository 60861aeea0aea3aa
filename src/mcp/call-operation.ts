import { findPathProblems, isWritingMethod, toDisposition, toSampleUrl } from '../docs/sample-request.ts';
import { getParameterName, getParameterSchema, hasMark } from '../document-extensions.ts';
import { decodeBasicPair } from '../http/basic-credentials.ts';
import {
  isJsonObject,
  isSameData,
  type Json,
  type JsonObject,
  jsonItems,
  memberAt,
  toJsonObject,
  toText,
} from '../json.ts';
import { type CallClass, findRiskyContent } from '../openapi/operation-classes.ts';
import type { Operation } from '../openapi/operations.ts';
import { typesOf } from '../openapi/schema-view.ts';
import { toLine } from '../ui/site-text.ts';
import {
  type AgentRequest,
  type AgentSite,
  explainRefusal,
  type ResolvedCall,
  type ToolResult,
} from './agent-site.ts';
import { describeUnknownArguments } from './argument-names.ts';
import type { ListedOperation } from './catalog.ts';
import { CUT_MARK, fitResponse } from './fit-response.ts';
import { describeResponse, hideSecrets, readJson } from './read-response.ts';

/** Node's servers accept no more than this in a request's head, so no other client sends a longer path. */
const MAX_PATH_LENGTH = 16 * 1024;
/** Each of them is compared with each member of a response. */
const MAX_FIELDS = 100;
const MAX_PREVIEW_TOKENS = 1_200;

/** The tools that call operations, by what they do. */
export const CALL_TOOLS = {
  read: 'read_operation',
  write: 'write_operation',
  delete: 'delete_operation',
} as const;
export type CallTool = (typeof CALL_TOOLS)[keyof typeof CALL_TOOLS];

/** A request that was checked against the document, and is checked against the settings when it is sent. */
interface Call {
  readonly listed: ListedOperation;
  /** All must be allowed; the first one says which tool sends it. */
  readonly called: readonly [CallClass, ...CallClass[]];
  readonly request: AgentRequest;
}

/** A call that reaches no site. */
export function refuse(reason: string): ToolResult {
  return { text: `It was not sent: ${reason}`, isError: true };
}

/** Sends a call to the site. Nothing else does, so this is where the settings decide. */
async function sendCall({ called, listed, request }: Call, site: AgentSite): Promise<Response | ToolResult> {
  const refusal = explainFirstRefusal(listed, called, site);
  if (refusal !== undefined) return refuse(refusal);
  return site.send({ ...request, headers: [...request.headers, 'User-Agent', site.userAgent] }, site.signal);
}

function explainFirstRefusal(
  listed: ListedOperation,
  called: Call['called'],
  site: AgentSite,
): string | undefined {
  return called.map((each) => explainRefusal(listed, each, site)).find((reason) => reason !== undefined);
}

/** Reads what the site has at a path, for the server itself. @returns the result of the refusal, or `undefined` if there is no JSON */
async function readItem(
  { operation }: ListedOperation,
  path: JsonObject,
  fields: readonly string[],
  site: AgentSite,
): Promise<Json | undefined> {
  const listed = site.catalog.byRoute.get(`GET ${operation.path}`);
  if (listed === undefined) return undefined;
  const context = takes(listed.operation, 'context') ? { context: 'edit' } : {};
  const query = { ...context, ...(fields.length > 0 && { _fields: fields.join() }) };
  const call = prepareCall(listed, { path, query, body: null }, true, site);
  if ('text' in call) return undefined;
  const response = await sendCall(call, site);
  return response instanceof Response ? readJson(response, site) : undefined;
}

/** Calls an operation with the arguments that an agent sends, if the settings allow it, and makes its response readable. */
export async function callOperation(
  listed: ListedOperation,
  args: JsonObject,
  site: AgentSite,
  tool: CallTool,
): Promise<ToolResult> {
  const { operation } = listed;
  site.note({ operation: listed.id, class: listed.classify().name });
  const { edit_text = null, from = 0 } = args;
  const fields = jsonItems(args['fields']).flatMap((name) => toText(name).trim() || []);
  if (fields.length > MAX_FIELDS || Number(from) < 0)
    return refuse(`"fields" must be at most ${MAX_FIELDS}, and "from" must not be negative.`);
  const isWriting = isWritingMethod(operation.method);
  const path = toJsonObject(args['path']);
  const query = withoutNulls(toJsonObject(args['query']));
  const body = isJsonObject(args['body']) ? withoutNulls(args['body']) : (args['body'] ?? null);
  const edit = edit_text === null ? undefined : readEdit(edit_text);
  if (edit === null || (edit !== undefined && (!isWriting || body !== null)))
    return refuse('"edit_text" must have the texts member, old and new, and stands in place of "body".');
  const classes = classifyCall(
    listed,
    edit === undefined ? [query, body] : [query, { [edit.member]: edit.new }],
    site,
  );
  const [called] = classes;
  site.note({ class: called.name, path });
  // What the settings refuse needs no other advice.
  const refusal = explainFirstRefusal(listed, classes, site);
  if (refusal !== undefined) return refuse(refusal);
  const needed = !isWriting
    ? CALL_TOOLS.read
    : called.name === 'deletion'
      ? CALL_TOOLS.delete
      : CALL_TOOLS.write;
  if (tool !== needed) return refuse(`call it with ${needed}: ${called.reason}`);
  if (isWriting && site.showSecret === undefined && /\/application-passwords(?:\/|$)/.test(operation.path))
    return refuse('its response is a secret, which only waygate mcp can show to the person.');
  const effect = isWriting ? 'It would be ignored.' : 'The site ignores it.';
  const unknown = describeUnknownArguments(listed, query, body, site.document, effect);
  if (isWriting && unknown !== '') return refuse(unknown);
  const edited = edit && (await editText(listed, path, edit, site));
  if (edited !== undefined && 'text' in edited) return edited;
  const content = edited?.body ?? body;
  // The site is asked for first members: some controllers ignore nested names.
  const first = [...new Set(fields.map((field) => field.split('.')[0] ?? ''))];
  const isSelecting = takes(operation, '_fields') && fields.length > 0;
  const sent = { path, query: { ...query, ...(isSelecting && { _fields: first.join() }) }, body: content };
  // Harmless passages can make a script of a text that had none.
  const hadNone =
    edited !== undefined && findRiskyContent({ content: edited.before }, site.hosts).length === 0;
  const sentClasses = hadNone ? classifyCall(listed, [query, content], site) : classes;
  const call = prepareCall(listed, sent, args['fresh'] === true, site, sentClasses);
  if ('text' in call) return call;
  if (args['preview'] === true) return describeChange(call, path, content, site);
  if (site.consent !== undefined && (called.name === 'administration' || called.name === 'deletion')) {
    if (site.consent === 'declined') return refuse('the person declined it.');
    const { content: change = '', text } = await describeChange(call, path, content, site);
    if (site.consent === 'unasked') return { text, question: `${text}\n${change}` };
  }
  if (edited !== undefined && !isSameData(edited.item, await readItem(listed, path, edited.fields, site)))
    return refuse('the item has changed in the meantime. Read it again.');
  const response = await sendCall(call, site);
  if (!(response instanceof Response)) return response;
  const reading = {
    fields,
    from: Number(from),
    isRaw: args['raw'] === true,
    query,
    isSecretShown: listed.classify().name === 'administration',
  };
  const result = await describeResponse(response, operation, reading, site);
  return unknown === '' ? result : { ...result, text: `${result.text}. ${unknown}` };
}

/** The classes of a call: that of its operation, after others of what it sends. */
function classifyCall(listed: ListedOperation, sent: Json, { hosts }: AgentSite): Call['called'] {
  const own = listed.classify();
  if (!isWritingMethod(listed.operation.method) || own.name === 'deletion') return [own];
  const found = findRiskyContent(sent, hosts);
  const classes = (['deletion', 'administration'] as const).flatMap((name): CallClass[] => {
    const first = found.find((each) => each.name === name && name !== own.name);
    return first === undefined
      ? []
      : [{ ...first, reason: `${JSON.stringify(toLine(first.member, 60))} in it: ${first.reason}` }];
  });
  const [main = own, ...others] = [...classes, own];
  return [main, ...others];
}

function withoutNulls(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** A query has no empty object: WordPress reads an empty text as one. */
function toQueryEntries(query: JsonObject): [string, Json][] {
  return Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? '' : value,
  ]);
}

interface SentArguments {
  readonly path: JsonObject;
  readonly query: JsonObject;
  readonly body: Json;
}

/** Writes the request of a call. @param called its class; absent: that of its operation */
function prepareCall(
  listed: ListedOperation,
  { body, path: given, query }: SentArguments,
  isFresh: boolean,
  site: AgentSite,
  called: Call['called'] = [listed.classify()],
): Call | ToolResult {
  const { operation } = listed;
  const { method } = operation;
  if (!isWritingMethod(method) && body !== null) return refuse(`${method} takes no "body". Use "query".`);
  if (body !== null && JSON.stringify(body).match(CUT_MARK))
    return refuse(
      'a text of the body was cut when it was read, so the rest would be lost. Read on with "from", or use "edit_text".',
    );
  const declared = operation.parameterObjects.filter((parameter) => parameter['in'] === 'path');
  const pathParameters = declared.map((parameter) => {
    const name = String(parameter['name']);
    const value = memberAt(given, name) ?? memberAt(given, String(getParameterName(parameter)));
    return { name, value: value ?? '', mayContainSlashes: hasMark(parameter, 'slashes') };
  });
  let path: string;
  try {
    path = toSampleUrl({ path: operation.path, baseUrl: '', pathParameters, query: toQueryEntries(query) });
  } catch {
    // `encodeURIComponent` throws for half of a surrogate pair.
    return refuse('an argument contains half of a character.');
  }
  const problems = [...findPathProblems({ path: operation.path, pathParameters }).values()];
  if (problems.length > 0) return refuse(`in "path", ${problems.join(' ')}`);
  if (path.length > MAX_PATH_LENGTH)
    return refuse(`"path" and "query" make a URL of more than ${MAX_PATH_LENGTH} characters.`);
  const resolved = resolveCall(operation, path, site);
  if (resolved === undefined) return refuse(explainUnresolved(declared, pathParameters));
  const content = body === null ? null : new TextEncoder().encode(JSON.stringify(body));
  const type = body === null ? [] : ['Content-Type', 'application/json'];
  const headers = isFresh ? [...type, 'Cache-Control', 'no-cache'] : type;
  return { listed, called, request: { method, target: resolved.target, headers, body: content } };
}

/** Names the path values that cannot be right, and their form. */
function explainUnresolved(
  declared: readonly JsonObject[],
  values: readonly { readonly name: string; readonly value: Json }[],
): string {
  const wrong = declared.flatMap((parameter, at) => {
    const schema = getParameterSchema(parameter);
    const value = values[at]?.value ?? '';
    const isWhole = typesOf(schema).includes('integer');
    if (isWhole && /^\d+$/.test(String(value))) return [];
    const pattern = typeof schema['pattern'] === 'string' ? `match ${toLine(schema['pattern'], 60)}` : '';
    const form = isWhole ? 'be a whole number' : pattern;
    const name = toLine(String(parameter['name']), 60);
    return form === ''
      ? []
      : [`in "path", ${name} must ${form}, not ${JSON.stringify(toLine(String(value), 60))}.`];
  });
  return wrong.length > 0 ? wrong.join(' ') : 'with these arguments the site would run another operation.';
}

interface TextEdit {
  readonly member: string;
  readonly old: string;
  readonly new: string;
}

function readEdit(edit: Json): TextEdit | null {
  const { member, new: text, old } = isJsonObject(edit) ? edit : {};
  const isComplete = typeof member === 'string' && typeof old === 'string' && typeof text === 'string';
  return isComplete && old !== '' && /^\w{1,80}$/.test(member) ? { member, old, new: text } : null;
}

interface EditedItem {
  readonly body: JsonObject;
  /** The whole text of the member. */
  readonly before: string;
  readonly item: Json;
  readonly fields: readonly string[];
}

/** Replaces one passage of a member as the site has it now, so that the rest of a long text never passes through the agent. */
async function editText(
  listed: ListedOperation,
  path: JsonObject,
  { member, new: text, old }: TextEdit,
  site: AgentSite,
): Promise<EditedItem | ToolResult> {
  const fields = [member, 'modified_gmt'];
  const item = await readItem(listed, path, fields, site);
  const value = memberAt(item, member);
  const current = isJsonObject(value) ? value['raw'] : value;
  if (item === undefined || typeof current !== 'string')
    return refuse(`the text ${JSON.stringify(member)} of the item cannot be read.`);
  const parts = current.split(old);
  if (parts.length !== 2)
    return refuse(
      `"old" occurs ${parts.length - 1} times in ${JSON.stringify(member)}, and must occur once. Read it with "raw": true.`,
    );
  return { body: { [member]: parts.join(text) }, before: current, item, fields };
}

/** Says what a call would do: method, path, user, and the members that change. */
async function describeChange(
  { called: [called], listed, request }: Call,
  path: JsonObject,
  body: Json,
  site: AgentSite,
): Promise<ToolResult> {
  const { operation } = listed;
  const read = await readItem(listed, path, [], site);
  const current = read === undefined ? read : hideSecrets(read, { isSecretShown: false }, {}).value;
  const changes = isJsonObject(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, to]) => {
          const value = memberAt(current, name);
          return [name, { from: memberAt(value, 'raw') ?? value ?? null, to }];
        }),
      )
    : body;
  const {
    id = null,
    name = null,
    slug = null,
    status = null,
    title = null,
  } = isJsonObject(current) ? current : {};
  const item = withoutNulls({ id, name, slug, status, title: memberAt(title, 'raw') ?? title });
  const { text: shown } = fitResponse({ item, changes }, [], MAX_PREVIEW_TOKENS);
  const target = toLine(request.target.slice(site.mountPath.length), 300);
  const text = `It would send ${operation.method} ${target} as ${nameUser(site)} (${called.name}: ${called.reason})`;
  return { text, content: shown };
}

/** The user of the credentials. */
export function nameUser({ authorization }: Pick<AgentSite, 'authorization'>): string {
  const [, scheme = '', token = ''] = /^(\S+)\s+(.+)$/.exec(authorization) ?? [];
  if (scheme === '') return 'a visitor';
  const [user = ''] = /^basic$/i.test(scheme) ? decodeBasicPair(token).split(':') : [];
  return toLine(user, 60) || `the user of a ${toLine(scheme, 20)} token`;
}

/** Uploads a file that the user has named to the media library. */
export async function uploadFile(path: Json | undefined, site: AgentSite): Promise<ToolResult> {
  const library = site.catalog.operations.find(
    ({ operation }) => operation.method === 'POST' && /^\/\w+\/v2\/media$/.test(operation.path),
  );
  if (library === undefined) return refuse('the site has no media library.');
  const { operation } = library;
  const resolved = resolveCall(operation, operation.path, site);
  const file = typeof path === 'string' ? await site.readFile?.(path) : undefined;
  if (file === undefined || resolved === undefined)
    return refuse('the file does not exist, is not in a folder of --files, or is larger than 64 MB.');
  site.note({ operation: library.id, class: library.classify().name });
  // WordPress knows the type by the name.
  const headers = ['Content-Type', 'application/octet-stream', 'Content-Disposition', toDisposition(file)];
  const request = { method: 'POST', target: resolved.target, headers, body: file.bytes };
  const response = await sendCall({ listed: library, called: [library.classify()], request }, site);
  if (!(response instanceof Response)) return response;
  const fields = ['id', 'source_url', 'media_type', 'title', 'alt_text'];
  return describeResponse(
    response,
    operation,
    { fields, from: 0, isRaw: false, query: {}, isSecretShown: false },
    site,
  );
}

/**
 * Finds the target for which the site runs an operation. There is none if the arguments lead elsewhere: by `_method` or `rest_route` in
 * the query, by a slash in the path, or because the site registered another route before.
 */
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
