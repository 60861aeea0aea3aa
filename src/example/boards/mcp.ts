import type { CallToolResult, McpServerFactory, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { NamespaceDeclaration } from '../../rest-server/declarations.ts';
import type { SiteCall } from '../site/definition.ts';
import type { BoardState } from './state.ts';
import tables from './tables.json' with { type: 'json' };

/** The endpoint of the Model Context Protocol. Its tools are operations of the site, run for the user of the request. */

export const MCP_PATH = '/mcp/boards';

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
  readonly inputSchema: StandardSchemaWithJSON<JsonObject, JsonObject>;
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
  return (call) => (call.path === MCP_PATH ? serveRequest(tools, call) : null);
}

/** Describes arguments to clients, in JSON Schema 2020-12, where `required` is a list. The operation validates them. */
function toInputSchema(args: Readonly<Record<string, JsonObject>>): Tool['inputSchema'] {
  const properties = Object.entries(args).map(([name, { required: _, ...schema }]): [string, Json] => [
    name,
    schema,
  ]);
  const required = Object.keys(args).filter((name) => args[name]?.['required'] === true);
  const schema = { type: 'object', properties: Object.fromEntries(properties), required };
  return {
    '~standard': {
      version: 1,
      vendor: 'waygate',
      jsonSchema: { input: () => schema, output: () => schema },
      validate: (value) => ({ value: isJsonObject(value) ? value : {} }),
    },
  };
}

async function serveRequest(tools: readonly Tool[], call: SiteCall<BoardState>): Promise<Response> {
  const { state, user, request, base } = call;
  if (!isMcpReady(state)) return new Response(null, { status: 404 });
  // A page of another site must not use the endpoint through a browser of this network (DNS rebinding).
  const origin = request.headers.get('origin');
  if (origin !== null && origin !== new URL(base).origin) return new Response(null, { status: 403 });
  if (user === null) {
    return new Response(null, {
      status: 401,
      headers: { 'WWW-Authenticate': 'Basic realm="Example Boards"' },
    });
  }
  // Few clients use the endpoint, and the SDK is larger than both sites: it is loaded on use.
  const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server');
  const createServer: McpServerFactory = () => {
    const identity = { name: 'example-boards', version: '1.0.0' };
    const server = new McpServer(identity, { capabilities: { tools: { listChanged: false } } });
    for (const tool of tools) {
      const { name, description, method } = tool;
      const annotations = { readOnlyHint: method === 'GET' };
      server.registerTool(name, { description, annotations, inputSchema: tool.inputSchema }, (values) =>
        callTool(tool, values, call),
      );
    }
    return server;
  };
  // The tools never change, so nobody holds a stream open to learn of it.
  return createMcpHandler(createServer, { maxSubscriptions: 0 }).fetch(request);
}

/** Runs the operation of a tool. A refusal of the site is a result for the model, not an error of the protocol. */
async function callTool(
  { method, path }: Tool,
  values: JsonObject,
  { run }: SiteCall<BoardState>,
): Promise<CallToolResult> {
  const route = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name] ?? '-')),
  );
  const rest = Object.entries(values).filter(([name]) => !path.includes(`{${name}}`));
  const { status, body } = await run(method, route, Object.fromEntries(rest));
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: status >= 400 };
}
