import { getRequestListener } from '@hono/node-server';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { contentSite } from '../../src/example/index.ts';
import type { GatewayOptions, SiteOptions } from '../../src/gateway/index.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import type { RunningGateway } from '../support/gateway.ts';
import { runGateway, runServer } from '../support/run.ts';

/** What a tool has returned: the server's own lines, and the content of the site. */
export interface ToolOutcome {
  readonly text: string;
  readonly content: string;
  readonly isError: boolean;
}

export type CallTool = (name: string, args?: Record<string, unknown>) => Promise<ToolOutcome>;

/** Starts a gateway with tools in front of the example site, at `/content`. */
export async function runAgentGateway(
  mcp: SiteOptions['mcp'] = true,
  options: Partial<GatewayOptions> = { cache: 'memory' },
  site: Partial<SiteOptions> = {},
): Promise<RunningGateway & { readonly login: string }> {
  const example = contentSite();
  const { origin } = await runServer(getRequestListener(example.fetch, { overrideGlobalObjects: false }));
  const [user] = example.users;
  const running = await runGateway(
    { url: `${origin}/`, name: 'content', mcp, validation: { mode: 'enforce' }, ...site },
    options,
  );
  return { ...running, login: `Basic ${btoa(`${user?.login}:${user?.password}`)}` };
}

/** Connects the client of the SDK to the tools of a site. @param era which revision of the protocol it speaks */
export async function connectAgent(
  url: string,
  authorization?: string,
  era: 'auto' | 'legacy' = 'auto',
): Promise<{ readonly client: Client; readonly call: CallTool }> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  closeAfterTest(() => client.close());
  return { client, call: (name, args = {}) => callTool(client, name, args) };
}

export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<ToolOutcome> {
  const result = await client.callTool({ name, arguments: args });
  const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
  return { text: texts[0] ?? '', content: texts[1] ?? '', isError: result.isError === true };
}
