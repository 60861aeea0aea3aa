import type { IncomingRequestHead } from '../../base/http/exchange.ts';
import { fieldValue, hasField, parseConnectionFields, removeFields } from '../../base/http/fields.ts';
import { type DeclaredProblem, parseProblems } from '../../base/http/problems.ts';
import {
  FIELDS_PROTECTED_FROM_CONNECTION,
  type FieldForwarding,
  findRequestField,
} from '../../base/http/request-fields.ts';
import { memoizeByString } from '../../base/memoize.ts';
import RESPONSES from './failure-responses.json' with { type: 'json' };
import { parseIpAddress } from './networks.ts';

export type HeaderRefusalReason = 'length' | 'encoding' | 'host' | 'connection' | 'loop';

export const HEADER_REFUSAL_RESPONSES: Readonly<Record<HeaderRefusalReason, DeclaredProblem>> = parseProblems(
  RESPONSES.headerRefusals,
);

export interface UpstreamHeaderOptions {
  readonly host: string;
  readonly mountPath: string;
  /** Replaces the address that the request names. */
  readonly publicAddress?: PublicAddress | undefined;
  readonly requestsIdentity: boolean;
  /** A request for everyone: its client's address, and which of the client's fields are forwarded. @default all */
  readonly shared?:
    | { readonly address: string; isForwarded(name: string, value: string): boolean }
    | undefined;
  readonly isBehindCloudflare: boolean;
}

type HeaderSource = Omit<IncomingRequestHead, 'method' | 'target'>;

/** RFC 9110 §7.6.3: a gateway MUST add its name to `Via`. */
const PSEUDONYM = 'waygate';
const OWN_VIA: string = `1.1 ${PSEUDONYM}`;
/** More mean that a site's URL leads back to the gateway. */
const MAX_HOPS = 5;

/** Drops names with underscores: in CGI `X_Forwarded_For` and `X-Forwarded-For` set the same variable. */
const forwardingOf = memoizeByString(
  (name): FieldForwarding =>
    name.includes('_') ? 'drop' : (findRequestField(name.toLowerCase())?.forwarding ?? 'pass'),
);

type Protocol = ClientIdentity['protocol'];
const SCHEME_VALUES: { readonly [Name in FieldForwarding]?: Readonly<Record<Protocol, string | undefined>> } =
  {
    scheme: { https: 'https', http: 'http' },
    jsonScheme: { https: '{"scheme":"https"}', http: '{"scheme":"http"}' },
    secure: { https: 'on', http: undefined },
    secureFlag: { https: '1', http: undefined },
  };

export class RequestHeaders {
  /** Why the section is ambiguous, or unsafe to forward. It names its client all the same. */
  readonly refusal: HeaderRefusalReason | null;
  readonly client: ClientIdentity;
  /** Some clients state a `Content-Length` of 0 with each `GET`. */
  readonly hasBody: boolean;
  readonly hasConnectionFields: boolean;
  /** `Content-Length`, without chunks (RFC 9112 §6). */
  readonly #length: number | undefined;
  readonly #head: HeaderSource;
  readonly #resolved: ResolvedClient;
  readonly #via: string | undefined;
  readonly #connectionFields: ReadonlySet<string> | undefined;

