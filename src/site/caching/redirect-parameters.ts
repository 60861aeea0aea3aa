import type { ResponseHead, ResponseSink } from '../../http/exchange.ts';
import { fieldValue, withoutFields } from '../../http/fields.ts';

/**
 * Adds parameters that the site did not get to the redirects of the site to itself: it would have repeated them
 * (`redirect_canonical()`), and the scripts of the next page may read them.
 *
 * @param query without question mark
 * @param publicBase the gateway's URL of the site
 */
export function keepParametersInRedirects(
  sink: ResponseSink,
  query: string,
  publicBase: string,
): ResponseSink {
  const add = (head: ResponseHead): ResponseHead => {
    const location =
      head.status < 300 || head.status > 399 ? undefined : fieldValue(head.headers, 'location');
    const isOwn = location?.startsWith(`${publicBase}/`) === true || /^\/(?!\/)/.test(location ?? '');
    // A request that was forwarded with all that its client sent had them.
    if (location === undefined || !isOwn || location.includes(query)) return head;
    const [address = '', fragment] = location.split(/#(.*)/s, 2);
    const extended = `${address}${address.includes('?') ? '&' : '?'}${query}`;
    const headers = withoutFields(head.headers, LOCATION);
    headers.push('Location', fragment === undefined ? extended : `${extended}#${fragment}`);
    return { ...head, headers };
  };
  return {
    interim: (head) => sink.interim?.(head),
    head: (head) => sink.head(add(head)),
    write: (chunk) => sink.write(chunk),
    end: (trailers) => sink.end(trailers),
    fail: (failure) => sink.fail(failure),
    ...(sink.complete === undefined
      ? {}
      : { complete: (head: ResponseHead, body: Uint8Array) => sink.complete?.(add(head), body) }),
  };
}

const LOCATION: ReadonlySet<string> = new Set(['location']);
