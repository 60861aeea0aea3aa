import { readLimitedBody } from '../discovery/client.ts';
import { adviseOn } from '../docs/error-advice.ts';
import { createParameterRow } from '../docs/operation-details.ts';
import { findPathProblems, toSampleUrl } from '../docs/sample-request.ts';
import { isShallow, type Json, type JsonObject, type JsonStructure, memberAt, parseJson } from '../json.ts';
import type { Operation } from '../openapi/operations.ts';
import type { AgentSite, ResolvedCall, ToolResult } from './agent-site.ts';
import type { ListedOperation } from './catalog.ts';
import { fitResponse, selectFields } from './fit-response.ts';
import { htmlToText, toLine } from './site-text.ts';
import { explainRefusedWrite, isWrite } from './write-policy.ts';

/** The arguments of a call, as an agent sends them. */
export interface OperationCall {
  readonly path: JsonObject;
  readonly query: JsonObject;
  readonly body: JsonStructure | undefined;
  /** Paths of the members to return: `title.rendered`. */
  readonly fields: readonly string[];
}

/** Estimated tokens of a response. In languages with long words, such as Finnish, they are a quarter more. */
const MAX_TOKENS = 3_200;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 100;
/** Node's servers accept no more than this in a request's head, so no other client sends a longer path. */
const MAX_PATH_LENGTH = 16 * 1024;

/** Calls an operation, if the settings allow it, and makes its response readable. */
export async function callOperation(
  { id, operation }: ListedOperation,
  call: OperationCall,
  site: AgentSite,
): Promise<ToolResult> {
  const refusal = explainRefusedWrite(operation, id, site.writes);
  if (refusal !== undefined) return refuse(refusal);
  const pathParameters = operation.parameterObjects
    .filter((parameter) => parameter['in'] === 'path')
    .flatMap((parameter) => {
      const row = createParameterRow(parameter, site);
      if (row === undefined) return [];
      const value = memberAt(call.path, row.name) ?? memberAt(call.path, row.siteName) ?? '';
      return [{ name: row.name, value, mayContainSlashes: row.mayContainSlashes }];
    });
  const takes = (name: string): boolean => operation.parameterObjects.some((each) => each['name'] === name);
  const query = Object.entries({
    ...call.query,
    ...(takes('_fields') && call.fields.length > 0 ? { _fields: call.fields.join(',') } : {}),
  });
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
  if (!isWrite(operation) && call.body !== undefined)
    return refuse(`${operation.method} takes no "body". Use "query".`);
  const body = call.body === undefined ? null : new TextEncoder().encode(JSON.stringify(call.body));
  const headers = body === null ? [] : ['Content-Type', 'application/json'];
  const request = { method: operation.method, target: resolved.target, headers, body };
  return describeResponse(
    await site.send(request, site.signal),
    { ...call, hasOffset: takes('offset') },
    site,
  );
}

/**
 * Finds the target for which the site runs an operation. There is none if the arguments lead elsewhere: by `_method` or `rest_route` in
 * the query, by a slash in the path, or because the site registered another route before.
 */
export function resolveCall(operation: Operation, path: string, site: AgentSite): ResolvedCall | undefined {
  return site
    .resolve(operation.method, path)
    .find(
      (resolved) =>
        resolved.method === operation.method &&
        operation.routes.some((route) =>
          route.pattern === undefined
            ? resolved.operation.path === route.path
            : resolved.operation.pattern === route.pattern,
        ),
    );
}

/** A call that reaches no site. */
export function refuse(reason: string): ToolResult {
  return { text: `It was not sent: ${reason}`, isError: true };
}

interface SentCall extends Pick<OperationCall, 'fields' | 'query'> {
  /** Whether the query can say how many items are skipped. */
  readonly hasOffset?: boolean;
}

