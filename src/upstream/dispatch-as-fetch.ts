import { Readable } from 'node:stream';
import type { DispatchTransport } from './dispatch-transport.ts';
import { collectFetchOutcome } from './fetch-outcome-sink.ts';
import type { FetchTransport } from './fetch-transport.ts';
import { readChunks } from './web-streams.ts';

/**
 * Dispatch in the shape of fetch, for the portable handler where it runs on Node. Node's own `fetch` keeps every byte of
 * a streamed upload in memory until the answer comes (it tees the body in case of a redirect, even of one that it is
 * told not to follow), undoes codings, and normalises addresses.
 */
export function dispatchAsFetch(transport: DispatchTransport): FetchTransport {
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
