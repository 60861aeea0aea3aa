import { MAX_BODY_BYTES } from '../../../gateway/admin/admin-app.ts';
import { PROBLEMS, type Problem, problemResponse } from '../../../gateway/exchange/problem.ts';
import type { AdminHandler, Log } from '../../../gateway/index.ts';
import type { IncomingRequestHead } from '../../../http/exchange.ts';
import { readAll } from '../../../http/web-streams.ts';
import type {
  Channel,
  ForwardedHead,
  ForwardedRequest,
  PrimaryExchanges,
  WorkerExchanges,
} from './messages.ts';

const BODY_TOO_LARGE: Problem = {
  status: 413,
  code: 'gateway_body_too_large',
  message: 'The body of a request below /-/ may have at most 1 MiB.',
};

type WorkerChannel = Channel<WorkerExchanges, PrimaryExchanges>;

/** Lets the primary process respond to a request below `/-/` that a worker has received. */
export async function forwardRequest(
  channel: WorkerChannel,
  request: Request,
  head: IncomingRequestHead,
): Promise<Response> {
  const body = request.body === null ? null : await readAll(request.body, MAX_BODY_BYTES);
  if (request.body !== null && body === null) return problemResponse(BODY_TOO_LARGE, request.method);
  const { headers, method, url } = request;
  const response = await channel.call('request', { method, url, headers: [...headers], body, head });
  if (response === undefined) return problemResponse(PROBLEMS.internalError, request.method);
  const fields = response.headers.map(([name, value]): [string, string] => [name, value]);
  const { hasBody, id, status } = response;
  return new Response(hasBody ? createBody(channel, id) : null, { status, headers: fields });
}

/** Creates a body that is read part by part, so that a slow client holds no memory in the primary process. */
function createBody(channel: WorkerChannel, id: number): ReadableStream<Uint8Array> {
  let isCancelled = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const bytes = await channel.call('read', id);
      if (isCancelled) return;
      if (bytes === null || bytes === undefined) controller.close();
      else controller.enqueue(bytes);
    },
    cancel() {
      isCancelled = true;
      channel.add('cancel', id);
    },
  });
}

/** Responds in the primary process to the requests that one worker has forwarded. */
export class RequestReceiver {
  readonly #respond: AdminHandler;
  readonly #log: Log;
  /** Of the bodies that are not read to their end, by the id of the response. */
  readonly #readers = new Map<number, ReadableStreamDefaultReader<Uint8Array>>();
  #lastId = 0;

  constructor(respond: AdminHandler, log: Log) {
    this.#respond = respond;
    this.#log = log;
  }

  async respond({ body, head, headers, method, url }: ForwardedRequest): Promise<ForwardedHead> {
    const init = {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: body === null ? null : new Uint8Array(body),
    };
    const response = await this.#respond(new Request(url, init), head).catch((error: unknown) => {
      this.#log.error({ err: error }, 'the gateway failed to respond');
      return problemResponse(PROBLEMS.internalError, method);
    });
    this.#lastId += 1;
    const id = this.#lastId;
    const reader = response.body?.getReader();
    if (reader !== undefined) this.#readers.set(id, reader);
    return { id, status: response.status, headers: [...response.headers], hasBody: reader !== undefined };
  }

  /** Returns the next part of a body; `null` at its end. A body that fails ends: it is the page of a console. */
  async read(id: number): Promise<Uint8Array | null> {
    const { value = null } =
      (await this.#readers
        .get(id)
        ?.read()
        .catch(() => null)) ?? {};
    if (value === null) this.#readers.delete(id);
    return value;
  }

  async cancel(id: number): Promise<void> {
    const reader = this.#readers.get(id);
    this.#readers.delete(id);
    await reader?.cancel().catch(() => {});
  }

  /** Ends all responses: the worker has ended. */
  close(): void {
    for (const reader of this.#readers.values()) void reader.cancel().catch(() => {});
    this.#readers.clear();
  }
}
