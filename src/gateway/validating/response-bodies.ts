import { BodyBuffer } from '../../http/chunks.ts';
import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { isJsonObject, type Json, parseJsonBytes } from '../../json.ts';
import { estimateJsonCost } from '../../php/parse-cost.ts';
import type { OriginResponseSummary, OriginVerdict } from '../../validation/evidence/origin-verdict.ts';
import { DEFAULT_WORK_LIMIT } from '../../validation/wordpress/schema.ts';
import type { ResponseObserver } from '../exchange/response-relay.ts';
import type { SiteRefusal } from '../traffic/site-recorder.ts';

/** Receives the body of a response after its head. */
export type BodyObserver = Required<Pick<ResponseObserver, 'write' | 'end' | 'fail'>>;

/** Before WordPress 5.5 a refusal has no codes of the parameters. */
export function listRefusedRules(verdict: OriginVerdict): SiteRefusal['rules'] {
  if (verdict.kind !== 'refused') return [];
  const { codes, params, stage } = verdict;
  return params.map((param) => ({ param, rule: codes?.get(param) ?? stage }));
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
export class JsonBodyObserver implements BodyObserver {
  readonly #limit: number;
  readonly #decode: ContentDecoder;
  readonly #onBody: (body: Json | undefined) => void;
  readonly #coding: string;
  #collected: BodyBuffer | null;

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
    this.#collected = new BodyBuffer(limit);
    this.#decode = decode;
    this.#onBody = onBody;
    this.#coding = (fieldValue(headers, 'content-encoding') ?? 'identity').trim().toLowerCase();
  }

  write(chunk: Uint8Array): void {
    if (this.#collected?.add(chunk) === false) this.fail();
  }

  end(): void {
    const bytes = this.#collected?.bytes();
    if (bytes === undefined) return;
    this.#collected = null;
    const parse = (decoded: Uint8Array | null): void => {
      const isCostly = decoded === null || estimateJsonCost(decoded) > DEFAULT_WORK_LIMIT;
      this.#onBody(isCostly ? undefined : parseJsonBytes(decoded));
    };
    if (this.#coding === 'identity') parse(bytes);
    else void this.#decode(this.#coding, bytes, 4 * this.#limit).then(parse);
  }

  fail(): void {
    if (this.#collected === null) return;
    this.#collected = null;
    this.#onBody(undefined);
  }
}
