import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue, hasField } from '../../http/fields.ts';
import type { StoredResponseDraft } from '../store.ts';
import { parseEffectiveCacheControl } from './effective-cache-control.ts';
import { getExplicitLifetime } from './freshness-lifetime.ts';
import { evaluateStorability, type OriginResponse } from './storability.ts';

/**
 * Whether the response to a `POST` is a representation of the target, so that later reads of it may be served with the
 * response. RFC 9110 §9.3.3: "Responses to POST requests are only cacheable when they include explicit freshness
 * information […] and a Content-Location header field that has the same value as the POST's target URI".
 *
 * @param head as the origin sent it
 * @param target the absolute URI of the request
 */
export function isRepresentationOfTarget({ headers, status }: ResponseHead, target: string): boolean {
  if (status !== 200 || hasField(headers, 'content-range')) return false;
  // Several lines become one value with a comma, which is another URI.
  const location = fieldValue(headers, 'content-location');
  if (location === undefined || !URL.canParse(location, target)) return false;
  return new URL(location, target).href === new URL(target).href;
}

/**
 * Creates the draft of a response to a `POST` that {@link isRepresentationOfTarget}.
 *
 * @param response with the method `GET`, for which it is stored, and the request fields of the `POST`
 * @returns `null` if it must not be stored: besides the rules for `GET`, it must state its freshness, and no field of the
 * request may identify the client, because the response to a write is made for its writer first
 */
export function createPostDraft(response: OriginResponse): StoredResponseDraft | null {
  const { head, identifyingFields, responseTime } = response;
  if (identifyingFields.length > 0) return null;
  const { headers, status } = head;
  const cacheControl = parseEffectiveCacheControl(headers);
  const lifetime = getExplicitLifetime({ status, headers, cacheControl, responseTime }) ?? 0;
  if (lifetime <= 0) return null;
  const storability = evaluateStorability(response);
  return storability.kind === 'storable' && storability.draft.freshnessLifetime > 0
    ? storability.draft
    : null;
}
