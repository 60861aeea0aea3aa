import { type CacheStatus, formatCacheStatus } from '../base/http/cache-status.ts';
import {
  type IncomingRequestHead,
  mapHead,
  type ResponseHead,
  type ResponseSink,
  type UpstreamFailure,
} from '../base/http/exchange.ts';
import { fieldValue } from '../base/http/fields.ts';
import { type Problem, toErrorPage, toProblemReply } from './exchange/problem.ts';
import type { GatewayRequest, RequestAttributes } from './gateway-request.ts';
import type { CallApp, IncomingRequest } from './incoming-request.ts';
import type { ReceivedRequest, RequestContext } from './request-context.ts';
import type { CorsPolicy } from './site/cors.ts';
import type { MountedSite } from './site/mounted-site.ts';
import type { TargetMemo } from './site/target-memos.ts';
import { addMethod, type Ending, NO_OPERATION } from './site/traffic/site-traffic.ts';

/** `cacheStatus` becomes a field when the reply is sent. */
export interface Reply extends ResponseHead {
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

export type Answer = OwnAnswer | GatewayRequest;

export type CreateResponse = (request: IncomingRequest) => Reply | Response | Promise<Reply | Response>;

interface OwnAnswerOptions {
  readonly site?: MountedSite | null;
  readonly memo?: TargetMemo | null;
  readonly cors?: CorsPolicy | null;
  /** Whether the console lists a refusal. A rate limit's can be very many. */
  readonly isListed?: boolean;
}

export class OwnAnswer implements RequestAttributes {
  readonly kind = 'own';
  readonly requestId: string;
  readonly client: string;
  readonly head: IncomingRequestHead;
  readonly site: MountedSite | null;
  readonly cors: CorsPolicy | null;
  readonly route: string | null;
  /** `operationId`, or the tool that an agent has called. */
  operation: string | null;
  problem: Problem | null;
  /** Answers a refused request once its site has been read. */
  answerLater: (() => Promise<Answer>) | null = null;
  readonly #parts: ReceivedRequest['parts'];
  readonly #memo: TargetMemo | null;
  readonly #content: Problem | CreateResponse;
  readonly #isListed: boolean;

  constructor(
    { client, head, parts, requestId }: Omit<ReceivedRequest, 'fields'>,
    content: Problem | CreateResponse,
    { cors = null, isListed = true, memo = null, site = null }: OwnAnswerOptions = {},
  ) {
    this.requestId = requestId;
    this.client = client;
    this.head = head;
    this.site = site;
    this.cors = cors;
    this.problem = typeof content === 'function' ? null : content;
    this.route = this.problem === null ? null : (memo?.route ?? null);
    this.operation = this.problem === null ? null : (memo?.operation ?? null);
    this.#parts = parts;
    this.#memo = memo;
    this.#content = content;
    this.#isListed = isListed;
  }

  async createReply(request: IncomingRequest): Promise<Reply> {
    if (typeof this.#content !== 'function') return toProblemReply(this.#content);
    const reply = await this.#content(request);
    if (!(reply instanceof Response)) return reply;
    const { body, headers, status } = reply;
    return { status, reason: '', headers: [...headers].flat(), body };
  }

  /** @param problem in place of the content that the client would have got */
  recordRefusal(problem: Problem): Problem {
    this.problem = problem;
    return problem;
  }

  record(_: CacheStatus | undefined, ending: Ending): void {
    const { client, head, problem, requestId, site } = this;
    const { recorder } = site ?? this.#parts;
    const memo = this.#memo;
    const unrouted = site === null ? NO_OPERATION.gateway : NO_OPERATION.unrouted;
    recorder.record(this, memo?.trafficKey ?? addMethod(unrouted, head.method), 'none', ending);
    if (problem === null) return;
    const isListed = this.#isListed && memo !== null && memo.resolved.kind !== 'own';
    recorder.recordRefusal({ requestId, client, head, resolved: memo?.resolved }, problem, isListed);
  }
}

/** Of a request that no step of `respond.ts` has seen: for a route of an app, an operation at `admin.port`, or refused before. */
export function createUnroutedAnswer(
  { nextRequestId, parts }: RequestContext,
  head: IncomingRequestHead,
  {
    content = () => new Response(),
    requestId = nextRequestId(),
  }: { content?: CreateResponse; requestId?: string } = {},
): OwnAnswer {
  return new OwnAnswer({ parts, requestId, client: head.peerAddress, head }, content);
}

/** Refuses a request. Visitors of pages get a page. @param memo `null` before the target was resolved */
export function refuse(
  received: ReceivedRequest,
  problem: Problem,
  site: MountedSite | null = null,
  memo: TargetMemo | null = null,
  isListed = true,
): OwnAnswer {
  const { head, requestId } = received;
  const shown = memo?.resolved.kind === 'route' ? problem : toErrorPage(problem, head, requestId);
  return new OwnAnswer(received, shown, { site, memo, cors: site?.cors ?? null, isListed });
}

export function toSentFields(
  { cors, head, requestId }: Answer,
  { cacheStatus, headers }: ResponseHead,
): string[] {
  const fields =
    cacheStatus === undefined ? headers : [...headers, 'Cache-Status', formatCacheStatus(cacheStatus)];
  const sent = cors === null ? fields : cors.replace(fields, fieldValue(head.headers, 'origin'));
  return [...sent, 'X-Request-Id', requestId];
}

export const FAULT = 'the gateway failed to respond';

/** What a server of this package and a gateway tell each other by the app's environment. */
export abstract class FetchExchange {
  answer: Answer | null = null;
  cacheStatus: CacheStatus | undefined;
  failure: UpstreamFailure | undefined;
  abstract readonly callApp: CallApp;
  /** Aborted when the client leaves. */
  abstract get signal(): AbortSignal;

  /** @returns a sink that notes here what it hands on */
  observe(sink: ResponseSink): ResponseSink {
    return mapHead(
      sink,
      (head) => {
        this.cacheStatus = head.cacheStatus;
        return head;
      },
      (failure) => {
        this.noteFailure(failure);
        sink.fail(failure);
      },
    );
  }

  protected noteFailure(failure: UpstreamFailure): void {
    this.failure = failure;
    this.cacheStatus = failure.cacheStatus ?? this.cacheStatus;
  }
}

/** `null` if no server of this package runs the app. */
export function findExchange(environment: unknown): FetchExchange | null {
  if (typeof environment !== 'object' || environment === null || !('waygate' in environment)) return null;
  return environment.waygate instanceof FetchExchange ? environment.waygate : null;
}
