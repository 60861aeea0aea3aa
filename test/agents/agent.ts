import type { IncomingHttpHeaders } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import {
  Client,
  type ClientCapabilities,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { readRecordedSite } from '../../src/generator/discovery/index.ts';
import { toOpenApi } from '../../src/generator/openapi/index.ts';
import { contentSite } from '../../src/sites/example/index.ts';
import { closeAfterTest, startOnce } from '../support/close-after-test.ts';
import { readSeed } from '../support/documents.ts';
import { startGateway, type TestGateway, type TestOptions } from '../support/gateway.ts';
import { readShopIndex } from '../support/recorded-indexes.ts';
import { runServer } from '../support/run.ts';
import { shared } from '../support/shared.ts';

/** What a tool has returned: the server's own lines, and the content of the site. */
export interface ToolOutcome {
  readonly text: string;
  readonly content: string;
  readonly isError: boolean;
}

type CallTool = (name: string, args?: Record<string, unknown>) => Promise<ToolOutcome>;

/** Starts a gateway with tools in front of the example site, at `/content`. */
export async function runAgentGateway(mcp: SiteOptions['mcp'] = true, options: TestOptions = {}) {
  const { auth, url } = await runExample();
  const document: JsonObject = JSON.parse(
    JSON.stringify(readSeed('content')).replaceAll('https://content.example.com', url.slice(0, -1)),
  );
  const site = { ...PLAIN, url, name: 'content', document, mcp, validation: { mode: 'enforce' } } as const;
  return { ...(await startGateway({ ...site, ...options })), site, login: `Basic ${btoa(auth)}` };
}

/** Starts the example site. `auth` is the login of its first user. */
export async function runExample(port = 0) {
  const { fetch, users } = contentSite();
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
  const { close, origin } = await runServer(listener, { port });
  return { close, url: `${origin}/`, auth: `${users[0]?.login}:${users[0]?.password}` };
}

/** A site with its document only, and the cache as it is by default. */
const PLAIN = { passthrough: false, cache: {} } as const;

export interface Agent {
  readonly client: Client;
  readonly call: CallTool;
}

/** Connects the client of the SDK to the tools of a site. @param era which revision of the protocol it speaks */
export async function connectAgent(
  url: string,
  authorization?: string,
  era: 'auto' | 'legacy' = 'auto',
  capabilities: ClientCapabilities = {},
): Promise<Agent> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  return connectTo(transport, { versionNegotiation: { mode: era }, capabilities });
}

export async function connectTo(
  transport: Parameters<Client['connect']>[0],
  options: ClientOptions = {},
): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(transport);
  closeAfterTest(() => client.close());
  return { client, call: (name, args = {}) => callTool(client, name, args) };
}

/** What a write names as `if_match`: a read and a refusal show it. */
export const tagOf = ({ text }: Pick<ToolOutcome, 'text'>): string | undefined =>
  /"if_match": "([^"]+)"/.exec(text)?.[1];

/** Calls as an agent does that calls again with the hash that a refusal names. */
export async function insist(
  { call }: Pick<Agent, 'call'>,
  tool: string,
  args: Record<string, unknown>,
): Promise<ToolOutcome> {
  const first = await call(tool, args);
  const if_match = tagOf(first);
  return if_match === undefined ? first : call(tool, { ...args, if_match });
}

/** The outcome of a call that was refused or has failed, with a text. */
export const failed = (text: string): object => ({ isError: true, text: expect.stringContaining(text) });

async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<ToolOutcome> {
  const result = await client.callTool({ name, arguments: args });
  const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
  return { text: texts[0] ?? '', content: texts[1] ?? '', isError: result.isError === true };
}

/** A request that a recorded shop has received. */
interface SiteRequest {
  readonly method: string;
  /** Path and query below `/wp-json`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A response of a recorded shop; `undefined` for an empty list. */
export type SiteResponder = (request: SiteRequest) => SiteAnswer | undefined | Promise<SiteAnswer>;

interface SiteAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** In place of the body's JSON. */
  readonly text?: string;
}

export interface AgentShop {
  /** URL of the tools. */
  readonly url: string;
  readonly requests: readonly SiteRequest[];
  /** What the gateway has logged. */
  readonly lines: TestGateway['lines'];
}

const SHOP_URL = 'http://shop.example.com/';
/** Generated once: a gateway takes half a second to read the site. */
const shopDocument = shared(() => {
  const index = readShopIndex((name) =>
    /^(?:|batch\/v1|oembed\/1\.0|wc\/v3|wp-abilities\/v1|wp-block-editor\/v1|wp-site-health\/v1|wp\/v2)$/.test(
      name,
    ),
  );
  return JSON.stringify(toOpenApi(readRecordedSite(index, { url: SHOP_URL })).document);
});

/** Starts a gateway in front of a site with the operations of WordPress and WooCommerce, whose responses a test makes. */
export async function runAgentShop(
  respond: SiteResponder = () => undefined,
  mcp: SiteOptions['mcp'] = true,
  options: TestOptions = {},
): Promise<AgentShop> {
  const requests: SiteRequest[] = [];
  const { origin } = await runServer(async (incoming, response) => {
    const { headers, method = '', url = '' } = incoming;
    const path = url.replace(/^\/wp-json/, '');
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    response.setHeader('content-type', 'application/json');
    const text = Buffer.concat(chunks).toString();
    const request = {
      method,
      path,
      headers,
      body: text.startsWith('--') || text === '' ? text || undefined : JSON.parse(text),
    };
    requests.push(request);
    const answer = (await respond(request)) ?? { body: [] };
    response
      .writeHead(answer.status ?? 200, answer.headers ?? {})
      .end(answer.text ?? JSON.stringify(answer.body));
  });
  const document: JsonObject = JSON.parse(shopDocument().replaceAll(SHOP_URL, `${origin}/`));
  const site = { url: `${origin}/`, name: 'shop', document, mcp, passthrough: false, cache: 'off' } as const;
  const running = await startGateway({ ...site, ...options });
  return { url: `${running.origin}/shop/mcp`, requests, lines: running.lines };
}

export const ADMIN: string = `Basic ${btoa('admin:a long password')}`;

/** As `runAgentShop`, with one gateway and one client of an administrator for the tests of a file that want the same tools. */
export function useAgentShop(): (
  respond?: SiteResponder,
  mcp?: SiteOptions['mcp'],
) => Promise<AgentShop & Pick<Agent, 'call'>> {
  const start = startOnce(async (mcp: SiteOptions['mcp']) => {
    const current: { respond: SiteResponder; requests: SiteRequest[] } = {
      respond: () => undefined,
      requests: [],
    };
    const { lines, url } = await runAgentShop((request) => {
      current.requests.push(request);
      return current.respond(request);
    }, mcp);
    const { call } = await connectAgent(url, ADMIN);
    return { call, current, lines, url };
  });
  return async (respond = () => undefined, mcp = true) => {
    const { call, current, lines, url } = await start(mcp);
    const requests: SiteRequest[] = [];
    Object.assign(current, { respond, requests });
    return { call, lines, url, requests };
  };
}
