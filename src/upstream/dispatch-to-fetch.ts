import { Readable } from 'node:stream';
import type { DispatchTransport } from './dispatch-transport.ts';
import { collectFetchOutcome } from './fetch-outcome-sink.ts';
import type { FetchTransport } from './fetch-transport.ts';
import { readChunks } from './web-streams.ts';

/**
 * Adapts the dispatch transport to the interface of {@link FetchTransport}, for the portable app on Node. Node's own `fetch` keeps all of
 * a streamed upload in memory until the response arrives (it tees the body for redirects, even if it must not follow
 * them), decodes content codings, and normalizes URLs.
 */
export function adaptDispatchToFetch(transport: DispatchTransport): FetchTransport {
  return {
    send(request, signal) {
      const body =
        request.body instanceof ReadableStream ? Readable.from(readChunks(request.body)) : request.body;
      return collectFetchOutcome(
        (sink) => transport.send({ ...request, body }, sink),
        request.method === 'HEAD',
        signal,
      );
    },
  };
}
