import type { Readable } from 'node:stream';
import { bufferBody, concatChunks, transformBody } from '../../base/http/body.ts';
import type { Exchange, ResponseSink } from '../../base/http/exchange.ts';
import { lazy } from '../../base/memoize.ts';
import { type BodyParameters, NO_BODY_PARAMETERS } from '../../generator/validation/request/validator.ts';
import { NetworkBudget } from '../upstream/network-budget.ts';
import { PROBLEMS, type Problem, toProblemReply } from './problem.ts';
import type { ResponseObserver } from './response-relay.ts';

const BODY_MEMORY = 64 * 1024 * 1024;

/**
 * Bytes of request bodies that are validated before they are forwarded. Past a limit a request is forwarded without validation,
 * or gets 503 where it must be validated. One client gets half of them.
 */
export function createBodyMemory(maxBytes: number = BODY_MEMORY): NetworkBudget {
  return new NetworkBudget({ ofNetwork: maxBytes / 2, ofAll: maxBytes });
}

/** Bytes of one request. Observes the response, and returns them at the exchange's end. */
export class BodyReservation implements ResponseObserver {
  readonly #memory: NetworkBudget;
  readonly #client: string;
  #reserved = 0;

  constructor(memory: NetworkBudget, client: string) {
    this.#memory = memory;
    this.#client = client;
  }

  grow(bytes: number): boolean {
    if (!this.#memory.take(this.#client, bytes)) return false;
    this.#reserved += bytes;
    return true;
  }

  release(): void {
    if (this.#reserved > 0) this.#memory.giveBack(this.#client, this.#reserved);
    this.#reserved = 0;
  }

  head(): void {}

  end(): void {
    this.release();
  }

  fail(): void {
    this.release();
  }
}

export type RequestBodyValidator = BufferedBodyValidator | StreamedBodyValidator;

export interface BufferedBodyValidator {
  readonly kind: 'whole';
  readonly maxLength: number;
  /** `null` forwards a body that is longer (see `longer`), or has no memory. */
  readonly tooLargeProblem: Problem | null;
  parse?(body: Uint8Array): BodyParameters;
  readonly longer?: StreamedBodyValidator | undefined;
  validate(body: Uint8Array, parse: () => BodyParameters): Problem | null;
}

/** Validates a body while it streams. Its last bytes wait for the result. */
export interface StreamedBodyValidator {
  readonly kind: 'parts';
  /** Whether a body without memory for its fields is refused. */
  readonly isRequired: boolean;
  createReader(): StreamedBodyReader;
}

export interface StreamedBodyReader {
  readonly retainedBytes: number;
  /** @param chunk must be copied to be retained. A problem ends the request. */
  write(chunk: Uint8Array): Problem | null;
  end(): Problem | null;
}

interface ValidatedRequest {
  readonly client: string;
  recordRefusal(problem: Problem): Problem;
}

type Forward = (body: Readable | Uint8Array, releasing: ResponseObserver) => Exchange;

/** More than PHP reads ahead (FILLUNIT), so that no byte is sent before it was validated. */
const WITHHELD_BYTES = 8 * 1024;

export class ValidatedExchange implements Exchange {
  readonly #request: ValidatedRequest;
  readonly #reservation: BodyReservation;
  readonly #sink: ResponseSink;
  readonly #forward: Forward;
  #upstream: Exchange | undefined;
  #isEnded = false;

  constructor(request: ValidatedRequest, memory: NetworkBudget, sink: ResponseSink, forward: Forward) {
    this.#request = request;
    this.#reservation = new BodyReservation(memory, request.client);
    this.#sink = sink;
    this.#forward = forward;
  }

  start(validator: RequestBodyValidator, body: Readable): void {
    if (validator.kind === 'whole') this.#validateBuffered(validator, body);
    else this.#validateStreamed(validator, body);
  }

  #validateBuffered(validator: BufferedBodyValidator, body: Readable): void {
    const { longer, maxLength, parse, tooLargeProblem, validate } = validator;
    const accept = (chunk: Uint8Array): boolean => this.#isEnded || this.#reservation.grow(chunk.byteLength);
    bufferBody(body, maxLength, accept, (buffered) => {
      if (this.#isEnded) return;
      if (buffered === null) {
        this.abort();
        this.#sink.fail({ kind: 'client-gone' });
      } else if (buffered.kind === 'whole') {
        const { bytes } = buffered;
        const parseOnce = lazy(() => parse?.(bytes) ?? NO_BODY_PARAMETERS);
        const problem = validate(bytes, parseOnce);
        if (problem !== null) this.#reject(problem);
        else this.#send(bytes);
      } else if (tooLargeProblem === null) {
        // The transport reads the buffered part first and drops it.
        this.#reservation.release();
        if (longer !== undefined) this.#validateStreamed(longer, buffered.stream);
        else this.#send(buffered.stream);
      } else this.#reject(buffered.kind === 'no-memory' ? PROBLEMS.noMemory : tooLargeProblem);
    });
  }

  #validateStreamed({ createReader, isRequired }: StreamedBodyValidator, body: Readable): void {
    let reader: StreamedBodyReader | null = createReader();
    let retained = 0;
    let withheld: Uint8Array | null = null;
    // After a rejection the rest is dropped: a client still sending reads no response.
    const validated = transformBody(
      body,
      (chunk) => {
        if (this.#isEnded) return null;
        const problem = reader?.write(chunk) ?? null;
        if (problem !== null) return this.#reject(problem);
        const added = (reader?.retainedBytes ?? 0) - retained;
        if (added > 0 && !this.#reservation.grow(added)) {
          if (isRequired) return this.#reject(PROBLEMS.noMemory);
          reader = null;
          this.#reservation.release();
        }
        retained += added;
        const joined =
          withheld === null ? chunk : concatChunks([withheld, chunk], withheld.byteLength + chunk.byteLength);
        const released = Math.max(0, joined.byteLength - WITHHELD_BYTES);
        withheld = joined.subarray(released);
        return released === 0 ? null : joined.subarray(0, released);
      },
      () => {
        const problem = this.#isEnded ? null : (reader?.end() ?? null);
        if (problem !== null) this.#reject(problem);
        // Without an error the site would take the shorter body for a whole one.
        if (this.#isEnded) throw new Error('the request ended before its body was complete');
        return withheld;
      },
    );
    this.#send(validated);
  }

  /** The body arrives in later turns of the event loop, in which nobody else catches an error. */
  #send(body: Readable | Uint8Array): void {
    try {
      this.#upstream = this.#forward(body, this.#reservation);
    } catch (cause) {
      this.#sink.fail({ kind: 'internal', cause });
    }
  }

  #reject(refusal: Problem): null {
    // The site gets an incomplete body, so it does not run the request.
    this.abort();
    const { body, ...head } = toProblemReply(this.#request.recordRefusal(refusal));
    this.#sink.complete(head, body);
    return null;
  }

  resume(): void {
    this.#upstream?.resume();
  }

  abort(): void {
    this.#isEnded = true;
    if (this.#upstream === undefined) this.#reservation.release();
    else this.#upstream.abort();
  }
}
