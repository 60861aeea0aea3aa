import { concatChunks } from '../../http/chunks.ts';
import type { Decode } from '../../http/content-decoding.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { ServedOperation } from '../../openapi/served-api.ts';
import { parsePhpQuery } from '../../php/variables.ts';
import type { Clock } from '../../ports.ts';
import type { RouteTarget } from '../../router/target.ts';
import type {
  RequestedRepresentation,
  ResponseFindingStats,
  ResponseValidator,
  SkipReason,
} from '../../validation/response/index.ts';
import type { ResponseObserver } from '../plan/plan.ts';
import {
  createSamplingQueue,
  SAMPLING_LIMITS,
  type SamplingLimits,
  type SamplingQueue,
} from './sampling-queue.ts';

export interface ResponseSamplerOptions {
  /** Which answers are judged: one in a hundred, or all that there is time for. */
  readonly mode: 'sample' | 'all';
  /** Where what is found is counted. */
  readonly findings: ResponseFindingStats;
  readonly decode: Decode;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly limits?: Partial<SamplingLimits>;
}

/** Judges answers of a site beside the way of the request: nothing waits for it, and it has its limits. */
export interface ResponseSampler {
  /** What is to see the answer to a request; null where this one is not judged. */
  observe(judge: ResponseValidator, operation: ServedOperation, target: RouteTarget): ResponseObserver | null;
}

/** One in a hundred shows what is usual within the first hours of a site, at no cost that could be measured. */
const SHARE = 0.01;

export function createResponseSampler(options: ResponseSamplerOptions): ResponseSampler {
  const { mode, random } = options;
  const limits = { ...SAMPLING_LIMITS, ...options.limits };
  const parts: Parts = { ...options, limits, queue: createSamplingQueue(options.clock, limits) };
  return {
    observe(judge, operation, target) {
      if (operation.response === undefined || target.method === 'HEAD') return null;
      if (mode === 'sample' && random() >= SHARE) return null;
      return new Sample(parts, { judge, operation, asked: askedBy(target) });
    },
  };
}

/** `_fields` and `_envelope` are read from the query alone, as WordPress does for the latter. */
function askedBy({ method, query }: RouteTarget): RequestedRepresentation {
  const variables = parsePhpQuery(query);
  const context = variables.get('context');
  const fields = variables.get('_fields');
  return {
    method,
    context: typeof context === 'string' && context !== '' ? context : null,
    hasFieldFilter: fields !== undefined && fields !== '',
    isEnveloped: variables.has('_envelope'),
  };
}

interface Parts extends Pick<ResponseSamplerOptions, 'findings' | 'decode'> {
  readonly limits: SamplingLimits;
  readonly queue: SamplingQueue;
}

interface Sampled {
  readonly judge: ResponseValidator;
  readonly operation: ServedOperation;
  readonly asked: RequestedRepresentation;
}

/** One answer: collected as it passes, judged when it is whole. */
class Sample implements ResponseObserver {
  readonly #parts: Parts;
  readonly #sampled: Sampled;
  #head: ResponseHead | null = null;
  #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(parts: Parts, sampled: Sampled) {
    this.#parts = parts;
    this.#sampled = sampled;
  }

  head(head: ResponseHead): void {
    const stated = Number(fieldValue(head.headers, 'content-length'));
    if (head.status < 200 || head.status > 299) this.#give('status');
    else if (stated > this.#parts.limits.answerBytes) this.#give('too-large');
    else this.#head = head;
  }

  write(chunk: Uint8Array): void {
    if (this.#head === null) return;
    const { limits, queue } = this.#parts;
    if (this.#length + chunk.byteLength > limits.answerBytes) this.#give('too-large');
    else if (!queue.hold(chunk.byteLength)) this.#give('busy');
    else {
      this.#length += chunk.byteLength;
      // A copy, and not `slice`: on a Buffer that is a view, and this is kept for longer than the answer takes.
      this.#chunks.push(new Uint8Array(chunk));
    }
  }

  end(): void {
    const head = this.#head;
    if (head === null) return;
    this.#parts.queue.add(
      () => this.#judge(head),
      () => this.#give('busy'),
    );
  }

  fail(): void {
    if (this.#head !== null) this.#give('broken-off');
  }

  async #judge({ headers, status }: ResponseHead): Promise<void> {
    const { decode, findings, limits, queue } = this.#parts;
    const { judge, operation, asked: requested } = this.#sampled;
    const raw = concatChunks(this.#chunks, this.#length);
    const coding = (fieldValue(headers, 'content-encoding') ?? '').trim().toLowerCase();
    const body = coding === '' || coding === 'identity' ? raw : await decode(coding, raw, limits.answerBytes);
    if (body === null) return this.#give('coded');
    const judgement = queue.timed(() => judge.validate({ operation, status, headers, body, requested }));
    findings.record(operation.id, judgement);
    this.#letGo();
  }

  #give(reason: SkipReason): void {
    this.#parts.findings.record(this.#sampled.operation.id, { kind: 'unjudged', reason });
    this.#letGo();
  }

  #letGo(): void {
    this.#parts.queue.release(this.#length);
    this.#length = 0;
    this.#chunks = [];
    this.#head = null;
  }
}
