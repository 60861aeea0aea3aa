import { Option } from 'commander';
import { omitUndefined } from '../omit-undefined.ts';
import { readCertificates } from './certificates.ts';

/** The command line options of connections to a site. They mean what `upstream` means in the configuration of `serve`. */
export interface ConnectionFlags {
  readonly upstreamHost?: string;
  /** Path of a file. */
  readonly upstreamCa?: string;
  readonly upstreamInsecure?: boolean;
}

export function createConnectionCliOptions(): Option[] {
  return [
    new Option(
      '--upstream-host <name>',
      'host that the site sees, such as its public name, while connections are made to its URL',
    ),
    new Option('--upstream-ca <file>', 'certificates in PEM that are trusted for the site'),
    new Option('--upstream-insecure', 'accept any certificate of the site'),
  ];
}

/**
 * Prepares the connections of a discovery.
 *
 * @param url the URL that connections are made to
 * @returns the URL as the site knows it, and the `fetch` that connects; `undefined` for the platform's
 * @throws {ConfigurationError} when the host is invalid, or the file contains no certificate
 */
export async function connectToSite(
  url: string,
  { upstreamCa, upstreamHost, upstreamInsecure }: ConnectionFlags,
): Promise<{ readonly url: string; readonly fetch: typeof globalThis.fetch | undefined }> {
  if (upstreamCa === undefined && upstreamHost === undefined && upstreamInsecure !== true) {
    return { url, fetch: undefined };
  }
  const { createSiteUpstream } = await import('../gateway/snapshot/site-upstream.ts');
  const { nodeTransport } = await import('../node/platform.ts');
  const ca = upstreamCa === undefined ? undefined : await readCertificates(upstreamCa, '--upstream-ca');
  const upstream = omitUndefined({ host: upstreamHost, ca, insecure: upstreamInsecure });
  const connection = createSiteUpstream({ url, upstream }, { sites: [], transport: nodeTransport });
  return { url: connection.siteUrl, fetch: connection.fetch };
}
