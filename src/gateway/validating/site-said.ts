import { fieldValue } from '../../http/fields.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { isJsonObject, type Json } from '../../json.ts';
import type { AnswerHead } from '../../upstream/exchange.ts';
import { readSaid, type Said, type SiteAnswer } from '../../validation/evidence/said.ts';
import { concatenated } from '../body-through.ts';
import { decodeWithStreams } from '../decode.ts';
import type { AnswerObserver } from '../plan.ts';

/** Bytes of an answer that are looked at. Errors are small; an envelope may hold a whole list, and is let go then. */
const LOOKED_AT = 64 * 1024;

const NOTHING: Said = { kind: 'undecided' };

/** Finds out what the site said of the parameters, from its answer as it passes by. */
export class SiteSaid implements AnswerObserver {
  readonly #enveloped: boolean;
  readonly #done: (said: Said, status: number) => void;
  #answer: SiteAnswer = { status: 0, mediaType: '', hasAllow: false };
  #coding = '';
  #chunks: Uint8Array[] | null = null;
  #length = 0;
  #over = false;

  /**
   * @param enveloped whether the answer's own status stands in its body (`_envelope`)
   * @param done called once
   */
  constructor(enveloped: boolean, done: (said: Said, status: number) => void) {
    this.#enveloped = enveloped;
    this.#done = done;
  }

  head({ status, headers }: AnswerHead): void {
    this.#answer = {
      status,
      mediaType: parseMediaType(fieldValue(headers, 'content-type') ?? null).essence,
      hasAllow: (fieldValue(headers, 'allow') ?? '') !== '',
    };
    this.#coding = (fieldValue(headers, 'content-encoding') ?? 'identity').trim().toLowerCase();
    const isDecided = status < 400 ? !this.#enveloped : status >= 500;
    if (isDecided) this.#finish(readSaid(this.#answer), status);
    else this.#chunks = [];
  }

  write(chunk: Uint8Array): void {
    if (this.#chunks === null) return;
    this.#length += chunk.byteLength;
    if (this.#length > LOOKED_AT) this.#finish(NOTHING, this.#answer.status);
    else this.#chunks.push(chunk.slice());
  }

  end(): void {
    if (this.#chunks === null || this.#over) return;
    const bytes = concatenated(this.#chunks, this.#length);
    this.#chunks = null;
    if (this.#coding === 'identity') this.#read(bytes);
    // Nobody waits for it.
    else void decodeWithStreams(this.#coding, bytes, 4 * LOOKED_AT).then((plain) => this.#read(plain));
  }

  fail(): void {
    this.#finish(NOTHING, this.#answer.status);
  }

  #read(bytes: Uint8Array | null): void {
    const body = bytes === null ? undefined : parse(bytes);
    const answer = this.#enveloped ? unwrapped(this.#answer, body) : { ...this.#answer, body };
    this.#finish(answer === null ? NOTHING : readSaid(answer), answer?.status ?? this.#answer.status);
  }

  #finish(said: Said, status: number): void {
    if (this.#over) return;
    this.#over = true;
    this.#chunks = null;
    this.#done(said, status);
  }
}

/** `WP_REST_Server::envelope_response()`; null where it is none. Errors of the server itself come without. */
function unwrapped(outer: SiteAnswer, body: Json | undefined): SiteAnswer | null {
  if (outer.status !== 200) return { ...outer, body };
  if (!isJsonObject(body)) return null;
  const { status, headers, body: inner } = body;
  if (typeof status !== 'number') return null;
  const hasAllow = isJsonObject(headers) && headers['Allow'] !== undefined;
  return { status, mediaType: outer.mediaType, hasAllow, body: inner };
}

function parse(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
