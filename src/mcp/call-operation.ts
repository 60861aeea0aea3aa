import { readLimitedBody } from '../discovery/client.ts';
import { adviseOn } from '../docs/error-advice.ts';
import { findPathProblems, isWritingMethod, toDisposition, toSampleUrl } from '../docs/sample-request.ts';
import { getParameterName, hasMark } from '../document-extensions.ts';
import { decodeBasicPair } from '../http/basic-credentials.ts';
import {
  isJsonObject,
  isShallow,
  type Json,
  type JsonObject,
  jsonMembers,
  jsonTexts,
  memberAt,
  parseJson,
} from '../json.ts';
import type { Operation } from '../openapi/operations.ts';
import { type AgentSite, explainRefusedWrite, type ResolvedCall, type ToolResult } from './agent-site.ts';
import type { ListedOperation } from './catalog.ts';
import { fitResponse, selectFields } from './fit-response.ts';
import { htmlToText, toLine } from './site-text.ts';

/** Estimated tokens of a response. In languages with long words, such as Finnish, they are a quarter more. */
const MAX_TOKENS = 3_200;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 100;
/** Node's servers accept no more than this in a request's head, so no other client sends a longer path. */
const MAX_PATH_LENGTH = 16 * 1024;
/** Each of them is compared with each member of a response. */
const MAX_FIELDS = 100;

/** Calls an operation with the arguments that an agent sends, if the settings allow it, and makes its response readable. */
export async function callOperation(
  listed: ListedOperation,
  args: JsonObject,
  site: AgentSite,
): Promise<ToolResult> {
  const { operation } = listed;
  site.onTool(`call_operation ${listed.id}`);
  const { body = null, fields: declared = [], path: given = {}, query: asked = {} } = args;
  const fields = jsonTexts(declared);
  if (!isJsonObject(given) || !isJsonObject(asked)) return refuse('"path" and "query" must be objects.');
  if (!Array.isArray(declared) || fields.length < declared.length || fields.length > MAX_FIELDS)
    return refuse(`"fields" must be a list of at most ${MAX_FIELDS} texts.`);
  if (typeof body !== 'object') return refuse('"body" must be an object or a list.');
  const refusal = explainRefusedWrite(listed, site);
  if (refusal !== undefined) return refuse(refusal);
  const pathParameters = operation.parameterObjects
    .filter((parameter) => parameter['in'] === 'path')
    .map((parameter) => {
      const name = String(parameter['name']);
      const value = memberAt(given, name) ?? memberAt(given, String(getParameterName(parameter)));
      return { name, value: value ?? '', mayContainSlashes: hasMark(parameter, 'slashes') };
    });
  const isSelecting = takes(operation, '_fields') && fields.length > 0;
  const query = Object.entries({ ...asked, ...(isSelecting && { _fields: fields.join(',') }) });
  let path: string;
  try {
    path = toSampleUrl({ path: operation.path, baseUrl: '', pathParameters, query });
  } catch {
    // `encodeURIComponent` throws for half of a surrogate pair.
    return refuse('an argument contains half of a character.');
  }
  const problems = [...findPathProblems({ path: operation.path, pathParameters }).values()];
  if (problems.length > 0) return refuse(`in "path", ${problems.join(' ')}`);
  if (path.length > MAX_PATH_LENGTH)
    return refuse(`"path" and "query" make a URL of more than ${MAX_PATH_LENGTH} characters.`);
  const resolved = resolveCall(operation, path, site);
  if (resolved === undefined) return refuse('with these arguments the site would run another operation.');
  const { method } = operation;
  if (!isWritingMethod(method) && body !== null) return refuse(`${method} takes no "body". Use "query".`);
  const content = body && new TextEncoder().encode(JSON.stringify(body));
  const headers = body === null ? [] : ['Content-Type', 'application/json'];
  const request = { method, target: resolved.target, headers, body: content };
  return describeResponse(await site.send(request, site.signal), operation, asked, fields, site);
}

/** Uploads a file that the user has named to the media library. */
export async function uploadFile(path: Json | undefined, site: AgentSite): Promise<ToolResult> {
  const library = site.catalog.operations.find(
    ({ operation }) => operation.method === 'POST' && /^\/\w+\/v2\/media$/.test(operation.path),
  );
  if (library === undefined) return refuse('the site has no media library.');
  const refusal = explainRefusedWrite(library, site);
  if (refusal !== undefined) return refuse(refusal);
  const resolved = resolveCall(library.operation, library.operation.path, site);
  const file = typeof path === 'string' ? await site.readFile?.(path) : undefined;
  if (file === undefined || resolved === undefined)
    return refuse('the file does not exist, is not in a folder of --files, or is larger than 64 MB.');
  site.onTool(`upload_file ${library.id}`);
  // WordPress knows the type by the name.
  const headers = ['Content-Type', 'application/octet-stream', 'Content-Disposition', toDisposition(file)];
  const request = { method: 'POST', target: resolved.target, headers, body: file.bytes };
  const fields = ['id', 'source_url', 'media_type', 'title', 'alt_text'];
  return describeResponse(await site.send(request, site.signal), library.operation, {}, fields, site);
}

/**
 * Finds the target for which the site runs an operation. There is none if the arguments lead elsewhere: by `_method` or `rest_route` in
 * the query, by a slash in the path, or because the site registered another route before.
 */
