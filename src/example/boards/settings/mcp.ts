import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import { choice } from '../rest/choices.ts';
import { permit } from '../rest/permissions.ts';
import { type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';

const CLIENTS = ['claude-desktop', 'cursor', 'vscode'] as const;
type Client = (typeof CLIENTS)[number];

const STATUS_SCHEMA: JsonObject = answersWhole(
  'mcp-status',
  'Whether assistants can use the boards as tools.',
  {
    enabled: { description: 'Whether they are switched on.', type: 'boolean' },
    adapter_installed: { description: 'Whether the adapter it needs is there.', type: 'boolean' },
    endpoint: {
      description: 'Where assistants connect to; null while it is off or the adapter is missing.',
      type: ['string', 'null'],
      format: 'uri',
    },
    tools: { description: 'What assistants may do.', type: 'array', items: { type: 'string' } },
  },
);

const TOOLS = ['list-boards', 'find-tasks', 'create-task', 'move-task', 'comment-on-task'];

/** Boards as tools for assistants (Model Context Protocol): they answer once they are switched on and the adapter is there. */
export const mcp: readonly BoardRoute[] = [
  route(
    '/admin/mcp/status',
    [{ methods: ['GET'], permission: permit.administrators, handle: (request) => ok(showStatus(request)) }],
    STATUS_SCHEMA,
  ),
  route(
    '/admin/mcp/toggle',
    [
      {
        methods: ['POST'],
        args: {
          enabled: { description: 'Whether it is on. Absent: the other of what it is.', type: 'boolean' },
        },
        permission: permit.administrators,
        handle: (request) => {
          const { mcp: settings, features } = request.state.settings;
          const enabled = request.params.boolean('enabled', !settings.enabled);
          settings.enabled = enabled;
          features.mcp = enabled;
          return ok(showStatus(request));
        },
      },
    ],
    STATUS_SCHEMA,
  ),
  route(
    '/admin/mcp/install-adapter',
    [
      {
        methods: ['POST'],
        permission: permit.administrators,
        handle: (request) => {
          request.state.settings.mcp.adapter_installed = true;
          return ok(showStatus(request));
        },
      },
    ],
    STATUS_SCHEMA,
  ),
  route(
    '/admin/mcp/config-snippet',
    [
      {
        methods: ['GET'],
        args: {
          client: {
            description: 'The program that connects.',
            type: 'string',
            enum: CLIENTS,
            default: 'claude-desktop',
          },
        },
        permission: permit.administrators,
        handle: (request) =>
          ok(showSnippet(request, choice(request.params, 'client', CLIENTS) ?? 'claude-desktop')),
      },
    ],
    answersWhole('mcp-config-snippet', 'What to paste into the settings of a program.', {
      client: { description: 'The program.', type: 'string', enum: CLIENTS },
      file: { description: 'Where it keeps its settings.', type: 'string' },
      snippet: {
        description: 'The text, which is JSON; the password is for the reader to fill in.',
        type: 'string',
      },
    }),
  ),
];

function showStatus({ state, address }: BoardRequest): JsonObject {
  const { enabled, adapter_installed } = state.settings.mcp;
  const isReady = enabled && adapter_installed;
  return {
    enabled,
    adapter_installed,
    endpoint: isReady ? address('/mcp/boards') : null,
    tools: isReady ? TOOLS : [],
  };
}

/** Programs by where they keep servers, and under which name. */
const FILES: Readonly<Record<Client, readonly [file: string, member: string]>> = {
  'claude-desktop': ['claude_desktop_config.json', 'mcpServers'],
  cursor: ['.cursor/mcp.json', 'mcpServers'],
  vscode: ['.vscode/mcp.json', 'servers'],
};

function showSnippet({ address, user }: BoardRequest, client: Client): JsonObject {
  const [file, member] = FILES[client];
  const server = {
    url: address('/mcp/boards'),
    headers: { Authorization: `Basic <base64 of ${user?.login ?? 'user'}:application-password>` },
  };
  return { client, file, snippet: JSON.stringify({ [member]: { boards: server } }, null, 2) };
}
