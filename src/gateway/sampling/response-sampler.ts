import { concatChunks } from '../../http/chunks.ts';
import type { ContentDecoder } from '../../http/content-decoding.ts';
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

/** Options of {@link createResponseSampler}. */
export interface ResponseSamplerOptions {
  /** Which responses are validated: one in a hundred, or all that the time budget allows. */
  readonly mode: 'sample' | 'all';
  /** Counts the results. */
  readonly findingStats: ResponseFindingStats;
  readonly decode: ContentDecoder;
  readonly clock: Clock;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  readonly limits?: Partial<SamplingLimits>;
}

/** Validates responses of a site in the background, within limits of memory and time. */
export interface ResponseSampler {
  /** Creates the observer of one response; `null` if the response is not in the sample. */
  observe(
    validator: ResponseValidator,
    operation: ServedOperation,
    target: RouteTarget,
  ): ResponseObserver | null;
}

/** One in a hundred finds common violations within hours, at no measurable cost. */
const SAMPLE_RATE = 0.01;

export function createResponseSampler(options: ResponseSamplerOptions): ResponseSampler {
  const { mode, random } = options;
  const limits = { ...SAMPLING_LIMITS, ...options.limits };
  const context: SamplingContext = { ...options, limits, queue: createSamplingQueue(options.clock, limits) };
  return {
    observe(validator, operation, target) {
      if (operation.responseSchema === undefined || target.method === 'HEAD') return null;
      if (mode === 'sample' && random() >= SAMPLE_RATE) return null;
      return new SampledResponseObserver(context, { validator, operation, requested: readRequested(target) });
    },
  };
}

/** `_fields` and `_envelope` are read from the query only, as WordPress reads `_envelope`. */
function readRequested({ method, query }: RouteTarget): RequestedRepresentation {
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

interface SamplingContext extends Pick<ResponseSamplerOptions, 'findingStats' | 'decode'> {
  readonly limits: SamplingLimits;
  readonly queue: SamplingQueue;
}

interface SampledOperation {
  readonly validator: ResponseValidator;
  readonly operation: ServedOperation;
  readonly requested: RequestedRepresentation;
}

/** Buffers one response while it is relayed, and validates it when it is complete. */
class SampledResponseObserver implements ResponseObserver {
  readonly #context: SamplingContext;
  readonly #sampled: SampledOperation;
  #head: ResponseHead | null = null;
  #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(context: SamplingContext, sampled: SampledOperation) {
    this.#context = context;
    this.#sampled = sampled;
  }

  head(head: ResponseHead): void {
    const contentLength = Number(fieldValue(head.headers, 'content-length'));
    if (head.status < 200 || head.status > 299) this.#skip('status');
    else if (contentLength > this.#context.limits.maxResponseBytes) this.#skip('too-large');
    else this.#head = head;
  }

  write(chunk: Uint8Array): void {
    if (this.#head === null) return;
    const { limits, queue } = this.#context;
    if (this.#length + chunk.byteLength > limits.maxResponseBytes) this.#skip('too-large');
    else if (!queue.reserve(chunk.byteLength)) this.#skip('busy');
    else {
      this.#length += chunk.byteLength;
      // A copy, as the chunk may be reused after the response. `slice` of a Buffer would be a view.
      this.#chunks.push(new Uint8Array(chunk));
    }
  }

  end(): void {
    const head = this.#head;
    if (head === null) return;
    this.#context.queue.enqueue(
      () => this.#validate(head),
      () => this.#skip('busy'),
    );
  }

  fail(): void {
    if (this.#head !== null) this.#skip('aborted');
  }

  async #validate({ headers, status }: ResponseHead): Promise<void> {
    const { decode, findingStats, limits, queue } = this.#context;
    const { operation, requested, validator } = this.#sampled;
    const raw = concatChunks(this.#chunks, this.#length);
    const coding = (fieldValue(headers, 'content-encoding') ?? '').trim().toLowerCase();
    const isPlain = coding === '' || coding === 'identity';
    const body = isPlain ? raw : await decode(coding, raw, limits.maxResponseBytes);
    if (body === null) return this.#skip('content-coding');
    const result = queue.measure(() => validator.validate({ operation, status, headers, body, requested }));
    findingStats.record(operation.id, result);
    this.#release();
  }

  #skip(reason: SkipReason): void {
    this.#context.findingStats.record(this.#sampled.operation.id, { kind: 'skipped', reason });
    this.#release();
  }

  #release(): void {
    this.#context.queue.release(this.#length);
    this.#length = 0;
    this.#chunks = [];
    this.#head = null;
  }
}