export function resolveCall(operation: Operation, path: string, site: AgentSite): ResolvedCall | undefined {
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

/** A call that reaches no site. */
export function refuse(reason: string): ToolResult {
  return { text: `It was not sent: ${reason}`, isError: true };
}

/** Makes a response readable: its status, paging, what was left out, and its content. */
async function describeResponse(
  response: Response,
  operation: Operation,
  query: JsonObject,
  fields: readonly string[],
  site: AgentSite,
): Promise<ToolResult> {
  const { headers, status } = response;
  const read = await readLimitedBody(response, MAX_BYTES, site.signal).catch(() => undefined);
  if (read === undefined)
    return { text: `HTTP ${status}. The response ended before its body was complete.`, isError: true };
  if (read.kind === 'too-large')
    return { text: `HTTP ${status}. The response is larger than 8 MB: ask for less.`, isError: true };
  const type = toLine(headers.get('content-type') ?? '', 60);
  const text = new TextDecoder().decode(read.body.bytes());
  const exact = /[/+]json/.test(type) ? quoteHugeIntegers(text) : text;
  const json = /[/+]json/.test(type) ? parseJson(exact) : undefined;
  const value: Json =
    json !== undefined && isShallow(json, MAX_DEPTH)
      ? json
      : /^text\//.test(type)
        ? (/html/.test(type) && htmlToText(text)) || text
        : `${type}, ${read.body.length} bytes`;
  const isError = status >= 400;
  const selected = status < 300 ? selectFields(value, fields) : value;
  const fitted = fitResponse(selected, isError ? [] : fields, isError ? MAX_TOKENS / 4 : MAX_TOKENS);
  const notes = isError
    ? explainError(response, value, site)
    : [
        describePaging(query, headers),
        describeRest(selected, fitted.shown, query, takes(operation, 'offset')),
        describeMissing(value, fields),
        ...fitted.notes,
      ];
  const lines = [
    `HTTP ${status}`,
    exact === text ? '' : 'Integers beyond 2^53 are written as texts',
    ...notes,
  ];
  return {
    text: lines.filter((line) => line !== '').join('. '),
    content: redact(fitted.text, site),
    isError,
  };
}

function readNumber(text: Json | null | undefined): number | undefined {
  return /^\d{1,9}$/.test(String(text)) ? Number(text) : undefined;
}

function describePaging(query: JsonObject, headers: Headers): string {
  const total = readNumber(headers.get('x-wp-total'));
  const totalPages = readNumber(headers.get('x-wp-totalpages'));
  if (total === undefined || totalPages === undefined) return '';
  const page = readNumber(query['page']) ?? 1;
  return `total: ${total}, totalPages: ${totalPages}${page < totalPages ? `, nextPage: ${page + 1}` : ''}`;
}

function describeRest(
  value: Json,
  shown: number | undefined,
  query: JsonObject,
  takesOffset: boolean,
): string {
  if (!Array.isArray(value) || shown === undefined || shown >= value.length) return '';
  const before = (readNumber(query['page']) ?? 1) - 1;
  const size = readNumber(query['per_page']) ?? value.length;
  const offset = (readNumber(query['offset']) ?? before * size) + shown;
  const next = takesOffset ? `"offset": ${offset}` : `"per_page": ${Math.max(1, shown)}`;
  const left = `${value.length - shown} of the ${value.length} items of this page are left out`;
  return `${left}: continue with ${next} in the query, or name fewer "fields"`;
}

/** Names the fields that nothing of a response has. */
function describeMissing(value: Json, fields: readonly string[]): string {
  const missing = fields.filter((field) => !hasMember(value, field)).slice(0, 10);
  const names = missing.map((field) => JSON.stringify(toLine(field, 60)));
  return names.length === 0 ? '' : `The response has no ${names.join(', ')}`;
}

/** Whether a value, or an item of a list, has the member of a path. An empty list can have any. */
function hasMember(value: Json, path: string): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some((item: Json) => hasMember(item, path));
  return jsonMembers(value).some(
    ([name, member]) =>
      path === name || (path.startsWith(`${name}.`) && hasMember(member, path.slice(name.length + 1))),
  );
}

/** Makes texts of the integers that a number of JavaScript would round. */
function quoteHugeIntegers(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  let isText = false;
  return json.replace(/\\.|"|-?\d[\d.eE+-]*/g, (token) => {
    if (token === '"') isText = !isText;
    const isHuge = !isText && /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));
    return isHuge ? `"${token}"` : token;
  });
}

const PASSWORD_HINT =
  'Credentials are an application password: in wp-admin, Users > Profile > Application Passwords. An MCP client sends it as "Authorization: Basic base64(user:password)"; waygate mcp reads it from WAYGATE_AUTH';

function explainError({ headers, status }: Response, value: Json, site: AgentSite): readonly string[] {
  const code = memberAt(value, 'code');
  const [known] = typeof code === 'string' ? adviseOn([code.slice(0, 100)]) : [];
  const seconds = readNumber(headers.get('retry-after'));
  return [
    known?.advice.replace(/\.$/, '') ?? '',
    status === 401 || (status === 403 && site.authorization === '') ? PASSWORD_HINT : '',
    seconds === undefined ? '' : `Try again after ${seconds} s`,
  ];
}

/** A site can repeat what it was sent. */
function redact(text: string, { authorization }: AgentSite): string {
  const [, scheme = '', token = ''] = /^(\S+)\s+(.+)$/.exec(authorization) ?? [];
  const pair = /^basic$/i.test(scheme) ? decodeBasicPair(token) : '';
  const bytes = Uint8Array.from(pair.slice(pair.indexOf(':') + 1), (byte) => byte.charCodeAt(0));
  const password = new TextDecoder().decode(bytes);
  return [token, password, password.replaceAll(' ', '')]
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret.length >= 8)
    .reduce((redacted, secret) => redacted.replaceAll(secret, '[credentials]'), text);
}