  /** A refused section is read to its end, so that its client cannot pass for a trusted proxy. */
  constructor(head: HeaderSource, trust: TrustedProxyCheck | null) {
    const { headers: fields } = head;
    const claims: ForwardedClaims = {};
    let refusal: HeaderRefusalReason | null = null;
    let connection: string | undefined;
    let length: string | undefined;
    let encoding: string | undefined;
    let via: string | undefined;

    for (let at = 0; at + 1 < fields.length; at += 2) {
      const treatment = forwardingOf(fields[at] ?? '');
      const value = fields[at + 1] ?? '';
      switch (treatment) {
        case 'pass':
        case 'drop':
        case 'proxy':
        case 'identity':
        case 'scheme':
        case 'jsonScheme':
        case 'secure':
        case 'secureFlag':
          break;
        case 'connection':
          connection = connection === undefined ? value : join(connection, value);
          break;
        case 'length':
          // Request smuggling (RFC 9112 §6.3).
          if (length !== undefined || !/^\d{1,15}$/.test(value)) refusal ??= 'length';
          length = value;
          break;
        case 'encoding':
          encoding = join(encoding, value);
          break;
        case 'via':
          via = join(via, value);
          break;
        case 'host':
          if (claims.host !== undefined) refusal ??= 'host';
          claims.host ??= value;
          break;
        default:
          claims[treatment] = join(claims[treatment], value);
      }
    }

    if (claims.host !== undefined && claims.host !== '' && !isValidHostField(claims.host)) refusal ??= 'host';
    if (encoding !== undefined) {
      if (length !== undefined) refusal ??= 'length';
      if (encoding.trim().toLowerCase() !== 'chunked') refusal ??= 'encoding';
    }
    if (via !== undefined && countHops(via) >= MAX_HOPS) refusal ??= 'loop';
    const named = connection === undefined ? undefined : parseConnectionFields(connection);
    for (const name of named ?? []) {
      if (FIELDS_PROTECTED_FROM_CONNECTION.has(name)) refusal ??= 'connection';
    }
    this.refusal = refusal;
    this.hasBody = encoding !== undefined || Number(length ?? 0) > 0;
    this.hasConnectionFields = named !== undefined;
    this.#length = encoding !== undefined || length === undefined ? undefined : Number(length);
    this.#head = head;
    const { peerAddress, prefix = '', protocol } = head;
    const address = unmapIpv4(peerAddress);
    const { host = '' } = claims;
    this.#resolved =
      trust?.(peerAddress) === true
        ? resolveClaims(protocol, address, prefix, claims, trust)
        : {
            client: { address, protocol, host, forwardedPrefix: prefix },
            isBehindProxy: false,
            earlierHops: NO_HOPS,
          };
    this.client = this.#resolved.client;
    this.#via = via;
    this.#connectionFields = named;
  }

