import { type Directives, qualifiedFields } from '../../http/directives.ts';
import { fieldValue, withoutFields } from '../../http/fields.ts';

/**
 * RFC 9111 §3.1: "The Connection header field and fields whose names are listed in it are required by Section 7.6.1 of
 * [HTTP] to be removed before forwarding the message", as are those "that are used to establish […] a connection", and
 * "fields that are specific to the proxy that a cache uses when forwarding a request MUST NOT be stored". `Age` and
 * `Cache-Status` are this cache's to say of each answer.
 */
const NEVER_STORED: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authentication-info', 'proxy-authorization'],
  ...['age', 'cache-status', 'x-request-id'],
]);

/**
 * The fields that are kept. §5.2.2.4, `no-cache="field"`: "a cache MUST NOT use the listed header fields in the response
 * to a subsequent request without successful revalidation"; §5.2.2.7, `private="field"`: "a shared cache MUST NOT store
 * [them]". Neither is kept: what is not there can be neither shown nor mistaken.
 */
export function storedFields(headers: readonly string[], directives: Directives): string[] {
  const named = fieldValue(headers, 'connection');
  if (named === undefined && directives.length === 0) return withoutFields(headers, NEVER_STORED);
  return withoutFields(
    headers,
    new Set([
      ...NEVER_STORED,
      ...(named ?? '').split(',').map((name) => name.trim().toLowerCase()),
      ...qualifiedFields(directives, 'no-cache'),
      ...qualifiedFields(directives, 'private'),
    ]),
  );
}
