import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/responses.ts';
import { type BoardRequest, type BoardRoute, enumParam, responseSchema, schema } from '../rest/index.ts';
import { createSiteSettingsResource } from './resource.ts';

const CLIENTS = ['claude-desktop', 'cursor', 'vscode'] as const;
type McpClient = (typeof CLIENTS)[number];

const TOOLS = ['list-boards', 'find-tasks', 'create-task', 'move-task', 'comment-on-task'];

const settings = createSiteSettingsResource(
  responseSchema('mcp-status', 'Whether assistants can use the boards as tools.', {
    enabled: schema.boolean('Whether they are switched on.'),
    adapter_installed: schema.boolean('Whether the adapter it needs is there.'),
    endpoint: schema.nullable(
      schema.uri('Where assistants connect to; null while it is off or the adapter is missing.'),
    ),
    tools: schema.array('What assistants may do.', { type: 'string' }),
  }),
  (all) => all,
  ({ mcp: { enabled, adapter_installed } }, { address }) => {
    const isReady = enabled && adapter_installed;
    return {
      enabled,
      adapter_installed,
      endpoint: isReady ? address('/mcp/boards') : null,
      tools: isReady ? TOOLS : [],
    };
  },
);

/** The Model Context Protocol server, which is available once it is switched on and its adapter is installed. */
export const mcpRoutes: readonly BoardRoute[] = [
  settings.get('/admin/mcp/status'),
  settings.post('/admin/mcp/toggle', {
    args: { enabled: schema.boolean('Whether it is on. Absent: the other of what it is.') },
    change({ params }, { mcp: server, features }) {
      server.enabled = params.boolean('enabled', !server.enabled);
      features.mcp = server.enabled;
      return undefined;
    },
  }),
  settings.post('/admin/mcp/install-adapter', {
    change(_request, { mcp: server }) {
      server.adapter_installed = true;
      return undefined;
    },
  }),
  settings.get('/admin/mcp/config-snippet', {
    schema: responseSchema('mcp-config-snippet', 'What to paste into the settings of a program.', {
      client: schema.enumeration('The program.', CLIENTS),
      file: schema.string('Where it keeps its settings.'),
      snippet: schema.string('The text, which is JSON; the password is for the reader to fill in.'),
    }),
    args: {
      client: schema.enumeration('The program that connects.', CLIENTS, { default: 'claude-desktop' }),
    },
    handleCollection: (request) =>
      ok(configSnippet(request, enumParam(request.params, 'client', CLIENTS) ?? 'claude-desktop')),
  }),
];

/** The settings file of each client, and the member of it that lists servers. */
const FILES: Readonly<Record<McpClient, readonly [file: string, member: string]>> = {
  'claude-desktop': ['claude_desktop_config.json', 'mcpServers'],
  cursor: ['.cursor/mcp.json', 'mcpServers'],
  vscode: ['.vscode/mcp.json', 'servers'],
};

function configSnippet({ address, user }: BoardRequest, client: McpClient): JsonObject {
  const [file, member] = FILES[client];
  const server = {
    url: address('/mcp/boards'),
    headers: { Authorization: `Basic <base64 of ${user?.login ?? 'user'}:application-password>` },
  };
  return { client, file, snippet: JSON.stringify({ [member]: { boards: server } }, null, 2) };
}
