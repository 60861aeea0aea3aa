import { splitNames } from '../glob.ts';
import GROUPS from './request-fields.json' with { type: 'json' };

/**
 * Forwarding of a client's field.
 * - `pass`: unchanged, unless `Connection` names it.
 * - `proxy`: only if a trusted proxy sets it.
 * - a {@link SchemeForwarding}: if a trusted proxy sets it, every request has it, with the client's scheme.
 * - `identity`: not if the gateway requests the identity coding.
 * - others: `RequestHeaders` parses the field and writes a new one.
 */
export type FieldForwarding = (typeof FORWARDINGS | typeof ADDRESS_FORWARDINGS)[number] | SchemeForwarding;
/** How a field states the scheme: `https`, `{"scheme":"https"}`, `on`, `1`; the last two only `https`. */
type SchemeForwarding = (typeof SCHEME_FORWARDINGS)[number];
const SCHEME_FORWARDINGS = ['scheme', 'jsonScheme', 'secure', 'secureFlag'] as const;
const FORWARDINGS = ['pass', 'drop', 'proxy', 'identity', 'connection', 'length', 'encoding', 'via'] as const;
const ADDRESS_FORWARDINGS = ['host', 'xFor', 'xHost', 'xProto', 'xPort', 'xPrefix'] as const;
const ALL_FORWARDINGS = [...FORWARDINGS, ...ADDRESS_FORWARDINGS, ...SCHEME_FORWARDINGS];

/**
 * Meaning of a request field for the store.
 * - `negotiation`: identifies nobody; selects a representation, or the cache evaluates it.
 * - `description`: identifies nobody; describes the client or the way of the request.
 * - `cookie`, `body`, `override`: the value or the method decides.
 * - `credentials`: authenticates a client or a session.
 */
export type FieldCacheClass = (typeof CACHE_CLASSES)[number];
const CACHE_CLASSES = ['negotiation', 'description', 'cookie', 'body', 'override', 'credentials'] as const;

/** A field without an entry is forwarded, and treated as if it identified the client. */
interface KnownField {
  readonly forwarding: FieldForwarding;
  readonly cacheClass: FieldCacheClass;
  /**
   * `site`: forwarded with shared requests to a WordPress site; other fields only if they are part of the key.
   * `origin`: part of the key, if its value is valid. `plain-key`: part of the key of a plain origin, because applications answer
   * scripts in other forms. `trace`: forwarded if its value is an id, which changes no response.
   */
  readonly sharing: (typeof SHARINGS)[number] | undefined;
}
const SHARINGS = ['site', 'origin', 'plain-key', 'trace'] as const;

export const CONNECTION_FIELDS: readonly string[] = splitNames(
  'keep-alive proxy-connection te trailer upgrade expect http2-settings proxy',
);

const FIELD_GROUPS: readonly ({ readonly cacheClass: string; readonly sharing?: string } & {
  readonly [names in 'passed' | 'dropped' | 'fromProxies']?: readonly string[];
} & { readonly rewritten?: Readonly<Record<string, string>> })[] = GROUPS;

const KNOWN_FIELDS: ReadonlyMap<string, KnownField> = new Map(
  FIELD_GROUPS.flatMap(
    ({ cacheClass, dropped = [], fromProxies = [], passed = [], rewritten = {}, sharing }) => {
      const field = {
        cacheClass: requireOneOf(CACHE_CLASSES, cacheClass),
        sharing: sharing === undefined ? undefined : requireOneOf(SHARINGS, sharing),
      };
      const treatments = [
        ...passed.flatMap(splitNames).map((name) => [name, 'pass'] as const),
        ...dropped.flatMap(splitNames).map((name) => [name, 'drop'] as const),
        ...fromProxies.flatMap(splitNames).map((name) => [name, 'proxy'] as const),
        ...Object.entries(rewritten),
      ];
      return treatments.map(
        ([name, forwarding]) =>
          [name, { ...field, forwarding: requireOneOf(ALL_FORWARDINGS, forwarding) }] as const,
      );
    },
  ),
);

function requireOneOf<T extends string>(values: readonly T[], text: string): T {
  const found = values.find((value) => value === text);
  if (found === undefined)
    throw new TypeError(`request-fields.json: "${text}" is none of ${values.join(', ')}`);
  return found;
}
const KNOWN_PREFIXES = [...KNOWN_FIELDS].flatMap(([name, field]) =>
  name.endsWith('*') ? [{ prefix: name.slice(0, -1), field }] : [],
);

export function findRequestField(name: string): KnownField | undefined {
  return KNOWN_FIELDS.get(name) ?? KNOWN_PREFIXES.find(({ prefix }) => name.startsWith(prefix))?.field;
}

/** `Connection` must not name these (RFC 9110 §7.6.1): the gateway routes, validates and caches by them. */
export const FIELDS_PROTECTED_FROM_CONNECTION: ReadonlySet<string> = new Set(
  splitNames(`host content-length content-type content-encoding transfer-encoding authorization cookie accept range
    origin x-http-method-override x-requested-with x-wp-nonce cache-control user-agent sec-ch-ua-mobile`),
);
