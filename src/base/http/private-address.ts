import dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

/** Hosts of one machine or network, as `URL` writes them. */
const PRIVATE_HOST =
  /^(?:(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+|\[(?:::|f[cd]|fe[89ab]).*\]|[^.[]+|.*\.(?:localhost|local|internal|lan|home\.arpa))$/;

/** NAT64 (RFC 6052) and 6to4 (RFC 3056), which contain an IPv4 address. */
const EMBEDDED = /^\[(?:64:ff9b::|2002:)(?:([\da-f]{1,4}):)?([\da-f]{1,4})(?:::[\da-f]*)?\]$/;

export function isPrivateHost({ hostname }: URL): boolean {
  const [embedded, high = '0', low = ''] = EMBEDDED.exec(hostname) ?? [];
  if (embedded === undefined) return PRIVATE_HOST.test(hostname.replace(/\.$/, ''));
  return PRIVATE_HOST.test(new URL(`http://${Number.parseInt(high + low.padStart(4, '0'), 16)}`).hostname);
}

function isPrivateAddress(address: string): boolean {
  return isPrivateHost(new URL(`http://${isIP(address) === 6 ? `[${address.split('%', 1)[0]}]` : address}`));
}

/** Looks up hosts that a site leads to. A public site can't lead to a private address, even if a name changes its address. */
export function createSiteLookup(site: URL): LookupFunction {
  let isPublic: Promise<boolean> | undefined;
  const isSitePublic = (): Promise<boolean> =>
    new Promise((resolve) => {
      if (isPrivateHost(site)) resolve(false);
      else if (site.hostname.startsWith('[') || isIP(site.hostname) !== 0) resolve(true);
      else
        dns.lookup(site.hostname, { all: true }, (error, found) =>
          resolve(error !== null || !found.some(({ address }) => isPrivateAddress(address))),
        );
    });
  return (hostname, options, callback) => {
    dns.lookup(hostname, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      const succeed = (): void => {
        if (options.all === true || first === undefined) callback(error, found);
        else callback(null, first.address, first.family);
      };
      if (error !== null || !found.some(({ address }) => isPrivateAddress(address))) return succeed();
      isPublic ??= isSitePublic();
      void isPublic.then((refuses) => {
        if (refuses) callback(new PrivateAddressError(hostname), []);
        else succeed();
      });
    });
  };
}

class PrivateAddressError extends Error {
  readonly code = 'EPRIVATE';

  constructor(hostname: string) {
    super(`${hostname} resolves to a private address, to which a public site leads`);
  }
}
