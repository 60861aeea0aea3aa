import type { Exchange, ResponseSink } from '../../http/exchange.ts';
import { NO_BODY_PARAMETERS } from '../../validation/request/parameters.ts';
import type { BodyReservation } from './body-memory.ts';
import { type Problem, problemBody, problemHeaders, problemStatus } from './problem.ts';
import type {
  BodyInspection,
  BufferedBodyInspection,
  RequestBody,
  StreamedBodyInspection,
  StreamedBodyInspector,
} from './request-body.ts';
import type { ResponseObserver } from './response-relay.ts';

/** The body must be read, and there is no memory for it. Unfinished requests release theirs within seconds. */
export const NO_MEMORY: Problem = {
  status: 503,
  code: 'gateway_busy',
  message: 'The gateway is reading too many request bodies. Repeat the request later.',
  headers: { 'retry-after': '10' },
};

/**
 * Forwards a request with its inspected body.
 *
 * @param releasing releases the memory of the body at the end of the upstream exchange
 */
export type InspectedForward<Stream> = (body: Stream | Uint8Array, releasing: ResponseObserver) => Exchange;

/** An exchange whose request body is validated before it is forwarded, or while it streams. */
export class InspectedExchange<Stream> implements Exchange {
  readonly #sink: ResponseSink;
  readonly #reservation: BodyReservation;
  readonly #forward: InspectedForward<Stream>;
  readonly #onReject: (problem: Problem) => void;
  #upstream: Exchange | undefined;
  #isEnded = false;

  /**
   * @param reservation memory for the body
   * @param forward forwards the request with the inspected body
   * @param onReject called before a response that refuses the request
   */
  constructor(
    sink: ResponseSink,
    reservation: BodyReservation,
    forward: InspectedForward<Stream>,
    onReject: (problem: Problem) => void,
  ) {
    this.#sink = sink;
    this.#reservation = reservation;
    this.#forward = forward;
    this.#onReject = onReject;
  }

  /** Called once. */
  inspect(inspection: BodyInspection, body: RequestBody<Stream>): void {
    if (inspection.kind === 'whole') this.#inspectBuffered(inspection, body);
    else this.#inspectStreamed(inspection, body);
  }

  #inspectBuffered(
    { createReader, maxLength, tooLargeProblem, validate }: BufferedBodyInspection,
    body: RequestBody<Stream>,
  ): void {
    const { grow } = this.#reservation;
    const reader = createReader?.();
    const accept = (chunk: Uint8Array): boolean => {
      if (this.#isEnded) return true;
      reader?.write(chunk);
      return grow(chunk.byteLength);
    };
    body.buffer({ maxLength, accept }, (buffered) => {
      if (this.#isEnded) return;
      if (buffered === null) {
        this.#reservation.release();
        this.#sink.fail({ kind: 'client-gone' });
      } else if (buffered.kind === 'whole') {
        const { bytes } = buffered;
        const problem = validate(bytes, () => reader?.end(bytes) ?? NO_BODY_PARAMETERS);
        if (problem === null) this.#upstream = this.#forward(bytes, this.#createReleasing());
        else this.#reject(problem);
      } else if (tooLargeProblem === null) {
        // The transport reads the buffered part first and drops it.
        this.#reservation.release();
        this.#upstream = this.#forward(buffered.stream, this.#createReleasing());
      } else this.#reject(buffered.kind === 'no-memory' ? NO_MEMORY : tooLargeProblem);
    });
  }

  #inspectStreamed({ createInspector, isRequired }: StreamedBodyInspection, body: RequestBody<Stream>): void {
    let inspector: StreamedBodyInspector | null = createInspector();
    let retained = 0;
    let withheld: Uint8Array | null = null;
    // After a rejection the rest of the body is read and dropped: a client that is still sending reads no response.
    const inspected = body.pipeThrough(
      (chunk) => {
        if (this.#isEnded) return null;
        const problem = inspector?.write(chunk) ?? null;
        if (problem !== null) return this.#reject(problem);
        const added = (inspector?.retainedBytes ?? 0) - retained;
        if (added > 0 && !this.#reservation.grow(added)) {
          if (isRequired) return this.#reject(NO_MEMORY);
          inspector = null;
          this.#reservation.release();
        }
        retained += added;
        const previous = withheld;
        withheld = chunk;
        return previous;
      },
      () => {
        const problem = this.#isEnded ? null : (inspector?.end() ?? null);
        if (problem !== null) this.#reject(problem);
        // An observer may keep the upstream exchange running. Without an error the site would get a shorter body as a whole.
        if (this.#isEnded) throw new Error('the request ended before its body was complete');
        return withheld;
      },
    );
    this.#upstream = this.#forward(inspected, this.#createReleasing());
  }

  #createReleasing(): ResponseObserver {
    const { release } = this.#reservation;
    return { head() {}, end: release, fail: release };
  }

  #reject(problem: Problem): null {
    // The site gets an incomplete body, so it does not run the request.
    this.abort();
    this.#onReject(problem);
    const body = new TextEncoder().encode(problemBody(problem));
    const headers = Object.entries(problemHeaders(problem)).flat();
    headers.push('Content-Length', `${body.length}`);
    const head = { status: problemStatus(problem), reason: '', headers };
    if (this.#sink.complete !== undefined) this.#sink.complete(head, body);
    else {
      this.#sink.head(head);
      this.#sink.write(body);
      this.#sink.end([]);
    }
    return null;
  }

  resume(): void {
    this.#upstream?.resume();
  }

  abort(): void {
    this.#isEnded = true;
    // Without upstream exchange nothing else holds the body.
    if (this.#upstream === undefined) this.#reservation.release();
    else this.#upstream.abort();
  }
}
