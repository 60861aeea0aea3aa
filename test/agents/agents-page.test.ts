import { readFileSync } from 'node:fs';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { type JsonObject, jsonItems, jsonMembers, toJsonObject } from '../../src/base/json.ts';
import { MAIN } from '../cli/serve-process.ts';
import { startOnce } from '../support/close-after-test.ts';
import { connectTo, runAgentGateway } from './agent.ts';

const start = startOnce(() => runAgentGateway());
/** Most snippets have the same arguments. */
const connectLocal = startOnce((args: readonly string[]) =>
  connectTo(new StdioClientTransport({ command: process.execPath, args: [MAIN, ...args], stderr: 'ignore' })),
);
const PAGE = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');

const blocks = (language: string): readonly string[] =>
  Array.from(
    PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n((?:.|\\n)*?)^\`\`\`$`, 'gm')),
    ([, block = '']) => block,
  );

/** The server that `claude mcp add` adds. */
function readCommand(line: string): JsonObject {
  const [, url, name = '', value = ''] = / (http:\S+) --header "(\w+): ([^"]+)"$/.exec(line) ?? [];
  if (url !== undefined) return { url, headers: { [name]: value } };
  const [command = '', ...args] = (line.split(' -- ')[1] ?? '').split(' ');
  return { command, args };
}

function readServers(file: unknown): readonly JsonObject[] {
  const { inputs: _, ...groups } = toJsonObject(file as JsonObject);
  return Object.values(groups).flatMap((servers) =>
    jsonMembers(servers).map(([, server]) => toJsonObject(server)),
  );
}

const SERVERS = [
  ...[...PAGE.matchAll(/^claude mcp add .*$/gm)].map(([line]) => readCommand(line)),
  ...blocks('json').flatMap((block) => readServers(JSON.parse(block))),
  ...blocks('toml').flatMap((block) => readServers(parse(block))),
];

test('each client has a server on the machine and one at a gateway', () => {
  expect(SERVERS.filter(({ command }) => command !== undefined)).toHaveLength(4);
  expect(SERVERS.filter(({ url }) => url !== undefined)).toHaveLength(4);
});

test.each(SERVERS)(
  'the snippet %j works',
  async ({ args, command, env_http_headers, headers, url }) => {
    const running = await start();
    if (url !== undefined) {
      expect(url).toBe('http://127.0.0.1:8080/mcp');
      const [name = '', value] = jsonMembers(headers ?? env_http_headers)[0] ?? [];
      expect([name, value]).toEqual([
        'Authorization',
        expect.stringMatching(/^(?:\$|\$\{env:)?WAYGATE_HEADER\}?$|^\$\{input:header\}$/),
      ]);
      const requestInit = { headers: { [name]: running.login } };
      const transport = new StreamableHTTPClientTransport(new URL(`${running.origin}/content/mcp`), {
        requestInit,
      });
      const { call } = await connectTo(transport);
      expect((await call('search_operations', { query: 'posts' })).isError).toBe(false);
      return;
    }
    const [path, ...others] = jsonItems(args).map(String);
    expect([command, path]).toEqual(['node', 'path/to/project/node_modules/waygate/dist/cli/main.js']);
    const local = others.map((each) => each.replace('https://example.com', running.siteUrl));
    const { call } = await connectLocal(local);
    expect((await call('search_operations', { query: 'posts' })).isError).toBe(false);
  },
  40_000,
);
