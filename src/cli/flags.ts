import type { DiscoveryFlags } from '../config/option-types.ts';
import type { DiscoverOptions, ReadIndexOptions } from '../discovery/index.ts';
import { withoutCredentials } from '../discovery/redact.ts';
import { ConfigurationError } from '../errors.ts';
import { parseCredentials } from '../http/basic-credentials.ts';
import { readCertificates } from '../node/certificates.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { CommandIo } from './io.ts';

/**
 * Converts flags and `WAYGATE_AUTH` to a URL and options of a discovery.
 *
 * @throws {ConfigurationError} if an argument is invalid, or a file can't be read
 */
export async function resolveDiscovery(
  url: string,
  flags: DiscoveryFlags,
  { env }: Pick<CommandIo, 'env'>,
): Promise<{ readonly url: string; readonly options: DiscoverOptions }> {
  const credentials = flags.auth ?? env['WAYGATE_AUTH'];
  const connection = await connectToSite(requireHttpUrl(url), flags);
  return {
    url: connection.url,
    options: {
      ...selectRoutes(flags),
      schemas: flags.schemas,
      headers: Object.fromEntries(flags.header.map(parseHeaderOption)),
      auth: credentials === undefined || credentials === '' ? undefined : parseCredentials(credentials),
      timeout: flags.timeout,
      maxBytes: flags.maxBytes,
      maxDocumentBytes: flags.maxDocumentBytes,
      fetch: connection.fetch,
    },
  };
}

/** Options that also apply to a recorded index. */
export function selectRoutes({ exclude, include, maxRoutes }: DiscoveryFlags): ReadIndexOptions {
  return { include, exclude, maxRoutes };
}

/**
 * @param url that connections are made to
 * @returns the URL as the site knows it, and the `fetch` that connects, if it isn't the platform's
 * @throws {ConfigurationError} if the host is invalid, or the file contains no certificate
 */
async function connectToSite(
  url: string,
  { upstreamCa, upstreamHost, upstreamInsecure }: DiscoveryFlags,
): Promise<{ readonly url: string; readonly fetch: typeof globalThis.fetch | undefined }> {
  if (upstreamCa === undefined && upstreamHost === undefined && upstreamInsecure !== true) {
    return { url, fetch: undefined };
  }
  const { createSiteUpstream } = await import('../site/site-upstream.ts');
  const ca = upstreamCa === undefined ? undefined : await readCertificates(upstreamCa, '--upstream-ca');
  const upstream = omitUndefined({ host: upstreamHost, ca, insecure: upstreamInsecure });
  const connection = createSiteUpstream({ url, upstream }, {}, 'upstream');
  return { url: connection.siteUrl, fetch: connection.fetch };
}

/**
 * Checks that an argument is an http or https URL.
 *
 * @returns the text unchanged
 * @throws {ConfigurationError} when it is not; the message leaves out credentials
 */
export function requireHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  const shown = withoutCredentials(text);
  const isHostName = !/^\/|:\/\//.test(text) && URL.canParse(`https://${shown}`);
  const suggestion = url === null && isHostName ? ` Did you mean https://${shown}?` : '';
  throw new ConfigurationError(`"${shown}" is not an http or https URL.${suggestion}`);
}

/** @returns the URL without credentials and final slashes */
export function requireGatewayUrl(text: string): string {
  return withoutCredentials(requireHttpUrl(text)).replace(/\/+$/, '');
}

/** Quotes a text for a POSIX shell. */
export function toShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Parses `Name: value`.
 *
 * @throws {ConfigurationError} if it isn't a header field
 */
function parseHeaderOption(text: string): [string, string] {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)$/.exec(text);
  if (match?.[1] === undefined) throw new ConfigurationError("--header must be 'Name: value', as in HTTP");
  return [match[1], match[2] ?? ''];
}
