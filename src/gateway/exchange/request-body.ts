import type { BodyParameters, BufferedBodyReader } from '../../validation/request/parameters.ts';
import type { Problem } from './problem.ts';

/**
 * Validation of a request body before the site has all of it. Each `Problem` is the response to the client, in place of the
 * site's; inspections that only observe return none.
 */
export type BodyInspection = BufferedBodyInspection | StreamedBodyInspection;

/** Buffers the whole body, and forwards it after validation. */
export interface BufferedBodyInspection {
  readonly kind: 'whole';
  /** Maximum bytes in memory. */
  readonly maxLength: number;
  /**
   * Response to a longer body; `null` forwards a longer body without validation, and also a body for which there is no
   * memory.
   */
  readonly tooLargeProblem: Problem | null;
  /** Creates the reader of one body, which receives its chunks; absent if nothing parses the body. */
  createReader?(): BufferedBodyReader;
  /** @param parse parses the body; repeated calls cost nothing */
  validate(body: Uint8Array, parse: () => BodyParameters): Problem | null;
}

/** Validates a multipart body while it streams. Its last chunk is withheld until the result is known. */
export interface StreamedBodyInspection {
  readonly kind: 'parts';
  /** Whether a body is refused if there is no memory for its fields; otherwise it is forwarded without validation. */
  readonly isRequired: boolean;
  /** Called once for each body. */
  createInspector(): StreamedBodyInspector;
}

/** Receives the chunks of one body. */
export interface StreamedBodyInspector {
  /** Bytes in memory: the names and values of the fields so far. */
  readonly retainedBytes: number;
  /** @param chunk must be copied to be retained. A returned problem ends the request. */
  write(chunk: Uint8Array): Problem | null;
  end(): Problem | null;
}

/**
 * A request body on one platform. It is consumed once, by one of the three members.
 *
 * @typeParam Stream what the transport sends: a Node `Readable` or a web `ReadableStream`
 */
export interface RequestBody<Stream> {
  /** The unread body. */
  readonly stream: Stream;
  /** Reads the body into memory, then calls `done` once; with `null` if the client disconnected before the end. */
  buffer(limits: BufferLimits, done: (body: BufferedBody<Stream> | null) => void): void;
  /**
   * Passes each chunk through `transform`, and appends the result of `flush`; `null` drops the chunk. An exception of
   * either breaks the body off.
   */
  pipeThrough(transform: (chunk: Uint8Array) => Uint8Array | null, flush: () => Uint8Array | null): Stream;
}

/** Limits of the bytes that are read into memory. */
export interface BufferLimits {
  readonly maxLength: number;
  /** Called for each chunk, which is not retained; `false` if there is no memory for it. */
  accept(chunk: Uint8Array): boolean;
}

/** The buffered bytes, or, for a body that exceeds a limit, a stream of the whole body. */
export type BufferedBody<Stream> =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-long' | 'no-memory'; readonly stream: Stream };
