import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CacheOutcome,
  type CacheStatus,
  formatCacheStatus,
  toCacheOutcome,
} from '../../base/http/cache-status.ts';
import type {
  Exchange,
  IncomingRequestHead,
  RepeatedResponse,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
} from '../../base/http/exchange.ts';
import { fieldValue, firstFieldValue, hasField, withoutFields } from '../../base/http/fields.ts';
import type { UpstreamFailureKind } from '../../base/http/network-errors.ts';
import type { Log } from '../../base/ports.ts';
import { PROBLEMS, type Problem, toProblemReply } from '../exchange/problem.ts';
import type { Gateway } from '../gateway.ts';
import type { GatewayRequest, RequestAttributes } from '../gateway-request.ts';
import { NodeRequest } from '../incoming-request.ts';
import {
  type Answer,
  type CreateResponse,
  createUnroutedAnswer,
  FAULT,
  FetchExchange,
  type Reply,
  toSentFields,
} from '../reply.ts';
import { REQUEST_ID, type RequestContext } from '../request-context.ts';
import { respond, startExchange } from '../respond.ts';
import type { Ending } from '../site/traffic/site-traffic.ts';
import { describeFailureCause, FAILURE_RESPONSES } from '../upstream/failures.ts';
import { formatHead } from './stored-head.ts';

/** A Hono app. The package publishes this file's declarations. */
export interface ServedApp {
  fetch(request: Request, environment: object): Response | Promise<Response>;
}

export interface Served {
  readonly gateway: Gateway;
  /** Gets every request that a `Request` can express; `null` without middleware and routes of a user. */
  readonly app: ServedApp | null;
  /** Whether it is asked for its operations only, as at `admin.port`. */
  readonly isAdmin: boolean;
}

export interface ServerState {
  readonly log: Log;
  readonly access: (entry: AccessLogEntry) => void;
  readonly served: Served;
  activeCount: number;
  /** Whether the gateway, not the client, ends unfinished requests. */
  readonly isCuttingOff: boolean;
  cutOffCount: number;
}

/**
 * Sends and records the response to one Node message. `completeStored` writes a whole stored response past Node's own writer; as a
 * {@link ResponseSink} it takes all other responses of store and site; `#write` sends replies, problems and a `Response`. Each way
 * ends with `close`, so only `#onClose` counts and logs.
 */
export class NodeSender extends FetchExchange implements ResponseSink {
  readonly outgoing: ServerResponse;
  readonly #server: ServerState;
  readonly #request: NodeRequest;
  /** Kept to the end, even if a reload replaces the server's. */
  readonly #served: Served;
  readonly #started = performance.now();
  #exchange: Exchange | null = null;
  #head: ResponseHead | null = null;
  #bytes = 0;
  /** Set when the connection has taken a whole stored response: since Node 24 `writableFinished` doesn't tell. */
  #isWritten = false;
  #isEnded = false;
  #cause = '';
  #left: AbortController | null = null;
  #onDrain = (): void => {};

