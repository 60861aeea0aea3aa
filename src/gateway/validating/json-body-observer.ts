import { concatChunks } from '../../http/chunks.ts';
import { decodeWithWebStreams } from '../../http/content-decoding.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { Json } from '../../json.ts';

/** Reads an answer's JSON as it passes, up to a bound. */
export class JsonBodyObserver {
  readonly #limit: number;
  readonly #coding: string;
  readonly #done: (body: Json | undefined) => void;
  #chunks: Uint8Array[] | null = [];
  #length = 0;

  /** @param done called once: with nothing where it is longer, breaks off, is coded in an unknown way or is no JSON */
  constructor({ headers }: ResponseHead, limit: number, done: (body: Json | undefined) => void) {
    this.#limit = limit;
    this.#coding = (fieldValue(headers, 'content-encoding') ?? 'identity').trim().toLowerCase();
    this.#done = done;
  }

  write(chunk: Uint8Array): void {
    this.#length += chunk.byteLength;
    if (this.#length > this.#limit) this.fail();
    else this.#chunks?.push(chunk);
  }

  end(): void {
    const chunks = this.#chunks;
    if (chunks === null) return;
    this.#chunks = null;
    const bytes = concatChunks(chunks, this.#length);
    if (this.#coding === 'identity') this.#done(parse(bytes));
    // Nobody waits for it.
    else
      void decodeWithWebStreams(this.#coding, bytes, 4 * this.#limit).then((plain) =>
        this.#done(parse(plain)),
      );
  }

  fail(): void {
    if (this.#chunks === null) return;
    this.#chunks = null;
    this.#done(undefined);
  }
}

function parse(bytes: Uint8Array | null): Json | undefined {
  if (bytes === null) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
