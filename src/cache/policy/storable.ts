import { hasDirective, isUnqualified, parseDirectives } from '../../http/directives.ts';
import { fieldValue, hasField } from '../../http/fields.ts';
import type { StoredResponse } from '../store.ts';
import { initialAge, withDate } from './age.ts';
import { storedFields } from './fields.ts';
import { type Governing, governing } from './governing.ts';
import { type Arrived, explicitLifetime, freshnessLifetime } from './lifetime.ts';
import type { Received } from './received.ts';
import { staleWindows } from './stale.ts';
import { HEURISTICALLY_CACHEABLE, UNDERSTOOD } from './status.ts';
import { variantOf, varyNames } from './variants.ts';

/** All of an answer that is known before its body has come. */
export type Draft = Omit<StoredResponse, 'body' | 'tags'>;

/** Why an answer is not kept. */
export type NotStored =
  | 'method'
  | 'request-no-store'
  | 'interim'
  | 'not-modified'
  | 'partial'
  | 'no-store'
  | 'private'
  | 'authorized'
  | 'cookie'
  | 'nonce'
  | 'vary'
  | 'not-understood'
  | 'not-cacheable'
  | 'useless';

export type Storability =
  | { readonly kind: 'store'; readonly draft: Draft }
  | { readonly kind: 'pass'; readonly reason: NotStored };

/** RFC 9111 §3: "A cache MUST NOT store a response to a request unless:" – all that follows. */
export function storable(received: Received): Storability {
  const { head, requestHeaders, requestTime, responseTime, rule } = received;
  const governed = governing(head.headers);
  const reason = refusal(received, governed);
  if (reason !== undefined) return { kind: 'pass', reason };
  const vary = varyNames(head.headers, received.unvarying);
  if (vary === null) return { kind: 'pass', reason: 'vary' };

  const arrived: Arrived = { status: head.status, headers: head.headers, governing: governed, responseTime };
  if (!isCacheable(arrived, received)) return { kind: 'pass', reason: 'not-cacheable' };
  const lifetime = freshnessLifetime(arrived, rule);
  const windows = staleWindows(head.status, governed.directives, rule);
  if (!isOfUse(head.headers, lifetime, windows)) return { kind: 'pass', reason: 'useless' };

  const draft: Draft = {
    status: head.status,
    headers: withDate(storedFields(head.headers, governed.directives), responseTime),
    variant: variantOf(vary, requestHeaders),
    vary,
    requestTime,
    responseTime,
    initialAge: initialAge(head.headers, requestTime, responseTime),
    lifetime,
    staleWhileRevalidate: windows.staleWhileRevalidate,
    staleIfError: windows.staleIfError,
    purged: false,
  };
  return { kind: 'store', draft };
}

/** The reasons that no rule sets aside, in the order of §3. */
function refusal(received: Received, { directives }: Governing): NotStored | undefined {
  const { status, headers } = received.head;
  // "the request method is understood by the cache": of what comes here, only GET has a body to keep.
  if (received.method !== 'GET') return 'method';
  if (hasDirective(requestDirectives(received.requestHeaders), 'no-store')) return 'request-no-store';
  // "the response status code is final".
  if (status < 200) return 'interim';
  // "if the response status code is 206 or 304, […] the cache understands the response status code". A part is not
  // stored, and a 304 is nothing by itself.
  if (status === 304) return 'not-modified';
  if (status === 206) return 'partial';
  const reason = forbidden(status, directives);
  if (reason !== undefined) return reason;
  // "if the cache is shared: the Authorization header field is not present in the request […] or a response directive
  // is present that explicitly allows shared caching (see Section 3.5)".
  if (received.authorized && !PERMITS_AUTHORIZED.some((name) => hasDirective(directives, name)))
    return 'authorized';
  // Not the RFC's: what one caller was handed to be known by is nobody else's.
  if (hasField(headers, 'set-cookie')) return 'cookie';
  return hasField(headers, 'x-wp-nonce') ? 'nonce' : undefined;
}

/**
 * "the no-store cache directive is not present in the response"; "if the cache is shared: the private response directive
 * is either not present or allows a shared cache to store a modified response". §5.2.2.3: "must-understand […] a cache
 * that implements this […] MAY store […] when it understands and implements the status code, ignoring no-store".
 */
function forbidden(status: number, directives: Governing['directives']): NotStored | undefined {
  if (hasDirective(directives, 'must-understand')) {
    if (!UNDERSTOOD.has(status)) return 'not-understood';
  } else if (hasDirective(directives, 'no-store')) return 'no-store';
  return isUnqualified(directives, 'private') ? 'private' : undefined;
}

/** §3.5: "must-revalidate, public, and s-maxage". */
const PERMITS_AUTHORIZED = ['must-revalidate', 'public', 's-maxage'];

function requestDirectives(headers: readonly string[]): Governing['directives'] {
  return parseDirectives(fieldValue(headers, 'cache-control') ?? '');
}

/**
 * "the response contains at least one of the following: a public response directive […]; an Expires header field; a
 * max-age response directive; if the cache is shared: an s-maxage response directive; a cache extension that allows it
 * to be cached; or a status code that is defined as heuristically cacheable". A rule is such an extension.
 */
function isCacheable(arrived: Arrived, { rule }: Received): boolean {
  return (
    explicitLifetime(arrived) !== undefined ||
    hasDirective(arrived.governing.directives, 'public') ||
    HEURISTICALLY_CACHEABLE.has(arrived.status) ||
    (rule.ttl(arrived.status) ?? 0) > 0
  );
}

/** What is stale from the start, cannot be validated and never may be served stale would only take room. */
function isOfUse(
  headers: readonly string[],
  lifetime: number,
  windows: { readonly staleWhileRevalidate: number; readonly staleIfError: number },
): boolean {
  return (
    lifetime > 0 ||
    windows.staleWhileRevalidate > 0 ||
    windows.staleIfError > 0 ||
    hasField(headers, 'etag') ||
    hasField(headers, 'last-modified')
  );
}