/** Makes a response readable: its status, paging, what was left out, and its content. */
export async function describeResponse(
  response: Response,
  call: SentCall,
  site: AgentSite,
): Promise<ToolResult> {
  const { headers, status } = response;
  const read = await readLimitedBody(response, MAX_BYTES, site.signal);
  const lines = [`HTTP ${status}`];
  if (read.kind === 'too-large') {
    return { text: `${lines[0]}. The response is larger than 8 MB: ask for less.`, isError: true };
  }
  const type = toLine(headers.get('content-type') ?? '', 60);
  const text = new TextDecoder().decode(read.body.bytes());
  const json = /[/+]json/.test(type) ? parseJson(text) : undefined;
  const isReadable = json !== undefined && isShallow(json, MAX_DEPTH);
  const value: Json = isReadable
    ? json
    : /^text\//.test(type)
      ? (/html/.test(type) && htmlToText(text)) || text
      : `${type}, ${read.body.length} bytes`;
  if (status >= 400) {
    const fitted = fitResponse(value, [], MAX_TOKENS / 4);
    const explained = explainError(response, value, site);
    return { text: [...lines, ...explained].join('. '), content: redact(fitted.text, site), isError: true };
  }
  const selected = status < 300 ? selectFields(value, call.fields) : value;
  const fitted = fitResponse(selected, call.fields, MAX_TOKENS);
  lines.push(
    ...describePaging(call.query, headers),
    ...describeOmitted(selected, fitted.shown, call),
    ...fitted.notes,
  );
  return { text: lines.join('. '), content: redact(fitted.text, site) };
}

function readNumber(text: Json | null | undefined): number | undefined {
  return /^\d{1,9}$/.test(String(text)) ? Number(text) : undefined;
}

function describePaging(query: JsonObject, headers: Headers): readonly string[] {
  const total = readNumber(headers.get('x-wp-total'));
  const totalPages = readNumber(headers.get('x-wp-totalpages'));
  if (total === undefined || totalPages === undefined) return [];
  const page = readNumber(query['page']) ?? 1;
  const next = page < totalPages ? [`nextPage: ${page + 1}`] : [];
  return [[`total: ${total}`, `totalPages: ${totalPages}`, ...next].join(', ')];
}

function describeOmitted(value: Json, shown: number | undefined, call: SentCall): readonly string[] {
  if (!Array.isArray(value) || shown === undefined || shown >= value.length) return [];
  const { hasOffset = false, query } = call;
  const before = (readNumber(query['page']) ?? 1) - 1;
  const size = readNumber(query['per_page']) ?? value.length;
  const offset = (readNumber(query['offset']) ?? before * size) + shown;
  const next = hasOffset ? `"offset": ${offset}` : `"per_page": ${Math.max(1, shown)}`;
  const left = `${value.length - shown} of the ${value.length} items of this page are left out`;
  return [`${left}: continue with ${next} in the query, or name fewer "fields"`];
}

const PASSWORD_HINT =
  'Credentials are an application password: in wp-admin, Users > Profile > Application Passwords. An MCP client sends it as "Authorization: Basic base64(user:password)"; waygate mcp reads it from WAYGATE_AUTH';

function explainError({ headers, status }: Response, value: Json, site: AgentSite): readonly string[] {
  const code = memberAt(value, 'code');
  const [known] = typeof code === 'string' ? adviseOn([code.slice(0, 100)]) : [];
  const lines = known === undefined || known.advice === '' ? [] : [known.advice.replace(/\.$/, '')];
  if (status === 401 || (status === 403 && site.authorization === '')) lines.push(PASSWORD_HINT);
  const seconds = readNumber(headers.get('retry-after'));
  if (seconds !== undefined) lines.push(`Try again after ${seconds} s`);
  return lines;
}

/** A site can repeat what it was sent. */
function redact(text: string, { authorization }: AgentSite): string {
  const [, scheme = '', token = ''] = /^(\S+)\s+(.+)$/.exec(authorization) ?? [];
  // `atob` throws for a character that gives no whole byte.
  const characters = token.replace(/[^A-Za-z0-9+/]/g, '').replace(/^((?:.{4})*).$/, '$1');
  const bytes = Uint8Array.from(atob(characters), (byte) => byte.charCodeAt(0));
  const decoded = /^basic$/i.test(scheme) ? new TextDecoder().decode(bytes) : '';
  const password = decoded.replace(/^[^:]*:/, '');
  return [token, password, password.replaceAll(' ', '')]
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret.length >= 8)
    .reduce((redacted, secret) => redacted.replaceAll(secret, '[credentials]'), text);
}
