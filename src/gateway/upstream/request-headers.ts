import {
  fieldValue,
  hasField,
  type IncomingRequestHead,
  parseConnectionFields,
  removeFields,
} from '../../base/http/message.ts';
import { type DeclaredProblem, parseProblems } from '../../base/http/problems.ts';
import {
  FIELDS_PROTECTED_FROM_CONNECTION,
  type FieldForwarding,
  findRequestField,
  type SchemeForwarding,
} from '../../base/http/request-fields.ts';
import { memoizeByString } from '../../base/memoize.ts';
import RESPONSES from './failure-responses.json' with { type: 'json' };
import {
  appendForwardedFields,
  type ClientIdentity,
  claimsOtherAddress,
  type ForwardedClaims,
  isValidHostField,
  type PublicAddress,
  type ResolvedClient,
  resolveClient,
  type TrustedProxyCheck,
  withPublicAddress,
} from './forwarded.ts';

export type { ClientIdentity };

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
const SCHEME_VALUES: Readonly<Record<SchemeForwarding, Readonly<Record<Protocol, string | undefined>>>> = {
  scheme: { https: 'https', http: 'http' },
  jsonScheme: { https: '{"scheme":"https"}', http: '{"scheme":"http"}' },
  secure: { https: 'on', http: undefined },
  secureFlag: { https: '1', http: undefined },
};

function isScheme(treatment: FieldForwarding): treatment is SchemeForwarding {
  return treatment in SCHEME_VALUES;
}

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
  constructor(head: HeaderSource, trust: TrustedProxyCheck) {
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
    this.#resolved = resolveClient(head, claims, trust);
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
    const forwarded = publicAddress === undefined ? client : withPublicAddress(client, publicAddress);
    const headers = ['Host', host];
    const schemeFields: string[] = [];
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const name = fields[at] ?? '';
      const value = fields[at + 1] ?? '';
      const treatment = forwardingOf(name);
      if (isScheme(treatment)) {
        const stated = isBehindProxy ? SCHEME_VALUES[treatment][forwarded.protocol] : undefined;
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
    appendForwardedFields(
      headers,
      peerAddress,
      { client: forwarded, earlierHops },
      mountPath,
      shared?.address,
    );
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
