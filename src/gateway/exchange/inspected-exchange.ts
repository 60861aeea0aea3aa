import type { Exchange, ResponseSink } from '../../http/exchange.ts';
import type {
  BodyInspection,
  BufferedBodyInspection,
  RequestBody,
  StreamedBodyInspection,
} from '../plan/body-inspection.ts';
import { type Problem, problemBody, problemHeaders, problemStatus } from '../plan/problem.ts';

/** One request whose body is judged before, or while, it is sent on. */
export class Inspection<B> implements Exchange {
  readonly #sink: ResponseSink;
  readonly #proceed: (body: B | Uint8Array) => Exchange;
  #exchange: Exchange | undefined;
  #over = false;

  /** @param proceed sends the request with this body */
  constructor(sink: ResponseSink, proceed: (body: B | Uint8Array) => Exchange) {
    this.#sink = sink;
    this.#proceed = proceed;
  }

  begin(inspection: BodyInspection, body: RequestBody<B>): void {
    if (inspection.kind === 'whole') this.#whole(inspection, body);
    else this.#parts(inspection, body);
  }

  #whole({ judge, limit, tooLong }: BufferedBodyInspection, body: RequestBody<B>): void {
    body.take(limit, (taken) => {
      if (this.#over) return;
      if (taken === null) this.#sink.fail({ kind: 'client-gone' });
      else {
        const problem = taken.kind === 'whole' ? judge(taken.bytes) : tooLong;
        if (problem !== null) this.#refuse(problem);
        else this.#exchange = this.#proceed(taken.kind === 'whole' ? taken.bytes : taken.stream);
      }
    });
  }

  #parts(inspection: StreamedBodyInspection, body: RequestBody<B>): void {
    const reader = inspection.begin();
    let held: Uint8Array | null = null;
    // What follows a refusal is read and thrown away, so that the caller gets the answer.
    const through = body.through(
      (chunk) => {
        if (this.#over) return null;
        const problem = reader.write(chunk);
        if (problem !== null) return this.#refuse(problem);
        const before = held;
        held = chunk;
        return before;
      },
      () => {
        if (this.#over) return null;
        const problem = reader.end();
        return problem === null ? held : this.#refuse(problem);
      },
    );
    this.#exchange = this.#proceed(through);
  }

  #refuse(problem: Problem): null {
    // Of what was sent already the site sees a body that breaks off, and runs nothing.
    this.abort();
    const body = new TextEncoder().encode(problemBody(problem));
    const headers = Object.entries(problemHeaders(problem)).flat();
    const head = {
      status: problemStatus(problem),
      reason: '',
      headers: [...headers, 'Content-Length', `${body.length}`],
    };
    if (this.#sink.complete !== undefined) this.#sink.complete(head, body);
    else {
      this.#sink.head(head);
      this.#sink.write(body);
      this.#sink.end([]);
    }
    return null;
  }

  resume(): void {
    this.#exchange?.resume();
  }

  abort(): void {
    this.#over = true;
    this.#exchange?.abort();
  }
}
