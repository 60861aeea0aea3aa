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
  /** Response to a longer body; `null` forwards a longer body without validation. */
  readonly tooLargeProblem: Problem | null;
  validate(body: Uint8Array): Problem | null;
}

/** Validates a multipart body while it streams. Its last chunk is withheld until the result is known. */
export interface StreamedBodyInspection {
  readonly kind: 'parts';
  /** Called once for each body. */
  createInspector(): StreamedBodyInspector;
}

/** Receives the chunks of one body. */
export interface StreamedBodyInspector {
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
  /** Reads up to `limit` bytes, then calls `done` once; with `null` if the client disconnected before the end. */
  buffer(limit: number, done: (body: BufferedBody<Stream> | null) => void): void;
  /**
   * Passes each chunk through `transform`, and appends the result of `flush`; `null` drops the chunk. An exception of
   * either breaks the body off.
   */
  pipeThrough(transform: (chunk: Uint8Array) => Uint8Array | null, flush: () => Uint8Array | null): Stream;
}

/** The buffered bytes, or, for a body over the limit, a stream of the whole body. */
export type BufferedBody<Stream> =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'over-limit'; readonly stream: Stream };
