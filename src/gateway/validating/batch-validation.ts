import type { ResponseHead } from '../../http/exchange.ts';
import { isJsonObject, type Json } from '../../json.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import type { Match, Matcher } from '../../router/matcher.ts';
import { readSaid } from '../../validation/evidence/origin-verdict.ts';
import {
  type BatchPart,
  type BatchVerdict,
  type BodyValues,
  createBatchJudge,
  noRoute,
  type RequestValues,
  VALID,
  type Verdict,
} from '../../validation/request/index.ts';
import type { Problem } from '../plan/problem.ts';
import type { DocumentJudges } from '../snapshot/document-validators.ts';
import { type Beginning, beginBody } from './body-inspection.ts';
import { BodyWatch } from './json-body-observer.ts';
import { decide, type Judged, learn, type Watched, type Watching } from './observed-operation.ts';
import {
  isEnveloped,
  type JudgedRequest,
  type Judging,
  OperationJudging,
  refusalOf,
  valuesOf,
} from './operation-validation.ts';
import { unwrapped } from './origin-verdict-observer.ts';
import { answerOf } from './problems.ts';

/** What the requests within a batch are judged with. */
export interface BatchGround {
  readonly batch: ServedOperation;
  readonly matcher: Matcher;
  readonly judges: DocumentJudges;
  /** `null` where requests to it are not judged. */
  watch(match: Match): Watched | null;
  /** Whether a route that the document does not have is stopped, wherever it is asked for. */
  readonly refusesUnknown: boolean;
}

/** Bytes of a batch's answer that are looked at: 25 answers. */
const LOOKED_AT = 1024 * 1024;

interface Decided {
  readonly watched: Watched;
  readonly judged: Judged;
}

/** Of a batch: of itself as of any operation, and of each request in it. */
export class BatchJudging implements Judging {
  readonly #own: { readonly watched: Watched; readonly judging: OperationJudging } | null;
  readonly #ground: BatchGround;
  readonly #watching: Watching;
  readonly #request: JudgedRequest;
  readonly #decided = new Map<BatchPart['verdict'], Decided>();
  #parts: readonly BatchPart[] = [];
  #body: BodyWatch | null = null;

  /** @param watched the batch itself; `null` where it is not judged, and only what may not pass at all is stopped */
  constructor(watched: Watched | null, ground: BatchGround, watching: Watching, request: JudgedRequest) {
    this.#own =
      watched === null ? null : { watched, judging: new OperationJudging(watched, watching, request) };
    this.#ground = ground;
    this.#watching = watching;
    this.#request = request;
  }

  get #isEnforced(): boolean {
    return this.#own?.watched.mode === 'enforce';
  }

  begin(hasBody: boolean): Beginning {
    return beginBody(this.#request, hasBody, {
      limit: this.#watching.bodyLimit,
      judge: (body) => this.#own?.judging.judge(body) ?? this.#judgeParts(body),
      tooLong: (refused) =>
        this.#isEnforced || this.#ground.refusesUnknown ? refusalOf(this.#request, refused) : null,
    });
  }

  #judgeParts(body: BodyValues): Problem | null {
    const values = valuesOf(this.#request, body);
    if (values === null) {
      // What cannot be read may ask for anything.
      return this.#ground.refusesUnknown
        ? refusalOf(this.#request, body.kind === 'refused' ? body : noRoute())
        : null;
    }
    const verdict = this.#judgeBatch(values);
    if (verdict.kind === 'refused') return refusalOf(this.#request, verdict);
    this.#parts = verdict.parts;
    if (verdict.kind === 'passes' || !verdict.parts.some((part) => this.#isRefused(part))) return null;
    for (const { verdict: own } of verdict.parts) {
      const decided = this.#decided.get(own);
      if (decided?.judged.refused) decided.watched.tally.refused += 1;
    }
    return answerOf(verdict, this.#request.head.headers, isEnveloped(this.#request));
  }

  /** Whether a part is refused here, and not only found wrong. */
  #isRefused({ stopped, verdict }: BatchPart): boolean {
    if (verdict.kind !== 'refused') return false;
    return stopped === true || this.#isEnforced || this.#decided.has(verdict);
  }

  #judgeBatch(values: RequestValues): BatchVerdict {
    const { batch, judges, matcher, refusesUnknown, watch } = this.#ground;
    const watched = new Map<ServedOperation, Watched | null>();
    return createBatchJudge(batch, judges.resolve, {
      match: (method, route) => {
        const match = matcher.match(method, route);
        if (match.kind !== 'found' || !match.certain) return null;
        watched.set(match.operation, watch(match));
        return match;
      },
      judge: (operation, given) => this.#judgePart(watched.get(operation) ?? null, given),
      allowed: (method, route) =>
        !refusesUnknown || (route !== null && matcher.match(method, route).kind === 'found'),
    }).judge(values);
  }

  #judgePart(watched: Watched | null, values: RequestValues): Verdict {
    if (watched === null) return VALID;
    const judged = decide(watched, { verdict: watched.judge(values), values }, this.#watching);
    // One object each: it is what the decision is found by.
    const verdict: Verdict = judged.refused ?? { kind: 'valid' };
    this.#decided.set(verdict, { watched, judged });
    return verdict;
  }

  head(head: ResponseHead): void {
    this.#own?.judging.head(head);
    if (this.#decided.size > 0) this.#body = new BodyWatch(head, LOOKED_AT, (body) => this.#learn(body));
  }

  write(chunk: Uint8Array): void {
    this.#own?.judging.write(chunk);
    this.#body?.write(chunk);
  }

  end(): void {
    this.#own?.judging.end();
    this.#body?.end();
  }

  fail(): void {
    this.#own?.judging.fail();
    this.#body?.fail();
  }

  /** Each request of a batch has its answer in an envelope, in order; `null` where it was not run. */
  #learn(body: Json | undefined): void {
    const responses = isJsonObject(body) ? body['responses'] : undefined;
    for (const [at, { verdict }] of this.#parts.entries()) {
      const decided = this.#decided.get(verdict);
      const answer = unwrapped(Array.isArray(responses) ? responses[at] : undefined);
      if (decided === undefined) continue;
      const said = answer === null ? ({ kind: 'undecided' } as const) : readSaid(answer);
      learn(decided.watched, decided.judged, said, answer?.status ?? 0, this.#watching);
    }
  }
}
