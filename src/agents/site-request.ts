import { changeMembers, isJsonObject, type JsonObject, toText } from '../base/json.ts';
import type { AgentRequest, ResolvedCall } from '../gateway/surfaces.ts';
import { typesOf } from '../generator/model/schema/keywords.ts';
import { contentSchemaOf } from '../generator/openapi/document-objects.ts';
import type { Operation } from '../generator/openapi/operations.ts';
import { findPathProblems, toSampleUrl } from '../generator/reference/sample-request.ts';
import {
  type AgentSite,
  explainRefusal,
  type ListedOperation,
  refuse,
  type ToolResult,
} from './agent-site.ts';
import { type Call, encodeForm, isUploading, type PathArguments } from './call.ts';
import { listItemFields, propertiesOf } from './present-item.ts';
import { readJson } from './read-response.ts';
import { toLine } from './site-text.ts';

/** Limit of a request's head in Node's servers, so no other client sends a longer path. */
const MAX_PATH_LENGTH = 16 * 1024;

export function prepareRequest(
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
      ? encodeForm(file, body, takesSlug(operation, site))
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

function takesSlug({ requestBody }: Operation, { document }: AgentSite): boolean {
  return propertiesOf(contentSchemaOf(requestBody, 'multipart/form-data'), document)['slug'] !== undefined;
}

export function takes({ parameterObjects }: Operation, name: string): boolean {
  return parameterObjects.some((parameter) => parameter['name'] === name);
}

/**
 * Reads an item with all members, also ones hidden from the agent, to compare writes with it. `undefined` if it can't be
 * read, and `null` if the site has none.
 * @param names of members to read that the document does not know
 */
export async function readItem(
  listed: ListedOperation,
  { path, site }: Pick<Call, 'path' | 'site'>,
  names: readonly string[] = [],
): Promise<JsonObject | null | undefined> {
  // A GET of another level can do more than read.
  if (listed.level !== 'read' && explainRefusal(listed, listed.level, site) !== undefined) return undefined;
  const fields = listItemFields(listed, site);
  const query = {
    ...(takes(listed.operation, 'context') && { context: 'edit' }),
    ...(fields.length > 0 && { _fields: [...fields, ...names].join() }),
  };
  const request = prepareRequest({ listed, path, query, body: null, site }, true);
  const response = 'text' in request ? undefined : await send(request, site);
  if (response?.status === 404) return null;
  const value = response && (await readJson(response, site));
  return value === undefined || isJsonObject(value) ? value : { items: value };
}

export function send(request: AgentRequest, site: AgentSite): Promise<Response> {
  return site.send({ ...request, headers: [...request.headers, 'User-Agent', site.userAgent] }, site.signal);
}
