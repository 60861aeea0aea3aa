import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { readSaid, type Said, type SiteAnswer } from '../../validation/evidence/origin-verdict.ts';
import type { AnswerObserver } from '../plan/plan.ts';
import { BodyWatch } from './json-body-observer.ts';

/** Bytes of an answer that are looked at. Errors are small; an envelope may hold a whole list, and is let go then. */
const LOOKED_AT = 64 * 1024;

const NOTHING: Said = { kind: 'undecided' };

/** Finds out what the site said of the parameters, from its answer as it passes by. */
export class SiteSaid implements AnswerObserver {
  readonly #enveloped: boolean;
  readonly #done: (said: Said, status: number) => void;
  #body: BodyWatch | null = null;

  /**
   * @param enveloped whether the answer's own status stands in its body (`_envelope`)
   * @param done called once, unless there is no answer at all
   */
  constructor(enveloped: boolean, done: (said: Said, status: number) => void) {
    this.#enveloped = enveloped;
    this.#done = done;
  }

  head(head: ResponseHead): void {
    const { headers, status } = head;
    const answer: SiteAnswer = {
      status,
      mediaType: parseMediaType(fieldValue(headers, 'content-type') ?? null).essence,
      hasAllow: (fieldValue(headers, 'allow') ?? '') !== '',
    };
    const isDecided = status < 400 ? !this.#enveloped : status >= 500;
    if (isDecided) this.#done(readSaid(answer), status);
    else this.#body = new BodyWatch(head, LOOKED_AT, (body) => this.#read(answer, body));
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

  #read(outer: SiteAnswer, body: Json | undefined): void {
    const answer = this.#enveloped && outer.status === 200 ? unwrapped(body) : { ...outer, body };
    this.#done(answer === null ? NOTHING : readSaid(answer), answer?.status ?? outer.status);
  }
}

/** `WP_REST_Server::envelope_response()`; null where it is none. Those of a batch are the same. */
export function unwrapped(envelope: Json | undefined): SiteAnswer | null {
  if (!isJsonObject(envelope)) return null;
  const { status, headers, body } = envelope;
  if (typeof status !== 'number') return null;
  const hasAllow = isJsonObject(headers) && headers['Allow'] !== undefined;
  return { status, mediaType: 'application/json', hasAllow, body };
}
