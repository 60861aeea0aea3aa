import { once } from 'node:events';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative } from 'node:path';
import type { McpFlags } from '../config/option-types.ts';
import { readStructuredFile } from '../config/structured-file.ts';
import { ConfigurationError, DiscoveryError } from '../errors.ts';
import { formatBasicCredentials } from '../http/basic-credentials.ts';
import type { FileReader } from '../mcp/agent-site.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { describeUnknownTools } from '../openapi/extend.ts';
import { runSteps } from '../steps.ts';
import { readCertificates, requireHttpUrl, resolveDiscovery } from './flags.ts';
import type { CommandIo, ExitCode } from './io.ts';
import { waitForStopSignal } from './signals.ts';

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Serves the tools of one site to an agent over standard input and output. A gateway in this process sends the requests, so that they
 * are validated, limited and stored like those of `waygate serve`.
 */
export async function runMcp(io: CommandIo, given: string | undefined, flags: McpFlags): Promise<ExitCode> {
  const { createLocalAgent } = await import('../gateway/agent-endpoint.ts');
  const { createGateway, getGatewayInternals } = await import('../gateway/gateway.ts');
  const { nodeDecode, nodeTransport } = await import('../node/index.ts');
  const document =
    flags.document === undefined ? undefined : await readStructuredFile(flags.document, '--document');
  const url = given ?? (await readSiteUrl(document));
  const { options } = await resolveDiscovery(requireHttpUrl(url), flags, io);
  const { auth, fetch: _, ...discover } = options;
  const ca =
    flags.upstreamCa === undefined ? undefined : await readCertificates(flags.upstreamCa, '--upstream-ca');
  const upstream = omitUndefined({ host: flags.upstreamHost, ca, insecure: flags.upstreamInsecure });
  const { reads = ['*'], writes = [] } = flags;
  const gateway = createGateway({
    cache: 'memory',
    decode: nodeDecode,
    transport: nodeTransport,
    sites: [
      {
        ...{ url, document, upstream, discover: { ...discover, auth } },
        validation: { mode: 'enforce' },
        mcp: { reads, writes },
      },
    ],
  });
  await gateway.rediscover();
  const authorization = auth === undefined ? '' : formatBasicCredentials(auth);
  const { context } = getGatewayInternals(gateway);
  const [site] = context.sites.values();
  const root = site?.runtime.snapshot?.routeOrigin ?? '';
  const { hostname, origin } = new URL(url);
  if (auth !== undefined && !['', origin, `https://${hostname}`].includes(root)) {
    await gateway.stop();
    const remedy = 'Give that address if the credentials are for it.';
    throw new ConfigurationError(`${url} leads to ${root}, which would get the credentials. ${remedy}`);
  }
  const agent = await createLocalAgent(context, authorization);
  if (agent === undefined) {
    await gateway.stop();
    throw (
      site?.runtime.lastDiscoveryError ??
      new DiscoveryError(`${url} has no document`, { reason: 'not-an-index' })
    );
  }
  const { createAgentServer } = await import('../mcp/server.ts');
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const tools = {
    ...agent,
    showSecret: (name: string, value: string) => io.writeErr(`waygate: ${name}: ${value}\n`),
    ...(flags.files && { readFile: createFileReader(flags.files) }),
  };
  const served = serveStdio(() => createAgentServer(tools), { maxSubscriptions: 0 });
  for (const problem of describeUnknownTools({ reads, writes }, agent.catalog.byId.keys()))
    io.writeErr(`waygate: --reads, --writes: ${problem}\n`);
  io.writeErr(`waygate: serving ${agent.catalog.operations.length} operations of ${url} to an agent\n`);
  // A client ends the server by closing its input.
  await Promise.race([waitForStopSignal(), once(process.stdin, 'end')]);
  await served.close();
  await gateway.stop();
  return 0;
}

/** Reads files below some folders. A link that leads out of them is not followed. */
function createFileReader(folders: readonly string[]): FileReader {
  return async (path) => {
    const file = await realpath(path).catch(() => undefined);
    if (file === undefined) return undefined;
    for (const folder of folders) {
      const way = relative(await realpath(folder).catch(() => file), file);
      if (way === '' || way.startsWith('..') || isAbsolute(way)) continue;
      const found = await stat(file);
      if (found.isFile() && found.size <= MAX_FILE_BYTES)
        return { name: basename(file), bytes: await readFile(file) };
    }
    return undefined;
  };
}

/** @throws {ConfigurationError} when there is no document, or it names no site */
async function readSiteUrl(document: unknown): Promise<string> {
  if (document === undefined) throw new ConfigurationError('give the URL of the site, or --document');
  const { readServedApi } = await import('../openapi/index.ts');
  return runSteps(readServedApi(document)).address.base;
}
