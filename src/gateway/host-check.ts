import { ConfigurationError } from '../errors.ts';
import { firstFieldValue } from '../http/fields.ts';
import type { IncomingRequestHead } from '../http/request-head.ts';
import type { TrustedProxyCheck } from '../upstream/forwarded.ts';
import { readRequestHeaders } from '../upstream/request-headers.ts';
import type { Problem } from './exchange/problem.ts';

/** RFC 9110 §15.5.20: the gateway is "not able to produce an authoritative response for the target URI". */
export const MISDIRECTED: Problem = {
  status: 421,
  code: 'gateway_misdirected',
  message:
    'This gateway does not serve the host that the request names. Its setting "hosts" lists the hosts.',
};

/** Whether the gateway serves the host that a request names. */
export type HostCheck = (head: IncomingRequestHead) => boolean;

/** A host name, `*.` with a host name, or an IP address in brackets; optionally with a port. */
const HOST_PATTERN = /^(?:(?:\*\.)?[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/**
 * Creates the check of hosts.
 *
 * @param hosts such as `example.com`, `*.example.com` (all names below, not the name itself), `example.com:8080`. Without
 *   a port, an entry allows every port.
 * @param publicUrl its host is allowed too
 * @param trust tells from whom `X-Forwarded-Host` and `Forwarded` are used instead of `Host`
 * @returns `undefined` if all hosts are served
 * @throws {ConfigurationError} when an entry is no host
 */
export function createHostCheck(
  hosts: readonly string[] | undefined,
  publicUrl: string | undefined,
  trust: TrustedProxyCheck,
): HostCheck | undefined {
  if (hosts === undefined || hosts.length === 0) return undefined;
  const entries = [...hosts, ...(publicUrl === undefined ? [] : [new URL(publicUrl).host])].map((host) => {
    const entry = host.toLowerCase();
    if (HOST_PATTERN.test(entry)) return entry;
    throw new ConfigurationError(
      `hosts: "${host.slice(0, 80)}" is no host: use names such as example.com, *.example.com or example.com:8080`,
    );
  });
  const exact = new Set(entries.filter((entry) => !entry.startsWith('*.')));
  const suffixes = entries.filter((entry) => entry.startsWith('*.')).map((entry) => entry.slice(1));
  const isListed = (host: string): boolean =>
    exact.has(host) || suffixes.some((suffix) => host.length > suffix.length && host.endsWith(suffix));

  return (head) => {
    const host = readHost(head, trust).toLowerCase();
    const port = /:\d+$/.exec(host)?.[0] ?? '';
    // A name may end with a dot (RFC 9110 §4.2.3 leaves it to the scheme; browsers send it unchanged).
    const name = host.slice(0, host.length - port.length).replace(/\.$/, '');
    return isListed(name) || (port !== '' && isListed(name + port));
  };
}

/** Returns the host that a request names; empty if it names none, or if its header section is refused anyway. */
function readHost(head: IncomingRequestHead, trust: TrustedProxyCheck): string {
  if (!trust(head.peerAddress)) return firstFieldValue(head.headers, 'host') ?? '';
  const fields = readRequestHeaders(head, trust);
  return fields.kind === 'refused' ? '' : fields.client.host;
}
