import { isJsonObject, type Json, type JsonObject, parseJsonBytes } from '../../json.ts';
import type { NamespaceDeclaration } from '../../rest-server/declarations.ts';
import type { SiteCall } from '../site/definition.ts';
import type { BoardState } from './state.ts';
import tables from './tables.json' with { type: 'json' };

/**
 * The endpoint of the Model Context Protocol: JSON-RPC over HTTP without sessions and streams, which the protocol leaves to the
 * server ("Streamable HTTP"). Its tools are operations of the site, run for the user of the request.
 */

export const MCP_PATH = '/mcp/boards';

/** The versions of the protocol that the endpoint knows, the latest first. They differ in nothing that it does. */
const VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Whether the endpoint is available: its module is on, and the adapter is installed. */
export function isMcpReady({ settings }: BoardState): boolean {
  return settings.features.mcp && settings.installedPlugins['mcp-adapter'];
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** With its parameters in braces: `/boards/v2/projects/{board_id}/tasks`. */
  readonly path: string;
  readonly inputSchema: JsonObject;
}

type Serve = (call: SiteCall<BoardState>) => Promise<Response> | null;

/** Creates the endpoint for the operations of the site. @throws {TypeError} when a tool names no operation */
export function createMcpEndpoint(declarations: readonly NamespaceDeclaration<BoardState>[]): Serve {
  const routes = declarations.flatMap(({ namespace, routes: own }) =>
    own.map((route) => ({
      ...route,
      path: `/${namespace}${route.route.replace(/\(\?P<(\w+)>[^)]*\)/g, '{$1}')}`,
    })),
  );
  const tools = tables.mcpTools.map(({ name, description, operation }): Tool => {
    const [method, path = ''] = operation.split(' ');
    const endpoint = routes
      .filter((route) => route.path === path)
      .flatMap(({ endpoints }) => endpoints)
      .find(({ methods }) => methods.some((each) => each === method));
    if (endpoint === undefined) throw new TypeError(`the tool ${name} has no operation ${operation}`);
    return {
      name,
      description,
      method: method === 'GET' || method === 'PUT' ? method : 'POST',
      path,
      inputSchema: toInputSchema(endpoint.args ?? {}),
    };
  });
  return (call) => (call.path === MCP_PATH ? serveMessage(tools, call) : null);
}

/** Converts arguments to a schema of JSON Schema 2020-12, where `required` is a list. */
function toInputSchema(args: Readonly<Record<string, JsonObject>>): JsonObject {
  const properties = Object.entries(args).map(([name, { required: _, ...schema }]): [string, Json] => [
    name,
    schema,
  ]);
  const required = Object.keys(args).filter((name) => args[name]?.['required'] === true);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

async function serveMessage(tools: readonly Tool[], call: SiteCall<BoardState>): Promise<Response> {
  const { state, user, method, headers, base } = call;
  if (!isMcpReady(state)) return new Response(null, { status: 404 });
  // A page of another site must not use the endpoint through a browser of this network (DNS rebinding).
  const origin = headers.get('origin');
  if (origin !== null && origin !== new URL(base).origin) return new Response(null, { status: 403 });
  if (user === null) {
    return new Response(null, {
      status: 401,
      headers: { 'WWW-Authenticate': 'Basic realm="Example Boards"' },
    });
  }
  if (method !== 'POST') return new Response(null, { status: 405, headers: { Allow: 'POST' } });
  const version = headers.get('mcp-protocol-version');
  if (version !== null && !VERSIONS.some((known) => known === version))
    return new Response(null, { status: 400 });
  const message = parseJsonBytes(call.bytes);
  if (message === undefined) return answer(null, { error: { code: -32700, message: 'Parse error' } }, 400);
  if (!isJsonObject(message) || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string') {
    return answer(null, { error: { code: -32600, message: 'Invalid request' } }, 400);
  }
  // A notification has no id and gets no answer.
  const { id = null } = message;
  if (id === null) return new Response(null, { status: 202 });
  const params = isJsonObject(message['params']) ? message['params'] : {};
  return answer(id, await runMethod(tools, message['method'], params, call));
}

function answer(id: Json, content: JsonObject, status = 200): Response {
  return Response.json(
    { jsonrpc: '2.0', id, ...content },
    { status, headers: { 'Cache-Control': 'no-store' } },
  );
}

/** Runs a method of the protocol; returns its `result` or its `error`. */
async function runMethod(
  tools: readonly Tool[],
  method: string,
  params: JsonObject,
  call: SiteCall<BoardState>,
): Promise<JsonObject> {
  switch (method) {
    case 'initialize': {
      const requested = VERSIONS.find((version) => version === params['protocolVersion']);
      return {
        result: {
          protocolVersion: requested ?? VERSIONS[0],
          capabilities: { tools: {} },
          serverInfo: { name: 'example-boards', version: '1.0.0' },
        },
      };
    }
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return {
        result: {
          tools: tools.map(({ name, description, inputSchema, method: of }) => ({
            name,
            description,
            inputSchema,
            annotations: { readOnlyHint: of === 'GET' },
          })),
        },
      };
    case 'tools/call': {
      const tool = tools.find(({ name }) => name === params['name']);
      if (tool === undefined)
        return { error: { code: -32602, message: `Unknown tool: ${String(params['name'])}` } };
      return {
        result: await callTool(tool, isJsonObject(params['arguments']) ? params['arguments'] : {}, call),
      };
    }
    default:
      return { error: { code: -32601, message: 'Method not found' } };
  }
}

/** Runs the operation of a tool. A refusal of the site is a result for the model, not an error of the protocol. */
async function callTool(
  { method, path }: Tool,
  values: JsonObject,
  { run }: SiteCall<BoardState>,
): Promise<JsonObject> {
  const route = path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '-'));
  const { status, body } = await run(method, route, values);
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: status >= 400 };
}
