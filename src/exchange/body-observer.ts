import { BodyBuffer } from '../http/chunks.ts';
import type { ContentDecoder } from '../http/content-decoding.ts';
import type { ResponseHead } from '../http/exchange.ts';
import { fieldValue } from '../http/fields.ts';
import { type Json, parseJson } from '../json.ts';
import { findExceededLimit } from '../php/json.ts';

export type UnreadReason = 'too-large' | 'aborted' | 'content-coding';

/** Buffers a response body as it is relayed, up to a limit, and removes its content coding. */
export class BodyObserver {
  readonly #limits: BodyLimits;
  readonly #onBody: (body: Uint8Array | UnreadReason) => void;
  readonly #coding: string;
  #collected: BodyBuffer | null;

  /** @param onBody called once */
  constructor(head: ResponseHead, limits: BodyLimits, onBody: (body: Uint8Array | UnreadReason) => void) {
    const { headers } = head;
    this.#limits = limits;
    this.#onBody = onBody;
    this.#coding = (fieldValue(headers, 'content-encoding') ?? '').trim().toLowerCase() || 'identity';
    this.#collected = new BodyBuffer(limits.maxBytes);
    if (Number(fieldValue(headers, 'content-length')) > limits.maxBytes) this.fail('too-large');
  }

  write(chunk: Uint8Array): void {
    // A copy, as the chunk can be reused while the body is decoded or waits. `slice` of a Buffer would be a view.
    if (this.#collected?.add(new Uint8Array(chunk)) === false) this.fail('too-large');
  }

  end(): void {
    const bytes = this.#collected?.bytes();
    if (bytes === undefined) return;
    this.#collected = null;
    const { decode, maxBytes } = this.#limits;
    if (this.#coding === 'identity') this.#onBody(bytes);
    else void decode(this.#coding, bytes, maxBytes).then((body) => this.#onBody(body ?? 'content-coding'));
  }

  fail(reason: UnreadReason = 'aborted'): void {
    if (this.#collected === null) return;
    this.#collected = null;
    this.#onBody(reason);
  }
}

interface BodyLimits {
  /** Before and after decoding. */
  readonly maxBytes: number;
  readonly decode: ContentDecoder;
}

/** Parses a body; `undefined` if it is not known, is not JSON, or has too many values. */
export function toJson(body: Uint8Array | UnreadReason): Json | undefined {
  if (typeof body === 'string' || findExceededLimit(body) !== null) return undefined;
  return parseJson(body);
}
