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
  ({ features: { mcp: enabled }, installedPlugins }, { address }) => {
    const isReady = enabled && installedPlugins['mcp-adapter'];
    return {
      enabled,
      adapter_installed: installedPlugins['mcp-adapter'],
      endpoint: isReady ? address('/mcp/boards') : null,
      tools: isReady ? TOOLS : [],
    };
  },
);

/**
 * The Model Context Protocol server, which is available once the feature module `mcp` is on and the plugin `mcp-adapter`
 * is installed.
 */
export const mcpRoutes: readonly BoardRoute[] = [
  settings.get('/admin/mcp/status'),
  settings.post('/admin/mcp/toggle', {
    args: { enabled: schema.boolean('Whether it is on. Absent: the other of what it is.') },
    change({ params }, { features }) {
      features.mcp = params.boolean('enabled', !features.mcp);
      return undefined;
    },
  }),
  settings.post('/admin/mcp/install-adapter', {
    change(_request, { installedPlugins }) {
      installedPlugins['mcp-adapter'] = true;
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
