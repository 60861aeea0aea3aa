import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { IncomingRequestHead } from '../../base/http/exchange.ts';
import { fieldValue, toFieldPairs } from '../../base/http/fields.ts';
import { watchBodyRate } from '../../base/http/request-body.ts';
import { type IncomingRequest, isFramed, toFetchUrl } from '../incoming-request.ts';
import { toOriginForm } from '../router/target.ts';

interface MessageSender {
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  refuseBody(): void;
}

export class NodeRequest implements IncomingRequest {
  readonly head: IncomingRequestHead;
  readonly incoming: IncomingMessage;
  /** A gateway without an outer app hands an agent's requests to its own. */
  readonly callApp = null;
  readonly #sender: MessageSender;
  #reading: AsyncIterator<Uint8Array> | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isDropped = false;

  constructor(incoming: IncomingMessage, sender: MessageSender) {
    this.incoming = incoming;
    this.head = toRequestHead(incoming);
    this.#sender = sender;
  }

  /** Whether a `Request` can express it. The gateway refuses all others: their targets are no paths, or they are TRACE. */
  get isExpressible(): boolean {
    return this.head.target.startsWith('/') && this.head.method !== 'TRACE';
  }

  openBody(): IncomingMessage {
    watchBodyRate(this.incoming, () => this.#sender.refuseBody());
    return this.incoming;
  }

  toFetch(): Request {
    const { headers, method } = this.head;
    const hasBody = isFramed(headers) && method !== 'GET' && method !== 'HEAD';
    return new Request(toFetchUrl(this.head), {
      method,
      headers: toFieldPairs(headers),
      signal: this.#sender.signal,
      ...(hasBody ? { body: this.#stream(), duplex: 'half' } : {}),
    });
  }

  /** Node drops the rest of a message that nobody has begun to read, so the first read begins it. */
  #stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: async (controller) => {
          this.#reading ??= this.openBody().iterator({ destroyOnReturn: false });
          const { done, value } = await this.#reading.next();
          if (this.#isDropped) return;
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => this.#drop(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Drops the content that a handler has left unread, once the response has ended: the next request is behind it. */
  dropBody(): void {
    const { complete, readableHighWaterMark, readableLength } = this.incoming;
    if (this.#reading === undefined || (complete && readableLength < readableHighWaterMark)) return;
    // A late reader must not take the beginning for the whole.
    if (!this.#isDropped) this.#controller?.error(new Error('the response ended before the body was read'));
    this.#drop();
  }

  /** While an iterator waits for content, a stream does not flow. */
  #drop(): void {
    this.#isDropped = true;
    const resume = (): void => void this.incoming.resume();
    if (this.#reading === undefined) resume();
    else this.#reading.return?.().then(resume, resume);
  }
}

export function toRequestHead(
  incoming: Pick<IncomingMessage, 'httpVersion' | 'method' | 'rawHeaders' | 'socket' | 'url'>,
): IncomingRequestHead {
  const { httpVersion, method = 'GET', rawHeaders, socket, url: target = '/' } = incoming;
  const head: IncomingRequestHead = {
    method,
    target,
    headers: httpVersion === '1.0' ? withHost(rawHeaders, socket) : rawHeaders,
    peerAddress: socket.remoteAddress ?? '',
    protocol: 'http',
    httpVersion,
  };
  return target.startsWith('/') ? head : toOriginForm(head);
}

/** Adds a `Host` from the local address: HTTP/1.0 requests can have none, and URL rewriting needs one. */
function withHost(headers: readonly string[], { localAddress = '', localPort }: Socket): readonly string[] {
  if ((fieldValue(headers, 'host') ?? '') !== '' || localAddress === '') return headers;
  const name = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return [...headers, 'Host', `${name}:${localPort}`];
}
