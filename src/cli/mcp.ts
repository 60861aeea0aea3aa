import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { ConfigurationError, messageOf } from '../base/errors.ts';
import { formatBasicCredentials } from '../base/http/basic-credentials.ts';
import type { McpFlags } from '../base/option-types.ts';
import { runSteps } from '../base/steps.ts';
import { createAgentQuestions } from '../gateway/site/agent-tokens.ts';
import type { AgentRights, CallableSite } from '../gateway/surfaces.ts';
import type { DiscoverOptions } from '../generator/discovery/index.ts';
import { describeUnknownTools } from '../generator/openapi/overlay.ts';
import { readStructuredFile } from './config/structured-file.ts';
import { type CommandIo, type ExitCode, requireHttpUrl, resolveDiscovery, waitForStopSignal } from './io.ts';

/** The first call reads the site, not the start: clients only wait seconds for a list of tools. */
export async function runMcp(io: CommandIo, given: string | undefined, flags: McpFlags): Promise<ExitCode> {
  const document =
    flags.document === undefined ? undefined : await readStructuredFile(flags.document, '--document');
  const url = requireHttpUrl(await readSiteUrl(document, given));
  const discover = resolveDiscovery(flags, io);
  const rights = await readRights(flags);
  const { createAgentServer } = await import('../agents/server.ts');
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const questions = createAgentQuestions();
  const session = randomBytes(6).toString('hex');
  let opened: Promise<LocalGateway> | undefined;
  const served = serveStdio(
    () =>
      createAgentServer({
        ...{ ...rights, client: '', address: '', session, questions, title: new URL(url).host },
        async load() {
          opened ??= openGateway(io, { url, document, discover }, rights, flags).catch((error: unknown) => {
            opened = undefined;
            throw error;
          });
          return (await opened).load();
        },
        onCall: (call) => {
          const line = JSON.stringify({ time: new Date().toISOString(), site: url, ...call });
          try {
            if (flags.log !== undefined) appendFileSync(flags.log, `${line}\n`);
          } catch (error) {
            io.writeErr(`waygate: ${messageOf(error)}\n`);
          }
        },
        onError: (error) => io.writeErr(`waygate: ${String(error)}\n`),
      }),
    {
      maxSubscriptions: 0,
      onerror(error) {
        // A batch of revision 2025-03-26 isn't a message, and its sender waits for a response.
        if (error.name === 'ZodError') process.stdout.write(`${NO_MESSAGE}\n`);
      },
    },
  );
  io.writeErr(`waygate: serving ${url} to an agent\n`);
  // A client ends the server by closing its input.
  await Promise.race([waitForStopSignal(), once(process.stdin, 'end')]);
  await served.close();
  await (await opened)?.stop();
  return 0;
}

async function readRights({
  abilities = [],
  reads = ['*'],
  unasked = false,
  writes = [],
}: McpFlags): Promise<AgentRights> {
  const { explainRights } = await import('./config/schema.ts');
  const problem = explainRights(reads, writes);
  if (problem !== undefined) throw new ConfigurationError(problem);
  return { abilities, reads, unasked, writes };
}

const NO_MESSAGE = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_600, message: 'Invalid Request: each line must be one message, not a list' },
});

interface LocalGateway {
  load(): Promise<CallableSite>;
  stop(): Promise<void>;
}

async function openGateway(
  io: CommandIo,
  site: { readonly url: string; readonly document: unknown; readonly discover: DiscoverOptions },
  rights: AgentRights,
  { files, state }: McpFlags,
): Promise<LocalGateway> {
  const { Catalog } = await import('../agents/agent-site.ts');
  const { loadLocalAgent } = await import('../gateway/agent-endpoint.ts');
  const { openGateway } = await import('../open-gateway.ts');
  const { stateFolder } = await import('../gateway/node/state-folder.ts');
  const { url, discover } = site;
  const { auth } = discover;
  const { reads, writes } = rights;
  const gateway = openGateway({
    state: state === undefined ? undefined : stateFolder(state),
    sites: [{ ...site, validation: { mode: 'enforce' }, mcp: { ...rights } }],
  });
  const authorization = auth === undefined ? '' : formatBasicCredentials(auth);
  const { context } = gateway;
  let isReported = false;
  return {
    async load() {
      const agent = await loadLocalAgent(context, authorization);
      const root = [...context.sites.values()][0]?.runtime.snapshot?.routeOrigin ?? '';
      const { hostname, origin } = new URL(url);
      if (auth !== undefined && !['', origin, `https://${hostname}`].includes(root)) {
        const remedy = 'Give that address if the credentials are for it.';
        throw new ConfigurationError(`${url} leads to ${root}, which would get the credentials. ${remedy}`);
      }
      const { byId } = Catalog.of(agent.documented);
      const problems = isReported ? [] : describeUnknownTools({ reads, writes }, byId.keys());
      isReported = true;
      for (const problem of problems) io.writeErr(`waygate: --reads, --writes: ${problem}\n`);
      return files === undefined ? agent : { ...agent, readFile: (path) => readFileBelow(files, path) };
    },
    stop: () => gateway.stop(),
  };
}

const MAX_FILE = 64 * 1024 * 1024;

/** @returns `null` unless the path is a file below the folder; a link must not lead out of it */
async function readFileBelow(folder: string, path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const [root, file] = await Promise.all([realpath(folder), realpath(resolve(folder, path))]);
    const stats = await stat(file);
    if (!file.startsWith(root + sep) || !stats.isFile() || stats.size > MAX_FILE) return null;
    return new Uint8Array(await readFile(file));
  } catch {
    return null;
  }
}

async function readSiteUrl(document: unknown, given: string | undefined): Promise<string> {
  if (document === undefined) {
    if (given === undefined) throw new ConfigurationError('give the URL of the site, or --document');
    return given;
  }
  const { readServedApi } = await import('../generator/openapi/index.ts');
  const { address } = runSteps(readServedApi(document, given));
  return given ?? address.base;
}
