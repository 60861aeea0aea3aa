import { type Directives, qualifiedFields } from '../../http/directives.ts';
import { fieldValue, withoutFields } from '../../http/fields.ts';

/**
 * RFC 9111 §3.1: "The Connection header field and fields whose names are listed in it are required by Section 7.6.1 of
 * [HTTP] to be removed before forwarding the message", as are those "that are used to establish […] a connection", and
 * "fields that are specific to the proxy that a cache uses when forwarding a request MUST NOT be stored". `Age` and
 * `Cache-Status` are this cache's to say of each answer.
 */
const NEVER_STORED = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authentication-info', 'proxy-authorization'],
  ...['age', 'cache-status', 'x-request-id'],
];

/**
 * The fields that are kept. §5.2.2.4, `no-cache="field"`: "a cache MUST NOT use the listed header fields in the response
 * to a subsequent request without successful revalidation"; §5.2.2.7, `private="field"`: "a shared cache MUST NOT store
 * [them]". Neither is kept: what is not there can be neither shown nor mistaken.
 */
export function storedFields(headers: readonly string[], directives: Directives): string[] {
  const dropped = new Set(NEVER_STORED);
  for (const name of (fieldValue(headers, 'connection') ?? '').split(','))
    dropped.add(name.trim().toLowerCase());
  for (const name of qualifiedFields(directives, 'no-cache')) dropped.add(name);
  for (const name of qualifiedFields(directives, 'private')) dropped.add(name);
  return withoutFields(headers, dropped);
}
