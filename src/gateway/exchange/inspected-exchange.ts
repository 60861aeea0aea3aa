import type { Exchange, ResponseSink } from '../../http/exchange.ts';
import type {
  BodyInspection,
  BufferedBodyInspection,
  RequestBody,
  StreamedBodyInspection,
} from '../plan/body-inspection.ts';
import { type Problem, problemBody, problemHeaders, problemStatus } from '../plan/problem.ts';

/** An exchange whose request body is validated before it is forwarded, or while it streams. */
export class InspectedExchange<Stream> implements Exchange {
  readonly #sink: ResponseSink;
  readonly #forward: (body: Stream | Uint8Array) => Exchange;
  #upstream: Exchange | undefined;
  #isEnded = false;

  /** @param forward forwards the request with the inspected body */
  constructor(sink: ResponseSink, forward: (body: Stream | Uint8Array) => Exchange) {
    this.#sink = sink;
    this.#forward = forward;
  }

  /** Called once. */
  inspect(inspection: BodyInspection, body: RequestBody<Stream>): void {
    if (inspection.kind === 'whole') this.#inspectBuffered(inspection, body);
    else this.#inspectStreamed(inspection, body);
  }

  #inspectBuffered(
    { maxLength, tooLargeProblem, validate }: BufferedBodyInspection,
    body: RequestBody<Stream>,
  ): void {
    body.buffer(maxLength, (buffered) => {
      if (this.#isEnded) return;
      if (buffered === null) {
        this.#sink.fail({ kind: 'client-gone' });
        return;
      }
      const problem = buffered.kind === 'whole' ? validate(buffered.bytes) : tooLargeProblem;
      if (problem !== null) this.#reject(problem);
      else this.#upstream = this.#forward(buffered.kind === 'whole' ? buffered.bytes : buffered.stream);
    });
  }

  #inspectStreamed(inspection: StreamedBodyInspection, body: RequestBody<Stream>): void {
    const inspector = inspection.createInspector();
    let withheld: Uint8Array | null = null;
    // After a rejection the rest of the body is read and dropped: a client that is still sending reads no response.
    const inspected = body.pipeThrough(
      (chunk) => {
        if (this.#isEnded) return null;
        const problem = inspector.write(chunk);
        if (problem !== null) return this.#reject(problem);
        const previous = withheld;
        withheld = chunk;
        return previous;
      },
      () => {
        if (this.#isEnded) return null;
        const problem = inspector.end();
        return problem === null ? withheld : this.#reject(problem);
      },
    );
    this.#upstream = this.#forward(inspected);
  }

  #reject(problem: Problem): null {
    // The site gets an incomplete body, so it does not run the request.
    this.abort();
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
    this.#upstream?.abort();
  }
}
