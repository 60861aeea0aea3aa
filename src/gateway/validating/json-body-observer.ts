import { ChunkCollector } from '../../http/chunks.ts';
import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { Json } from '../../json.ts';
import { estimateJsonCost } from '../../php/parse-cost.ts';
import { DEFAULT_WORK_LIMIT } from '../../validation/wordpress/index.ts';

export interface JsonBodyObserverOptions {
  /** Maximum length in bytes, before decoding. */
  readonly limit: number;
  /** Removes the content coding. */
  readonly decode: ContentDecoder;
  /**
   * Called once; with `undefined` when the body exceeds the limit, breaks off, has an unsupported content coding, is not
   * JSON, or would take too long to parse.
   */
  readonly onBody: (body: Json | undefined) => void;
}

/** Buffers a response body as it is relayed, up to a limit, and parses it as JSON. */
export class JsonBodyObserver {
  readonly #options: JsonBodyObserverOptions;
  readonly #coding: string;
  #collected: ChunkCollector | null = new ChunkCollector();

  constructor({ headers }: ResponseHead, options: JsonBodyObserverOptions) {
    this.#options = options;
    this.#coding = (fieldValue(headers, 'content-encoding') ?? 'identity').trim().toLowerCase();
  }

  write(chunk: Uint8Array): void {
    this.#collected?.push(chunk);
    if ((this.#collected?.length ?? 0) > this.#options.limit) this.fail();
  }

  end(): void {
    const bytes = this.#collected?.concat();
    if (bytes === undefined) return;
    this.#collected = null;
    const { decode, limit, onBody } = this.#options;
    if (this.#coding === 'identity') onBody(parseJson(bytes));
    else void decode(this.#coding, bytes, 4 * limit).then((decoded) => onBody(parseJson(decoded)));
  }

  fail(): void {
    if (this.#collected === null) return;
    this.#collected = null;
    this.#options.onBody(undefined);
  }
}

function parseJson(bytes: Uint8Array | null): Json | undefined {
  if (bytes === null || estimateJsonCost(bytes) > DEFAULT_WORK_LIMIT) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
