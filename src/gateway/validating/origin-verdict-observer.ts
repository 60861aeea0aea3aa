import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { isJsonObject, type Json } from '../../json.ts';
import {
  type OriginResponseSummary,
  type OriginVerdict,
  parseOriginVerdict,
} from '../../validation/evidence/origin-verdict.ts';
import type { ResponseObserver } from '../plan/plan.ts';
import { JsonBodyObserver } from './json-body-observer.ts';

/** Bytes of an answer that are looked at. Errors are small; an envelope may hold a whole list, and is let go then. */
const MAX_OBSERVED_LENGTH = 64 * 1024;

const UNDECIDED: OriginVerdict = { kind: 'undecided' };

/** Finds out what the site said of the parameters, from its answer as it passes by. */
export class OriginVerdictObserver implements ResponseObserver {
  readonly #enveloped: boolean;
  readonly #done: (said: OriginVerdict, status: number) => void;
  #body: JsonBodyObserver | null = null;

  /**
   * @param enveloped whether the answer's own status stands in its body (`_envelope`)
   * @param done called once, unless there is no answer at all
   */
  constructor(enveloped: boolean, done: (said: OriginVerdict, status: number) => void) {
    this.#enveloped = enveloped;
    this.#done = done;
  }

  head(head: ResponseHead): void {
    const { headers, status } = head;
    const answer: OriginResponseSummary = {
      status,
      mediaType: parseMediaType(fieldValue(headers, 'content-type') ?? null).essence,
      hasAllow: (fieldValue(headers, 'allow') ?? '') !== '',
    };
    const isDecided = status < 400 ? !this.#enveloped : status >= 500;
    if (isDecided) this.#done(parseOriginVerdict(answer), status);
    else this.#body = new JsonBodyObserver(head, MAX_OBSERVED_LENGTH, (body) => this.#read(answer, body));
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

  #read(outer: OriginResponseSummary, body: Json | undefined): void {
    const answer =
      this.#enveloped && outer.status === 200 ? parseEnvelopedResponse(body) : { ...outer, body };
    this.#done(answer === null ? UNDECIDED : parseOriginVerdict(answer), answer?.status ?? outer.status);
  }
}

/** `WP_REST_Server::envelope_response()`; null where it is none. Those of a batch are the same. */
export function parseEnvelopedResponse(envelope: Json | undefined): OriginResponseSummary | null {
  if (!isJsonObject(envelope)) return null;
  const { status, headers, body } = envelope;
  if (typeof status !== 'number') return null;
  const hasAllow = isJsonObject(headers) && headers['Allow'] !== undefined;
  return { status, mediaType: 'application/json', hasAllow, body };
}
