import { ChunkCollector } from '../../http/chunks.ts';
import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue, parseMediaType } from '../../http/fields.ts';
import { isJsonObject, type Json, parseJsonBytes } from '../../json.ts';
import { estimateJsonCost } from '../../php/parse-cost.ts';
import {
  type OriginResponseSummary,
  type OriginVerdict,
  parseOriginVerdict,
  UNDECIDED,
} from '../../validation/evidence/origin-verdict.ts';
import { DEFAULT_WORK_LIMIT } from '../../validation/wordpress/schema.ts';
import type { ResponseObserver } from '../exchange/response-relay.ts';

/** Bytes of a response that are parsed. Errors are small; a longer envelope, such as one of a list, is undecided. */
const MAX_OBSERVED_LENGTH = 64 * 1024;

/** Receives the verdict, the status, and the error code of the response; an empty code without one. */
type VerdictListener = (verdict: OriginVerdict, status: number, code: string) => void;

/** Derives the origin's verdict on the parameters of a request from its response as it is relayed. */
export class OriginVerdictObserver implements ResponseObserver {
  readonly #isEnveloped: boolean;
  readonly #decode: ContentDecoder;
  readonly #onVerdict: VerdictListener;
  #body: JsonBodyObserver | null = null;

  /**
   * @param isEnveloped whether the body contains the status of the response (`_envelope`)
   * @param decode removes the content coding of the body
   * @param onVerdict called once, unless the origin sends no response
   */
  constructor(isEnveloped: boolean, decode: ContentDecoder, onVerdict: VerdictListener) {
    this.#isEnveloped = isEnveloped;
    this.#decode = decode;
    this.#onVerdict = onVerdict;
  }

  head(head: ResponseHead): void {
    const { headers, status } = head;
    const summary: OriginResponseSummary = {
      status,
      mediaType: parseMediaType(fieldValue(headers, 'content-type') ?? null).essence,
      hasAllow: (fieldValue(headers, 'allow') ?? '') !== '',
    };
    const isDecided = status < 400 ? !this.#isEnveloped : status >= 500;
    if (isDecided) this.#onVerdict(parseOriginVerdict(summary), status, '');
    else {
      const onBody = (body: Json | undefined): void => this.#decide(summary, body);
      this.#body = new JsonBodyObserver(head, MAX_OBSERVED_LENGTH, this.#decode, onBody);
    }
  }

  write(chunk: Uint8Array): void {
    this.#body?.write(chunk);
  }

  end(): void {
    this.#body?.end();
  }

  fail(): void {
    this.#body?.fail();
  }

  #decide(outer: OriginResponseSummary, body: Json | undefined): void {
    const summary =
      this.#isEnveloped && outer.status === 200 ? parseEnvelopedResponse(body) : { ...outer, body };
    const verdict = summary === null ? UNDECIDED : parseOriginVerdict(summary);
    this.#onVerdict(verdict, summary?.status ?? outer.status, readErrorCode(summary?.body));
  }
}

/** Reads the code of an error. One that is no identifier may contain a value. */
function readErrorCode(body: Json | undefined): string {
  const code = isJsonObject(body) ? body['code'] : undefined;
  return typeof code === 'string' && /^[\w-]{1,80}$/.test(code) ? code : '';
}

/** Parses an envelope (`WP_REST_Server::envelope_response()`), as used for `_envelope` and in the response to a batch. */
export function parseEnvelopedResponse(envelope: Json | undefined): OriginResponseSummary | null {
  if (!isJsonObject(envelope)) return null;
  const { status, headers, body } = envelope;
  if (typeof status !== 'number') return null;
  const hasAllow = isJsonObject(headers) && headers['Allow'] !== undefined;
  return { status, mediaType: 'application/json', hasAllow, body };
}

/** Buffers a response body as it is relayed, up to a limit, and parses it as JSON. */
export class JsonBodyObserver {
  readonly #limit: number;
  readonly #decode: ContentDecoder;
  readonly #onBody: (body: Json | undefined) => void;
  readonly #coding: string;
  #collected: ChunkCollector | null = new ChunkCollector();

  /**
   * @param limit maximum length in bytes, before decoding
   * @param decode removes the content coding
   * @param onBody called once; with `undefined` when the body exceeds the limit, breaks off, has an unsupported content
   * coding, is not JSON, or would take too long to parse
   */
  constructor(
    { headers }: ResponseHead,
    limit: number,
    decode: ContentDecoder,
    onBody: (body: Json | undefined) => void,
  ) {
    this.#limit = limit;
    this.#decode = decode;
    this.#onBody = onBody;
    this.#coding = (fieldValue(headers, 'content-encoding') ?? 'identity').trim().toLowerCase();
  }

  write(chunk: Uint8Array): void {
    this.#collected?.push(chunk);
    if ((this.#collected?.length ?? 0) > this.#limit) this.fail();
  }

  end(): void {
    const bytes = this.#collected?.concat();
    if (bytes === undefined) return;
    this.#collected = null;
    const parse = (decoded: Uint8Array | null): void => this.#onBody(parseJson(decoded));
    if (this.#coding === 'identity') parse(bytes);
    else void this.#decode(this.#coding, bytes, 4 * this.#limit).then(parse);
  }

  fail(): void {
    if (this.#collected === null) return;
    this.#collected = null;
    this.#onBody(undefined);
  }
}

function parseJson(bytes: Uint8Array | null): Json | undefined {
  return bytes === null || estimateJsonCost(bytes) > DEFAULT_WORK_LIMIT ? undefined : parseJsonBytes(bytes);
}