  /** Whether the site gets these fields, if any, exactly as the client sent them. */
  areForwardedUnchanged(names: readonly string[]): boolean {
    if (this.hasConnectionFields) return false;
    return names.every(
      (name) =>
        forwardingOf(name) === 'pass' &&
        !claimsOtherAddress(name, fieldValue(this.#head.headers, name) ?? '', this.client),
    );
  }

  toUpstreamHeaders(
    { host, isBehindCloudflare, mountPath, publicAddress, requestsIdentity, shared }: UpstreamHeaderOptions,
    requestId: string,
  ): string[] {
    const { headers: fields, httpVersion, peerAddress } = this.#head;
    const { client, earlierHops, isBehindProxy } = this.#resolved;
    const forwarded = publicAddress ?? client;
    const headers = ['Host', host];
    const schemeFields: string[] = [];
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const name = fields[at] ?? '';
      const value = fields[at + 1] ?? '';
      const treatment = forwardingOf(name);
      const schemeValues = SCHEME_VALUES[treatment];
      if (schemeValues !== undefined) {
        const stated = isBehindProxy ? schemeValues[forwarded.protocol] : undefined;
        if (stated !== undefined && !hasField(schemeFields, name.toLowerCase()))
          schemeFields.push(name, stated);
        continue;
      }
      const isPassed = treatment === 'pass' || (treatment === 'proxy' && isBehindProxy);
      const isForwarded = isPassed
        ? (shared?.isForwarded(name, value) ?? true) && !claimsOtherAddress(name, value, client)
        : treatment === 'identity' && !requestsIdentity;
      if (isForwarded) headers.push(name, value);
    }
    if (this.#connectionFields !== undefined) removeFields(headers, this.#connectionFields);
    headers.push(...schemeFields);
    if (this.#length !== undefined) headers.push('Content-Length', String(this.#length));
    if (requestsIdentity) headers.push('Accept-Encoding', 'identity');
    appendForwardedFields(headers, peerAddress, earlierHops, forwarded, mountPath, shared?.address);
    if (isBehindCloudflare) removeFields(headers, CONNECTING_IP);
    const via =
      shared === undefined ? join(this.#via, `${httpVersion} ${PSEUDONYM}`) : repeatPseudonym(this.#via);
    headers.push('Via', via, 'X-Request-Id', requestId);
    return headers;
  }
}

const countHops = (via: string): number => via.split(PSEUDONYM).length - 1;

function repeatPseudonym(via: string | undefined): string {
  if (via === undefined) return OWN_VIA;
  return Array.from({ length: countHops(via) + 1 }, () => OWN_VIA).join(', ');
}

function join(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}

const CONNECTING_IP: ReadonlySet<string> = new Set(['cf-connecting-ip']);

export type TrustedProxyCheck = (address: string) => boolean;

export interface ClientIdentity {
  readonly address: string;
  readonly protocol: 'http' | 'https';
  readonly host: string;
  /** Where a trusted proxy or an app mounts this gateway, without a trailing slash. */
  readonly forwardedPrefix: string;
}

type ForwardedClaims = Partial<Record<'host' | 'xFor' | 'xHost' | 'xProto' | 'xPort' | 'xPrefix', string>>;

export type PublicAddress = Omit<ClientIdentity, 'address'>;

export function toPublicAddress(publicUrl: string): PublicAddress {
  const { host, pathname, protocol } = new URL(publicUrl);
  const forwardedPrefix = pathname.replace(/\/+$/, '');
  return { host, protocol: protocol === 'https:' ? 'https' : 'http', forwardedPrefix };
}

export function createBaseUrlLookup(
  publicUrl: string | undefined,
  mount: string,
  hasManyHosts = false,
): (client: ClientIdentity) => string {
  if (publicUrl !== undefined && hasManyHosts) {
    const { forwardedPrefix, protocol } = toPublicAddress(publicUrl);
    return ({ host }) => `${protocol}://${host}${forwardedPrefix}${mount}`;
  }
  if (publicUrl !== undefined) {
    const publicBase = publicUrl.replace(/\/+$/, '') + mount;
    return () => publicBase;
  }
  return ({ forwardedPrefix, host, protocol }) => `${protocol}://${host}${forwardedPrefix}${mount}`;
}

interface ResolvedClient {
  readonly client: ClientIdentity;
  readonly isBehindProxy: boolean;
  /** From the client on, without the peer; empty if that is not trusted. */
  readonly earlierHops: readonly string[];
}

const NO_HOPS: readonly string[] = [];

/** RFC 3986 §3.2.2, §3.2.3, without percent-encoding. */
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const PREFIX = /^(?:\/[A-Za-z0-9._~-]+)+$/;

/** Whether a text is a host with an optional port, as URLs name it: frameworks refuse `127.1`. */
export const isValidHostField: (text: string) => boolean = memoizeByString((text) => {
  if (text.length > 300 || !HOST.test(text) || !URL.canParse(`http://${text}`)) return false;
  return new URL(`http://${text}`).hostname === text.replace(/:\d+$/, '').toLowerCase();
});

/** Proxies that set `X-Forwarded-*` forward the client's own `Forwarded` (RFC 7239), so it is not read. */
function resolveClaims(
  peerProtocol: 'http' | 'https',
  peer: string,
  prefix: string,
  claims: ForwardedClaims,
  trust: TrustedProxyCheck,
): ResolvedClient {
  const { host = '', xFor = '', xHost = '', xProto = '' } = claims;
  const { address, hops } = findClient(peer, splitList(xFor), trust);
  const [named] = splitList(xProto.toLowerCase());
  const protocol = named === 'http' || named === 'https' ? named : peerProtocol;
  const [claimedHost] = splitList(xHost);
  const clientHost = claimedHost !== undefined && isValidHostField(claimedHost) ? claimedHost : host;
  return {
    client: {
      address,
      protocol,
      host: withPort(clientHost, claims.xPort, protocol),
      forwardedPrefix:
        (claims.xPrefix !== undefined && PREFIX.test(claims.xPrefix) ? claims.xPrefix : '') + prefix,
    },
    isBehindProxy: true,
    earlierHops: hops,
  };
}

function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\S*)?$/.exec(text)?.[1] ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\S*$/, '$1');
}

/** Finds the last untrusted address, else the first one. Earlier hops are the client's own claim. */
function findClient(
  peer: string,
  chain: readonly string[],
  trust: TrustedProxyCheck,
): { readonly address: string; readonly hops: readonly string[] } {
  let found = { address: peer, hops: NO_HOPS };
  for (let at = chain.length - 1; at >= 0; at -= 1) {
    const address = withoutPort(chain[at] ?? '');
    if (parseIpAddress(address) === undefined) break;
    found = { address: unmapIpv4(address), hops: chain.slice(at) };
    if (!trust(address)) break;
  }
  return found;
}

function withPort(host: string, port: string | undefined, protocol: 'http' | 'https'): string {
  if (port === undefined || !/^\d{1,5}$/.test(port) || /:\d+$/.test(host) || host === '') return host;
  return port === defaultPort(protocol) ? host : `${host}:${port}`;
}

function defaultPort(protocol: 'http' | 'https'): string {
  return protocol === 'https' ? '443' : '80';
}

function unmapIpv4(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

const ADDRESS_FIELDS = ['X-Real-IP', 'True-Client-IP', 'CF-Connecting-IP'];

const ADDRESS_IN_LIST = /(?:^|,)\s*(?:\d+\.\d+\.\d+\.\d+|\[?[\da-f]*:[\da-f:]*)/i;

/** Whether a field claims an address other than the client's, e.g. `CF-Connecting-IP`, whatever its name. */
function claimsOtherAddress(name: string, value: string, client: ClientIdentity): boolean {
  if (!ADDRESS_IN_LIST.test(value) || /version$/i.test(name)) return false;
  const own = parseIpAddress(client.address)?.value;
  return splitList(value).some((item) => {
    const claimed = parseIpAddress(withoutPort(item))?.value;
    return claimed !== undefined && claimed !== own;
  });
}

function appendForwardedFields(
  headers: string[],
  peer: string,
  hops: readonly string[],
  client: PublicAddress,
  mount: string,
  foreign: string | undefined,
): void {
  const earlierHops = foreign === undefined ? hops : NO_HOPS;
  const address = foreign ?? (unmapIpv4(peer) || 'unknown');
  const colon = /:(\d+)$/.exec(client.host);
  headers.push('X-Forwarded-For', [...earlierHops, address].join(', '));
  if (foreign !== undefined)
    for (const name of ADDRESS_FIELDS)
      if (!hasField(headers, name.toLowerCase())) headers.push(name, foreign);
  headers.push('X-Forwarded-Host', client.host);
  headers.push('X-Forwarded-Proto', client.protocol);
  headers.push('X-Forwarded-Port', colon?.[1] ?? defaultPort(client.protocol));
  const prefix = client.forwardedPrefix + mount;
  if (prefix !== '') headers.push('X-Forwarded-Prefix', prefix);
  const elements = [...earlierHops.map(withoutPort), address].map((hop) => `for=${formatNode(hop)}`);
  const host = client.host === '' ? '' : `;host="${client.host}"`;
  elements[0] = `${elements[0]}${host};proto=${client.protocol}`;
  headers.push('Forwarded', elements.join(', '));
}

/** RFC 7239 §6: an IP address, or `unknown`. */
const formatNode = (address: string): string => (address.includes(':') ? `"[${address}]"` : address);
