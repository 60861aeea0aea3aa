import type { ConsoleClient } from '../../console/index.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import { toPublicAddress } from '../../upstream/forwarded.ts';
import { readRequestHeaders } from '../../upstream/request-headers.ts';
import type { TrustedProxyCheck } from '../../upstream/trusted-proxies.ts';
import { toClientNetwork } from '../exchange/body-memory.ts';

/** Reads who sent a request to a path below `/-/`. */
export type ClientReader = (head: IncomingRequestHead) => ConsoleClient;

/** Creates the function that reads who sent a request, through trusted proxies. */
export function createClientReader(publicUrl: string | undefined, trust: TrustedProxyCheck): ClientReader {
  const publicAddress = publicUrl === undefined ? undefined : toPublicAddress(publicUrl);
  return (head) => {
    const fields = readRequestHeaders(head, trust, publicAddress);
    // A header section that is refused names no client.
    const { address, host, protocol } =
      fields.kind === 'refused'
        ? { address: head.peerAddress, protocol: head.protocol, host: '' }
        : fields.client;
    return { address, host, protocol, network: toClientNetwork(address) };
  };
}
