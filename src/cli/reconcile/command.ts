import { join } from 'node:path';
import type { Command } from 'commander';
import { ConfigurationError, messageOf } from '../../errors.ts';
import { isJsonObject, type Json } from '../../json.ts';
import type { ReconcileFlags } from '../../option-types.ts';
import { parseCredentials, requireHttpUrl, resolveDiscovery } from '../flags.ts';
import { type CommandIo, type ExitCode, withProgress } from '../io.ts';
import { createCommand } from '../options.ts';
import { requireFileName, requireFolder, writeFiles } from '../output-files.ts';
import { formatReconcileSummary } from './summary.ts';

export function createReconcileCommand(io: CommandIo, done: (code: ExitCode) => void): Command {
  return createCommand('reconcile').action(async (url: string, flags: ReconcileFlags) => {
    const { json, maxRequests } = flags;
    const out = requireFolder(flags.out);
    if (maxRequests < 1 && flags.from === undefined) {
      throw new ConfigurationError('--max-requests must be at least 1; with --from it may be 0');
    }
    const { auth: [auth, ...others] = [], ...shared } = flags;
    const discovery = await resolveDiscovery(url, { ...shared, ...(auth === undefined ? {} : { auth }) }, io);
    const otherUsers = others.map(parseCredentials);
    const gatewayUrl = flags.from === undefined ? undefined : requireHttpUrl(flags.from);
    const gatewayShapes = gatewayUrl === undefined ? undefined : await requestGatewayShapes(gatewayUrl, io);
    const options = { ...discovery.options, maxRequests, otherUsers, gatewayShapes, gatewayUrl };
    const name = flags.name === undefined ? undefined : requireFileName(flags.name);
    const { reconcile } = await import('../../reconcile/index.ts');
    const { overlay, report } = await withProgress(io, (onProgress) =>
      reconcile(discovery.url, { ...options, onProgress }),
    );
    const { defaultBaseName } = await import('../../generate.ts');
    const file = `${name ?? defaultBaseName(report.site)}.overlay.json`;
    await writeFiles(out, new Map([[file, () => [`${JSON.stringify(overlay, null, 2)}\n`]]]));
    io.writeOut(
      json === true
        ? `${JSON.stringify(report, null, 2)}\n`
        : formatReconcileSummary(report, join(out, file), flags.verbose === true),
    );
    done(0);
  });
}

/** Maximum size of a gateway's response. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Milliseconds. */
const TIMEOUT = 30_000;

/**
 * Requests what a gateway has seen of a site's responses.
 *
 * @param address URL of a mount: `http://127.0.0.1:8080/blog`, without a path for the site that has no name
 * @returns the content of `/-/sites/<site>/shapes`
 * @throws {ConfigurationError} when the gateway refuses, does not respond, or does not sample responses
 */
async function requestGatewayShapes(address: string, { env }: Pick<CommandIo, 'env'>): Promise<Json> {
  const { origin, pathname } = new URL(address);
  const site = pathname.split('/').find((segment) => segment !== '') ?? 'default';
  const url = `${origin}/-/sites/${site}/shapes`;
  const token = env['WAYGATE_ADMIN_TOKEN'];
  if (token === undefined || token === '') {
    throw new ConfigurationError('--from needs the admin token of the gateway in WAYGATE_ADMIN_TOKEN.');
  }
  const content = await request(url, token);
  if (isJsonObject(content) && content['sampling'] === false) {
    throw new ConfigurationError(
      `The gateway does not sample responses of ${site}. Set validation.responses to "sample" or "all".`,
    );
  }
  return content;
}

async function request(url: string, token: string): Promise<Json> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    text = await readLimited(response, url);
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    throw new ConfigurationError(`The gateway cannot be read at ${url}: ${messageOf(cause)}`, { cause });
  }
  try {
    const content: Json = JSON.parse(text);
    if (response.ok) return content;
  } catch {
    // Reported below.
  }
  throw new ConfigurationError(`The gateway returned ${response.status} for ${url}.`);
}

async function readLimited(response: Response, url: string): Promise<string> {
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_BYTES) throw new ConfigurationError(`The gateway returned more than 64 MiB for ${url}.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
