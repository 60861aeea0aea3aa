import { splitNames } from '../glob.ts';
import GROUPS from './request-fields.json' with { type: 'json' };

/**
 * Forwarding of a client's field.
 *
 * - `pass`: the field is forwarded unchanged, unless `Connection` names it.
 * - `drop`: the field is not forwarded.
 * - `proxy`: the field is forwarded for clients behind a trusted proxy, which sets it. Sites believe it.
 * - `identity`: the field is dropped if the gateway requests the identity coding.
 * - all others: `readRequestHeaders` parses the field and writes a new one.
 */
export type FieldForwarding = (typeof FORWARDINGS | typeof ADDRESS_FORWARDINGS)[number];
const FORWARDINGS = ['pass', 'drop', 'proxy', 'identity', 'connection', 'length', 'encoding', 'via'] as const;
const ADDRESS_FORWARDINGS = ['host', 'forwarded', 'xFor', 'xHost', 'xProto', 'xPort', 'xPrefix'] as const;

/**
 * Meaning of a request field for the store.
 *
 * - `negotiation`: identifies nobody. A plain origin needs it to respond: the cache evaluates it, or it selects the
 *   representation.
 * - `description`: identifies nobody, and describes the client, its browser or the way of the request.
 * - `cookie`, `body`, `override`: the value or the method decides.
 * - `credentials`: authenticates a client or a session. Only `credentialHeaders: ['!x-wp-nonce']` takes it off.
 */
export type FieldCacheClass = (typeof CACHE_CLASSES)[number];
const CACHE_CLASSES = ['negotiation', 'description', 'cookie', 'body', 'override', 'credentials'] as const;

/** Entry of a request field. A field without one is forwarded, and is treated as if it identified the client. */
interface KnownField {
  readonly forwarding: FieldForwarding;
  readonly cacheClass: FieldCacheClass;
  /**
   * `site`: forwarded with each request that can use the store of a WordPress site. No other field is forwarded with such
   * a request unless its value is part of the cache key, so no stored response depends on it.
   * `key`: the same, and its value is part of the key of pages and of a plain origin's resources.
   * `plain-key`: its value is part of the key of a plain origin's resources, as applications respond to scripts in other
   * forms.
   * `trace`: forwarded with each request if its value is an id. It says which request this is, and changes no response.
   */
  readonly sharing: (typeof SHARINGS)[number] | undefined;
}
const SHARINGS = ['site', 'key', 'plain-key', 'trace'] as const;

/** Fields of the connection with a client, besides `Connection` itself (RFC 9110 §7.6.1, §10.1.1). */
export const CONNECTION_FIELDS: readonly string[] = splitNames(
  'keep-alive proxy-connection te trailer upgrade expect http2-settings proxy',
);

/** Fields of the same meaning, `rewritten` with another treatment. A name that ends in `*` is a prefix. Each group states its reason. */
const FIELD_GROUPS: readonly ({ readonly cacheClass: string; readonly sharing?: string } & {
  readonly [names in 'passed' | 'dropped']?: readonly string[];
} & { readonly rewritten?: Readonly<Record<string, string>> })[] = GROUPS;

const KNOWN_FIELDS: ReadonlyMap<string, KnownField> = new Map(
  FIELD_GROUPS.flatMap(({ cacheClass, dropped = [], passed = [], rewritten = {}, sharing }) => {
    const field = {
      cacheClass: requireOneOf(CACHE_CLASSES, cacheClass),
      sharing: sharing === undefined ? undefined : requireOneOf(SHARINGS, sharing),
    };
    const treatments = [
      ...passed.flatMap(splitNames).map((name) => [name, 'pass'] as const),
      ...dropped.flatMap(splitNames).map((name) => [name, 'drop'] as const),
      ...Object.entries(rewritten),
    ];
    return treatments.map(
      ([name, forwarding]) =>
        [
          name,
          { ...field, forwarding: requireOneOf([...FORWARDINGS, ...ADDRESS_FORWARDINGS], forwarding) },
        ] as const,
    );
  }),
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

/** Finds what is known of a request field. @param name in lower case */
export function findRequestField(name: string): KnownField | undefined {
  return KNOWN_FIELDS.get(name) ?? KNOWN_PREFIXES.find(({ prefix }) => name.startsWith(prefix))?.field;
}

/**
 * Fields that `Connection` must not name; RFC 9110 §7.6.1 forbids it for end-to-end fields. The gateway routes, validates
 * and caches by these fields. Without them the site would see a different request.
 */
export const FIELDS_PROTECTED_FROM_CONNECTION: ReadonlySet<string> = new Set(
  splitNames(`host content-length content-type content-encoding transfer-encoding authorization cookie accept range
    origin x-http-method-override x-requested-with x-wp-nonce cache-control user-agent sec-ch-ua-mobile`),
);
