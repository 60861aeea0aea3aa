import { ChunkCollector } from '../../http/chunks.ts';
import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue, parseMediaType } from '../../http/fields.ts';
import { isJsonObject, type Json, parseJsonBytes } from '../../json.ts';
import { estimateJsonCost } from '../../php/parse-cost.ts';
import {
  isJsonMediaType,
  type OriginResponseSummary,
  type OriginVerdict,
  parseOriginVerdict,
  UNDECIDED,
} from '../../validation/evidence/origin-verdict.ts';
import { DEFAULT_WORK_LIMIT } from '../../validation/wordpress/schema.ts';
import type { ResponseObserver } from '../exchange/response-relay.ts';
import type { SiteRefusal } from '../traffic/site-recorder.ts';

/** Receives the body of a response after its head. */
export type BodyObserver = Required<Pick<ResponseObserver, 'write' | 'end' | 'fail'>>;

/** Bytes of a response that are parsed. Errors are small; a longer envelope, such as one of a list, is undecided. */
const MAX_OBSERVED_LENGTH = 64 * 1024;

/**
 * Derives the origin's verdict on the parameters of a request from its response.
 *
 * @param isEnveloped whether the body contains the status of the response (`_envelope`)
 * @param onVerdict called once, with the body of an error: at once, or at the end of the body
 * @returns what has to receive the body; `null` if the head alone decides
 */
export function observeVerdict(
  head: ResponseHead,
  isEnveloped: boolean,
  decode: ContentDecoder,
  onVerdict: (verdict: OriginVerdict, response: OriginResponseSummary) => void,
): BodyObserver | null {
  const { headers, status } = head;
  const mediaType = parseMediaType(fieldValue(headers, 'content-type') ?? null).essence;
  const hasAllow = (fieldValue(headers, 'allow') ?? '') !== '';
  const outer = { status, mediaType, hasAllow };
  // The body of most responses says nothing about the parameters.
  const isDecided = status < 400 ? !isEnveloped : !isJsonMediaType(mediaType);
  if (isDecided) {
    onVerdict(parseOriginVerdict(outer), outer);
    return null;
  }
  return new JsonBodyObserver(head, MAX_OBSERVED_LENGTH, decode, (body) => {
    const summary = isEnveloped && status === 200 ? parseEnvelopedResponse(body) : { ...outer, body };
    onVerdict(summary === null ? UNDECIDED : parseOriginVerdict(summary), summary ?? outer);
  });
}

/** Before WordPress 5.5 a refusal has no codes of the parameters. */
export function listRefusedRules(verdict: OriginVerdict): SiteRefusal['rules'] {
  if (verdict.kind !== 'refused') return [];
  const { codes, params, stage } = verdict;
  return params.map((param) => ({ param, rule: codes?.get(param) ?? stage }));
}

/** Reads the code of an error. One that is no identifier may contain a value. */
export function readErrorCode(body: Json | undefined): string {
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
export class JsonBodyObserver implements BodyObserver {
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
