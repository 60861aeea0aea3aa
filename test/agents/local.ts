import type { ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MAIN } from '../cli/serve-process.ts';
import { type Agent, connectTo } from './agent.ts';

/** Starts `waygate mcp` as a client does. */
export async function connectLocal(
  args: readonly string[],
  env: Record<string, string> = {},
  options: ClientOptions = {},
): Promise<Agent & { readonly err: () => string }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...args],
    env: { ...env, PATH: process.env['PATH'] ?? '' },
    stderr: 'pipe',
  });
  let err = '';
  transport.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  return { ...(await connectTo(transport, options)), err: () => err };
}
