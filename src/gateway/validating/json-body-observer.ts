import { concatChunks } from '../../http/chunks.ts';
import { decodeWithWebStreams } from '../../http/content-decoding.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { Json } from '../../json.ts';

/** Buffers a response body as it is relayed, up to a limit, and parses it as JSON. */
export class JsonBodyObserver {
  readonly #limit: number;
  readonly #coding: string;
  readonly #onBody: (body: Json | undefined) => void;
  #chunks: Uint8Array[] | null = [];
  #length = 0;

  /**
   * @param limit maximum length in bytes, before decoding
   * @param onBody called once; with `undefined` when the body exceeds the limit, breaks off, has an unsupported content
   *   coding or is not JSON
   */
  constructor({ headers }: ResponseHead, limit: number, onBody: (body: Json | undefined) => void) {
    this.#limit = limit;
    this.#coding = (fieldValue(headers, 'content-encoding') ?? 'identity').trim().toLowerCase();
    this.#onBody = onBody;
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
    if (this.#coding === 'identity') {
      this.#onBody(parseJson(bytes));
    } else {
      void decodeWithWebStreams(this.#coding, bytes, 4 * this.#limit).then((decoded) =>
        this.#onBody(parseJson(decoded)),
      );
    }
  }

  fail(): void {
    if (this.#chunks === null) return;
    this.#chunks = null;
    this.#onBody(undefined);
  }
}

function parseJson(bytes: Uint8Array | null): Json | undefined {
  if (bytes === null) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
