import { type CacheDirectives, listQualifiedFieldNames } from '../../http/cache-directives.ts';
import { fieldValue, withoutFields } from '../../http/fields.ts';

/**
 * RFC 9111 §3.1: "The Connection header field and fields whose names are listed in it are required by Section 7.6.1 of
 * [HTTP] to be removed before forwarding the message", as are those "that are used to establish […] a connection", and
 * "fields that are specific to the proxy that a cache uses when forwarding a request MUST NOT be stored". This cache adds
 * its own `Age` and `Cache-Status` to each response.
 */
const NEVER_STORED_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'age',
  'cache-status',
  'x-request-id',
]);

/**
 * Copies the fields that may be stored. RFC 9111 §5.2.2.4, `no-cache="field"`: "a cache MUST NOT use the listed header
 * fields in the response to a subsequent request without successful revalidation". §5.2.2.7, `private="field"`: "a shared
 * cache MUST NOT store [them]". The cache stores no field that either directive lists.
 */
export function selectStoredFields(headers: readonly string[], directives: CacheDirectives): string[] {
  const connection = fieldValue(headers, 'connection');
  if (connection === undefined && directives.length === 0) return withoutFields(headers, NEVER_STORED_FIELDS);
  return withoutFields(
    headers,
    new Set([
      ...NEVER_STORED_FIELDS,
      ...(connection ?? '').split(',').map((name) => name.trim().toLowerCase()),
      ...listQualifiedFieldNames(directives, 'no-cache'),
      ...listQualifiedFieldNames(directives, 'private'),
    ]),
  );
}