  constructor(server: ServerState, incoming: IncomingMessage, outgoing: ServerResponse) {
    super();
    this.#server = server;
    this.#served = server.served;
    this.#request = new NodeRequest(incoming, this);
    this.outgoing = outgoing;
    server.activeCount += 1;
    // 'close' is emitted once, and `once` would allocate a wrapper.
    outgoing.on('close', this.#onClose);
  }

  respond(): void {
    const { app, gateway, isAdmin } = this.#served;
    const { context } = gateway;
    const { head } = this.#request;
    // The gateway refuses, in the name of no site, what no `Request` can express.
    if ((app === null && !isAdmin) || !this.#request.isExpressible)
      this.#send(context, respond(context, head));
    else if (app !== null) void this.#callApp();
    else {
      const content: CreateResponse = (request) => gateway.admin(request.toFetch(), head);
      this.#send(context, createUnroutedAnswer(context, head, { content }));
    }
  }

  #send(context: RequestContext, answer: Answer): void {
    this.answer = answer;
    if (answer.kind === 'own') {
      void this.#sendOwn(context, answer);
      return;
    }
    try {
      const body = answer.hasBody ? this.#request.openBody() : null;
      this.#exchange = startExchange(answer, body, context.parts, this);
    } catch (cause) {
      this.fail({ kind: 'internal', cause });
    }
  }

  async #sendOwn(context: RequestContext, answer: Exclude<Answer, GatewayRequest>): Promise<void> {
    try {
      if (answer.answerLater !== null) {
        const later = await answer.answerLater();
        if (!this.#isEnded) this.#send(context, later);
      } else {
        await this.#reply(await answer.createReply(this.#request));
        this.#request.dropBody();
      }
    } catch (err) {
      this.#crash(err);
    }
  }

  readonly callApp = async (request: Request, environment: object): Promise<Response> => {
    const response = await this.#served.app?.fetch(request, environment);
    if (!(response instanceof Object)) throw new TypeError('a handler returned no Response');
    return response;
  };

  get signal(): AbortSignal {
    this.#left ??= new AbortController();
    return this.#left.signal;
  }

  async #callApp(): Promise<void> {
    try {
      const { head, incoming } = this.#request;
      const { context } = this.#served.gateway;
      const environment = { incoming, outgoing: this.outgoing, waygate: this };
      const request = this.#request.toFetch();
      const { body, headers, status } = await this.callApp(request, environment);
      const fields = withoutFields([...headers].flat(), CODING_FIELD);
      const id = fieldValue(fields, 'x-request-id') ?? '';
      const hasId = this.answer !== null || REQUEST_ID.test(id);
      if (this.answer === null && hasId) this.answer = createUnroutedAnswer(context, head, { requestId: id });
      const sent = hasId ? fields : toSentFields(this.#identify(), { status, reason: '', headers: fields });
      await this.#write({ status, reason: '', headers: sent, body });
      this.#request.dropBody();
    } catch (err) {
      this.#crash(err);
    }
  }

  /** The head waits for the first bytes of the body, so that a failure before them gets a response. */
  head(head: ResponseHead): void {
    this.#head = head;
    this.cacheStatus = head.cacheStatus;
  }

  write(chunk: Uint8Array): boolean {
    if (this.failure !== undefined) return true;
    this.#writeHead();
    this.#bytes += chunk.byteLength;
    const hasCapacity = this.outgoing.write(chunk);
    if (!hasCapacity) this.outgoing.once('drain', () => this.#exchange?.resume());
    return hasCapacity;
  }

  end(): void {
    if (this.failure !== undefined) return;
    this.#writeHead();
    this.outgoing.end();
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    this.head(head);
    this.#writeHead();
    if (this.#request.head.method !== 'HEAD') this.#bytes = body.byteLength;
    this.outgoing.end(body);
  }

  /**
   * Writes to the connection: `writeHead` and `end` would format all fields again at each hit. Node does the rest:
   * it continues the connection at the event `finish`.
   * @returns false if nothing was written: for HTTP/1.0, and a connection's last response
   */
  completeStored(status: number, response: RepeatedResponse, age: string, cacheStatus: CacheStatus): boolean {
    const { answer, outgoing } = this;
    const { socket } = outgoing;
    if (answer === null || answer.cors !== null || socket === null || outgoing.headersSent) return false;
    if (this.#request.head.httpVersion !== '1.1' || !outgoing.shouldKeepAlive) return false;
    if (response.text === undefined) response.text = formatHead(status, response);
    if (response.text === null) return false;
    outgoing.statusCode = status;
    // `end` would set this, and `writableEnded` follows from it.
    outgoing.finished = true;
    socket.cork();
    socket.write(
      `${response.text}Age: ${age}\r\nCache-Status: ${formatCacheStatus(cacheStatus)}\r\nX-Request-Id: ${answer.requestId}\r\n\r\n`,
      'latin1',
    );
    // After an error the connection closes with the message incomplete.
    socket.write(response.body, (error) => {
      if (error !== null && error !== undefined) return;
      this.#isWritten = true;
      outgoing.emit('finish');
    });
    socket.uncork();
    this.#bytes = response.body.byteLength;
    this.cacheStatus = cacheStatus;
    return true;
  }

  #writeHead(): void {
    const head = this.#head;
    if (head === null || this.answer === null) return;
    this.#head = null;
    this.outgoing.writeHead(head.status, toNodeOrder(toSentFields(this.answer, head)));
  }

  fail(failure: UpstreamFailure): void {
    const { answer } = this;
    if (this.failure !== undefined || answer?.kind !== 'site') return;
    this.noteFailure(failure);
    const { requestId } = answer;
    if (failure.kind === 'internal') this.#server.log.error({ err: failure.cause, requestId }, FAULT);
    // A clean end would make an incomplete response look complete (RFC 9112 §8).
    try {
      const problem = answer.recordFailure(failure);
      if (this.outgoing.headersSent) this.outgoing.destroy();
      else this.#replyProblem(problem);
    } catch (err) {
      this.#crash(err);
    }
  }

  refuseBody(): void {
    this.refuse(PROBLEMS.bodyTooSlow);
  }

  /** Ends the exchange, and the connection: what is left of the request is not read. @param cause for the log */
  refuse(refusal: Problem, cause = ''): void {
    this.#leave();
    this.#cause = cause;
    const problem = this.#identify().recordRefusal(refusal);
    if (this.outgoing.headersSent) this.outgoing.destroy();
    else this.#replyProblem({ ...problem, headers: { ...problem.headers, connection: 'close' } });
  }

  #identify(): Answer {
    this.answer ??= createUnroutedAnswer(this.#served.gateway.context, this.#request.head);
    return this.answer;
  }

  #leave(): void {
    this.#exchange?.abort();
    this.#left?.abort();
  }

  #replyProblem(problem: Problem): void {
    void this.#reply({ ...toProblemReply(problem), cacheStatus: this.cacheStatus });
  }

  #crash(err: unknown): void {
    const answer = this.#identify();
    this.#server.log.error({ err, requestId: answer.requestId }, FAULT);
    if (this.outgoing.headersSent) this.outgoing.destroy();
    else this.#replyProblem(answer.recordRefusal(PROBLEMS.internalError));
  }

