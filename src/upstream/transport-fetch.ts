import { NULL_BODY_STATUSES } from '../http/body.ts';
import type { FetchTransport } from './fetch-transport.ts';

/** The part of `fetch` that discovery and polling use: requests without a body, by path and query. */
export type TransportFetch = (
  target: string,
  init: {
    readonly method?: string;
    readonly headers: Headers;
    readonly signal?: AbortSignal | undefined;
    readonly redirect?: RequestRedirect | undefined;
  },
) => Promise<Response>;

/**
 * Creates a function like `fetch` over a transport. Unlike `fetch`, it sends the given `Host`, and the transport may have
 * TLS settings. It follows no redirect: with any mode but `manual`, a redirect is an error.
 */
export function createTransportFetch(transport: FetchTransport): TransportFetch {
  return async (target, { headers, method = 'GET', redirect, signal }) => {
    const list = [...headers].flat();
    list.push('accept-encoding', 'gzip, deflate');
    const request = { method, target, headers: list, body: null, retryable: true };
    const outcome = await transport.send(request, signal);
    if (outcome.kind === 'failure') {
      signal?.throwIfAborted();
      throw new TypeError(`fetch failed: ${outcome.failure.kind}`, { cause: outcome.failure.cause });
    }
    const { head } = outcome;
    if (head.status >= 300 && head.status < 400 && head.status !== 304 && redirect !== 'manual') {
      throw new TypeError('the site redirects');
    }
    const fields = new Headers();
    for (let at = 0; at + 1 < head.headers.length; at += 2) {
      fields.append(head.headers[at] ?? '', head.headers[at + 1] ?? '');
    }
    const body = NULL_BODY_STATUSES.has(head.status) ? null : outcome.body;
    return new Response(decode(body, fields), { status: head.status, headers: fields });
  };
}

/** Decodes the codings that were requested. As with `fetch`, the fields stay. */
function decode(body: ReadableStream<Uint8Array> | null, fields: Headers): ReadableStream<Uint8Array> | null {
  const coding = fields.get('content-encoding')?.toLowerCase();
  if (body === null || (coding !== 'gzip' && coding !== 'x-gzip' && coding !== 'deflate')) return body;
  // The types of the platform allow any buffer in one direction only.
  const format: ReadableWritablePair = new DecompressionStream(coding === 'deflate' ? 'deflate' : 'gzip');
  return body.pipeThrough(format);
}
