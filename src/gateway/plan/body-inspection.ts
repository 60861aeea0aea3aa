import type { Problem } from './problem.ts';

/**
 * What a request's body is held against before the site has all of it. Whoever watches only, refuses nothing: each
 * `Problem` here is what the caller is told in place of the site's answer.
 */
export type BodyInspection = BufferedBodyInspection | StreamedBodyInspection;

/** The body is read whole, and sent on when it has been judged. */
export interface BufferedBodyInspection {
  readonly kind: 'whole';
  /** Bytes that are held at most. */
  readonly limit: number;
  /** What a longer body is answered with; `null` sends it on unjudged. */
  readonly tooLong: Problem | null;
  judge(body: Uint8Array): Problem | null;
}

/** The body is judged while it streams past; its last piece is held back until the verdict is there. */
export interface StreamedBodyInspection {
  readonly kind: 'parts';
  /** Called once for each body. */
  begin(): StreamedBodyInspector;
}

export interface StreamedBodyInspector {
  /** A piece, not to be kept without copying. A problem ends the request here. */
  write(chunk: Uint8Array): Problem | null;
  end(): Problem | null;
}

/** A request's body on one platform, as whatever `B` its transport takes. Read once, by one of the three. */
export interface RequestBody<B> {
  /** As it comes. */
  readonly stream: B;
  /**
   * Up to `limit` bytes. Calls `done` once: with the bytes, with `rest` where there are more (the ones read so far are
   * its beginning), or with `null` where the caller broke off.
   */
  take(limit: number, done: (taken: Taken<B> | null) => void): void;
  /** The same body with each chunk passed through `each` on its way, and `last` after the last. `each` may throw. */
  through(each: (chunk: Uint8Array) => Uint8Array | null, last: () => Uint8Array | null): B;
}

export type Taken<B> =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'more'; readonly stream: B };