  #reply(reply: Reply): Promise<void> {
    this.#head = null;
    return this.#write({ ...reply, headers: toSentFields(this.#identify(), reply) });
  }

  /** Never rejects. */
  async #write({ body, headers, status }: Reply): Promise<void> {
    const outgoing = this.outgoing;
    try {
      if (outgoing.headersSent || outgoing.destroyed) await cancel(body);
      else if (body instanceof ReadableStream) await this.#writeStream(status, headers, body.getReader());
      else {
        outgoing.writeHead(status, toNodeOrder(headers));
        if (this.#request.head.method !== 'HEAD') this.#bytes = body?.byteLength ?? 0;
        outgoing.end(body ?? undefined);
      }
    } catch (err) {
      if (outgoing.headersSent) outgoing.destroy();
      else this.#crash(err);
    }
  }

  async #writeStream(
    status: number,
    headers: readonly string[],
    reader: ReadableStreamDefaultReader<Uint8Array>,
  ): Promise<void> {
    const outgoing = this.outgoing;
    outgoing.on('drain', () => this.#onDrain());
    outgoing.on('close', () => {
      this.#onDrain();
      reader.cancel().catch(() => {});
    });
    const chunks: Uint8Array[] = [];
    let next = reader.read();
    let read = await Promise.race([next, nextTurn()]);
    // A body in memory is one chunk, and gets a length.
    while (read?.done === false && chunks.length < 2) {
      chunks.push(read.value);
      next = reader.read();
      read = await Promise.race([next, nextTurn()]);
    }
    const isWhole = read?.done === true && !hasField(headers, 'content-length');
    const length = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    outgoing.writeHead(status, toNodeOrder(isWhole ? [...headers, 'content-length', `${length}`] : headers));
    // Node would encode a head without a chunk as UTF-8.
    if (chunks.length === 0 && !isWhole) outgoing.write(NOTHING);
    for (const chunk of chunks) await this.#writeChunk(chunk);
    for (let rest = await next; !rest.done; rest = await reader.read()) await this.#writeChunk(rest.value);
    outgoing.end();
  }

  async #writeChunk(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.byteLength;
    if (!this.outgoing.write(chunk) && !this.outgoing.destroyed)
      await new Promise<void>((resolve) => {
        this.#onDrain = resolve;
      });
  }

  readonly #onClose = (): void => {
    const server = this.#server;
    const { cacheStatus } = this;
    const answer = this.answer ?? this.#identify();
    const { head } = this.#request;
    const { headersSent, statusCode, writableFinished } = this.outgoing;
    server.activeCount -= 1;
    this.#isEnded = true;
    const duration = performance.now() - this.#started;
    const isWritten = writableFinished || this.#isWritten;
    const isCutOff = server.isCuttingOff && !isWritten && this.failure === undefined;
    if (isCutOff) server.cutOffCount += 1;
    const failure = isCutOff ? CUT_OFF : this.failure;
    // If the site broke off the response, the gateway closed the connection, not the client.
    const broken = FAILURE_RESPONSES[failure?.kind ?? 'client-gone'];
    const status = isWritten ? statusCode : broken.status;
    if (!isWritten) this.#leave();
    const sent = headersSent ? statusCode : isCutOff ? broken.status : null;
    const end = isWritten ? 'complete' : isCutOff ? 'shutdown' : failure === undefined ? 'client' : 'site';
    const ending = { status, sent, end, duration, bytes: this.#bytes } as const;
    answer.record(cacheStatus, ending);
    server.access(toAccessLogEntry(head, answer, cacheStatus, ending, failure, this.#cause));
  };
}

const NOTHING = new Uint8Array(0);

const CUT_OFF: UpstreamFailure = { kind: 'shutdown' };

const nextTurn = (): Promise<undefined> => new Promise((resolve) => setImmediate(() => resolve(undefined)));

async function cancel(body: Reply['body']): Promise<void> {
  if (body instanceof ReadableStream) await body.cancel();
}

/** Node decodes a disposition behind a length from UTF-8, or throws (nodejs/node#46528). */
function toNodeOrder(fields: readonly string[]): string[] {
  const length = firstFieldValue(fields, 'content-length');
  if (length === undefined || !hasField(fields, 'content-disposition')) return [...fields];
  return [...withoutFields(fields, LENGTH_FIELD), 'Content-Length', length];
}

const LENGTH_FIELD: ReadonlySet<string> = new Set(['content-length']);

const CODING_FIELD: ReadonlySet<string> = new Set(['transfer-encoding']);

export interface AccessLogEntry extends RequestAttributes, Ending {
  /** Name of the site; `null` outside of all sites. */
  readonly site: string | null;
  /** Time of completion, in milliseconds since the epoch. */
  readonly time: number;
  readonly method: string | undefined;
  /** Raw path, without the query, which can contain passwords and nonces. */
  readonly path: string;
  /** Raw query with its question mark. It can contain passwords and nonces. @default none */
  readonly query?: string;
  readonly host: string;
  readonly userAgent: string | undefined;
  /** `Referer` without the query, which can contain passwords and nonces. */
  readonly referer?: string | undefined;
  readonly httpVersion: string;
  /** Trace of the request (W3C Trace Context). */
  readonly traceId?: string | undefined;
  readonly cache: CacheOutcome;
  readonly cacheStatus?: string | undefined;
  /** Absent if the request was not validated. */
  readonly validation?: 'valid' | 'invalid' | undefined;
  /** Code of the gateway's refusal. */
  readonly refusal?: string | undefined;
  /** Milliseconds to the head of the site's response; `undefined` if it was not asked. */
  readonly siteDuration: number | undefined;
  /** What a failed response of the site says: `500 "Error establishing a database connection" (text/html)`. */
  readonly siteWords?: string | undefined;
  /** Why the site's response is missing or incomplete. */
  readonly failure?: UpstreamFailureKind;
  /** What was wrong, of the failure or of a request that is not HTTP. */
  readonly cause?: string | undefined;
}

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/;

/** @param cause why the gateway refused what cannot be parsed */
export function toAccessLogEntry(
  { headers, httpVersion, method, target }: IncomingRequestHead,
  answer: Answer,
  cacheStatus: CacheStatus | undefined,
  outcome: Ending,
  failure: UpstreamFailure | undefined,
  cause: string,
): AccessLogEntry {
  const { client, operation, requestId, route } = answer;
  const request = answer.kind === 'site' ? answer : undefined;
  const questionMark = target.indexOf('?');
  const traceparent = fieldValue(headers, 'traceparent') ?? '';
  const entry = {
    time: Date.now(),
    requestId,
    client,
    method,
    path: questionMark < 0 ? target : target.slice(0, questionMark),
    query: questionMark < 0 ? '' : target.slice(questionMark),
    site: answer.site?.settings.name ?? null,
    route,
    operation,
    status: outcome.status,
    sent: outcome.sent,
    end: outcome.end,
    duration: Math.round(outcome.duration * 10) / 10,
    host: fieldValue(headers, 'host') ?? '',
    userAgent: fieldValue(headers, 'user-agent'),
    referer: fieldValue(headers, 'referer')?.split(/[?#]/, 1)[0],
    httpVersion,
    traceId: TRACEPARENT.exec(traceparent)?.[1],
    cache: toCacheOutcome(cacheStatus),
    cacheStatus: cacheStatus && formatCacheStatus(cacheStatus),
    bytes: outcome.bytes,
    validation: request?.validation?.outcome,
    refusal: failure === undefined ? answer.problem?.code : undefined,
    siteDuration: request?.siteDuration,
    siteWords: request?.siteWords || undefined,
  };
  if (failure === undefined) return cause === '' ? entry : { ...entry, cause };
  return { ...entry, failure: failure.kind, cause: describeFailureCause(failure) };
}
