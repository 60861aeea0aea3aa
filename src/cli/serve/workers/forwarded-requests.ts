import { readAdminBody } from '../../../gateway/admin/admin-handler.ts';
import { type Problem, problemResponse } from '../../../gateway/exchange/problem.ts';
import PROBLEMS from '../../../gateway/exchange/problems.json' with { type: 'json' };
import type { AdminHandler, Log } from '../../../gateway/index.ts';
import type { IncomingRequestHead } from '../../../http/request-head.ts';
import type { ForwardedHead, ForwardedRequest, PrimaryMessage, WorkerMessage } from './messages.ts';

const BODY_TOO_LARGE: Problem = {
  status: 413,
  code: 'gateway_body_too_large',
  message: 'The body of a request below /-/ may have at most 1 MiB.',
};

/** One response of the primary process, as the worker relays it. */
interface PendingResponse {
  readonly onHead: (head: ForwardedHead) => void;
  onPart: (bytes: Uint8Array | null) => void;
}

/** Lets the primary process respond to the requests below `/-/` that a worker has received. */
export class RequestForwarder {
  readonly #send: (message: WorkerMessage) => void;
  readonly #pending = new Map<number, PendingResponse>();
  #lastId = 0;

  constructor(send: (message: WorkerMessage) => void) {
    this.#send = send;
  }

  receive(message: Extract<PrimaryMessage, { kind: 'head' | 'part' }>): void {
    const pending = this.#pending.get(message.id);
    if (message.kind === 'head') pending?.onHead(message.head);
    else pending?.onPart(message.bytes);
  }

  readonly respond = async (request: Request, head: IncomingRequestHead): Promise<Response> => {
    const body = request.body === null ? null : await readAdminBody(request);
    if (request.body !== null && body === null) return problemResponse(BODY_TOO_LARGE, request.method);
    const { headers, method, url } = request;
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#pending.set(id, {
        onHead: ({ hasBody, headers: fields, status }) => {
          const init = { status, headers: fields.map(([name, value]): [string, string] => [name, value]) };
          resolve(new Response(hasBody ? this.#createBody(id) : null, init));
          if (!hasBody) this.#pending.delete(id);
        },
        onPart: () => {},
      });
      this.#send({
        kind: 'request',
        id,
        request: { method, url, headers: [...headers], body, head },
      });
    });
  };

  /** Creates a body that is read part by part, so that a slow client holds no memory in the primary process. */
  #createBody(id: number): ReadableStream<Uint8Array> {
    const pending = this.#pending.get(id);
    return new ReadableStream<Uint8Array>({
      pull: (controller) =>
        new Promise((resolve) => {
          if (pending === undefined) return;
          pending.onPart = (bytes) => {
            if (bytes === null) {
              this.#pending.delete(id);
              controller.close();
            } else controller.enqueue(bytes);
            resolve();
          };
          this.#send({ kind: 'read', id });
        }),
      cancel: () => {
        this.#pending.delete(id);
        this.#send({ kind: 'cancel', id });
      },
    });
  }
}

/** Responds in the primary process to the requests that one worker has forwarded. */
export class RequestReceiver {
  readonly #respond: AdminHandler;
  readonly #log: Log;
  readonly #send: (message: PrimaryMessage) => void;
  readonly #readers = new Map<number, ReadableStreamDefaultReader<Uint8Array>>();

  constructor(respond: AdminHandler, send: (message: PrimaryMessage) => void, log: Log) {
    this.#respond = respond;
    this.#send = send;
    this.#log = log;
  }

  async receive(message: Extract<WorkerMessage, { kind: 'request' | 'read' | 'cancel' }>): Promise<void> {
    const { id } = message;
    if (message.kind === 'request') return this.#start(id, message.request);
    const reader = this.#readers.get(id);
    if (message.kind === 'cancel') {
      this.#readers.delete(id);
      await reader?.cancel().catch(() => {});
      return;
    }
    // A body that fails ends: it is the page of a console.
    const { value = null } = (await reader?.read().catch(() => null)) ?? {};
    if (value === null) this.#readers.delete(id);
    this.#send({ kind: 'part', id, bytes: value });
  }

  /** Ends all responses: the worker has ended. */
  close(): void {
    for (const reader of this.#readers.values()) void reader.cancel().catch(() => {});
    this.#readers.clear();
  }

  async #start(id: number, { body, head, headers, method, url }: ForwardedRequest): Promise<void> {
    const init = {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: body === null ? null : new Uint8Array(body),
    };
    const response = await this.#respond(new Request(url, init), head).catch((error: unknown) => {
      this.#log.error({ err: error }, 'the gateway failed to respond');
      return problemResponse(PROBLEMS.internalError, method);
    });
    const reader = response.body?.getReader();
    if (reader !== undefined) this.#readers.set(id, reader);
    const hasBody = reader !== undefined;
    this.#send({
      kind: 'head',
      id,
      head: { status: response.status, headers: [...response.headers], hasBody },
    });
  }
}
