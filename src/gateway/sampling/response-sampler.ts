import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { type Json, parseJson } from '../../json.ts';
import type { Operation, ServedRoute } from '../../openapi/index.ts';
import { estimateJsonCost } from '../../php/parse-cost.ts';
import { parsePhpQuery } from '../../php/query.ts';
import type { RouteTarget } from '../../router/target.ts';
import type { SiteEnvironment, SiteStates, StoredState } from '../../state.ts';
import type {
  RequestedRepresentation,
  ResponseFindingStats,
  ResponseValidationResult,
  ResponseValidator,
  SampledResponse,
  SkipReason,
} from '../../validation/response/validator.ts';
import {
  parseShapes,
  type ResponseShapeKey,
  ResponseShapes,
  type SeenResponses,
  shapesToJson,
  toResponseShape,
  variantOf,
} from '../../validation/shapes/response-shapes.ts';
import { observeValue } from '../../validation/shapes/shape.ts';
import { limitWork } from '../../validation/wordpress/schema.ts';
import { BodyObserver } from '../exchange/body-observer.ts';
import type { ResponseObserver } from '../exchange/response-relay.ts';

export interface ResponseSamplerOptions extends Pick<SiteEnvironment, 'clock' | 'random'> {
  /** Which responses are validated: the first ones of each operation and then one in a hundred, or all that the time budget allows. */
  readonly mode: 'sample' | 'all';
  readonly findingStats: ResponseFindingStats;
  readonly shapes: ShapeCollector;
  readonly decode: ContentDecoder;
  /** Bytes of one response, before and after content decoding. @default 1 MiB */
  readonly maxResponseBytes?: number;
}

const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Responses that are relayed or wait, which bounds the memory. Meanwhile all responses of a new operation are in the sample. */
const MAX_OPEN = 32;

/** Validations take one part in so many of the time. */
const TIME_PARTS = 20;

/** Milliseconds whose part may be used at once: the first responses of many operations arrive together. */
const BURST = 1000;

/** One in a hundred finds common violations within hours. */
const SAMPLE_RATE = 0.01;

/**
 * Milliseconds between two drawn samples. A site with thousands of requests per second needs no more of them: one sample of
 * 10 KB costs 2 ms of CPU time, as much as thirty requests that are passed through.
 */
const DRAW_INTERVAL = 250;

/**
 * Validates responses of a site in the background and collects their shapes: one at a time, each in its own timer task, and
 * for a twentieth of the time.
 */
export class ResponseSampler {
  readonly #options: ResponseSamplerOptions;
  /** Operations whose responses in their default form are known, so that only drawn ones are in the sample. */
  readonly #settled = new WeakSet<Operation>();
  #drawnAt = Number.NEGATIVE_INFINITY;
  #open = 0;
  /** The validation of the last response that waits. */
  #last: Promise<void> = Promise.resolve();
  /** Milliseconds since the epoch when the validations so far have taken their part of the time. */
  #dueAt = Number.NEGATIVE_INFINITY;

  constructor(options: ResponseSamplerOptions) {
    this.#options = options;
  }

  /** Creates the observer of one response; `null` if the response is not in the sample. */
  observe(
    validator: ResponseValidator,
    { operation, route }: { readonly operation: Operation; readonly route: Pick<ServedRoute, 'pattern'> },
    { method, query }: RouteTarget,
  ): ResponseObserver | null {
    const { clock, mode, random, shapes } = this.#options;
    if (method === 'HEAD' || method === 'OPTIONS') return null;
    let isDrawn = mode === 'all';
    if (!isDrawn && random() < SAMPLE_RATE) {
      const now = clock.now();
      // The absolute value, as the clock may be set back.
      isDrawn = Math.abs(now - this.#drawnAt) >= DRAW_INTERVAL;
      if (isDrawn) this.#drawnAt = now;
    }
    const isDefault = !REPRESENTATION_PARAMETER.test(query);
    // Most responses are not in the sample.
    if (!isDrawn && isDefault && this.#settled.has(operation)) return null;
    const requested = isDefault ? { ...DEFAULT_REPRESENTATION, method } : parseRequested(method, query);
    const collected = findCollected(shapes, operation, route.pattern, requested);
    if (isDefault && collected?.isNew === false) this.#settled.add(operation);
    if (!isDrawn && collected?.isNew !== true) return null;
    if (operation.responseSchema === undefined && collected === null) return null;
    return this.#createObserver({ validator, operation, requested, collected });
  }

  #createObserver(sampled: SampledOperation): ResponseObserver {
    let body: BodyObserver | null = null;
    const skip = (reason: SkipReason): void => this.#record(sampled.operation, { kind: 'skipped', reason });
    return {
      head: (head) => {
        const { decode, maxResponseBytes: maxBytes = MAX_RESPONSE_BYTES } = this.#options;
        if (head.status < 200 || head.status > 299) return skip('status');
        if (this.#open >= MAX_OPEN) return skip('busy');
        this.#open += 1;
        body = new BodyObserver(head, { maxBytes, decode }, (read) => {
          if (typeof read === 'string') {
            this.#open -= 1;
            skip(read);
            return;
          }
          this.#run(sampled.operation, () => {
            this.#open -= 1;
            this.#validate(sampled, head, read);
          });
        });
      },
      write: (chunk) => body?.write(chunk),
      end: () => body?.end(),
      fail: () => body?.fail(),
    };
  }

  #record(operation: Operation, result: ResponseValidationResult): void {
    if (operation.responseSchema !== undefined) this.#options.findingStats.record(operation.id, result);
  }

  /** Runs a task after those before it, as soon as their part of the time is over. */
  #run(operation: Operation, task: () => void): void {
    const { clock } = this.#options;
    this.#last = this.#last
      .then(() => {
        const now = clock.now();
        // A longer time says that the clock was set back.
        if (this.#dueAt - now > TIME_PARTS * BURST) this.#dueAt = now;
        const delay = Math.max(0, this.#dueAt - BURST - now);
        return new Promise<void>((resolve) => void clock.after(delay, resolve));
      })
      .then(() => {
        const start = clock.now();
        try {
          task();
        } catch {
          // A response that makes its validator fail must not stop the queue.
          this.#record(operation, { kind: 'skipped', reason: 'busy' });
        }
        // The clock has a resolution of 1 ms: a short task counts as 0 or 1 ms, which is right on average.
        this.#dueAt = Math.max(this.#dueAt, start) + TIME_PARTS * Math.max(0, clock.now() - start);
      });
  }

  #validate(
    { collected, operation, requested, validator }: SampledOperation,
    { headers, status }: ResponseHead,
    body: Uint8Array,
  ): void {
    // The walk of a value is bounded by itself. Decoding is not: a dense body takes longer than a second's budget.
    if (estimateJsonCost(body) > DECODING_LIMIT) {
      this.#record(operation, { kind: 'skipped', reason: 'too-costly' });
      return;
    }
    const response = { status, headers, body, operation, requested };
    this.#record(operation, validator.validate(response));
    if (collected === null) return;
    const collect = (): void => collectShape(this.#options.shapes, collected, response);
    this.#run(operation, () => limitWork(SHAPE_WORK_LIMIT, collect, () => undefined));
  }
}

/** Parts of the names of the parameters below, or an encoded name. PHP reads some other characters as an underscore. */
const REPRESENTATION_PARAMETER = /context|fields|envelope|%/;

const DEFAULT_REPRESENTATION = { context: null, hasFieldFilter: false, isEnveloped: false } as const;

/** `_fields` and `_envelope` are read from the query only, as WordPress reads `_envelope`. */
function parseRequested(method: string, query: string): RequestedRepresentation {
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

interface CollectedShape {
  readonly key: Omit<ResponseShapeKey, 'variant'>;
  /** The context of the request, if it is not the default one. */
  readonly context: string | null;
  readonly isNew: boolean;
}

/** @returns `null` if the client has changed the shape of the response */
function findCollected(
  shapes: ShapeCollector,
  operation: Operation,
  route: string,
  { context, hasFieldFilter, isEnveloped }: RequestedRepresentation,
): CollectedShape | null {
  if (hasFieldFilter || isEnveloped) return null;
  const parameter = operation.parameters.find(
    ({ in: place, name }) => place === 'query' && name === 'context',
  );
  const other = context === (parameter?.schema['default'] ?? 'view') ? null : context;
  const key = { method: operation.method, route };
  const isNew = shapes.isNew({ ...key, variant: variantOf(operation.method, other, undefined) });
  return { key, context: other, isNew };
}

function collectShape(
  shapes: ShapeCollector,
  { context, key }: CollectedShape,
  { body, headers, status }: Pick<SampledResponse, 'status' | 'headers' | 'body'>,
): void {
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(fieldValue(headers, 'content-type') ?? '');
  const content = isJson && body.byteLength > 0 ? parseJson(body) : undefined;
  // A body that is not JSON says nothing about the operation.
  if (body.byteLength > 0 && content === undefined) return;
  shapes.add({ ...key, variant: variantOf(key.method, context, content) }, status, content);
}

/** Estimated nanoseconds of decoding up to which a body is in the sample. */
const DECODING_LIMIT = 20_000_000;
/** Estimated nanoseconds of collecting a shape, from as many items as fit. */
const SHAPE_WORK_LIMIT = 10_000_000;

interface SampledOperation {
  readonly validator: ResponseValidator;
  readonly operation: Operation;
  readonly requested: RequestedRepresentation;
  readonly collected: CollectedShape | null;
}

/** Number of responses of one key that are all sampled. Later ones are sampled like those of other operations. */
const NEW_RESPONSES = 20;

/** Collects what the responses of a site have in common, for `waygate reconcile --from`. It keeps no values. */
export class ShapeCollector {
  readonly #shapes = new ResponseShapes();
  readonly stored: StoredState;

  constructor(states: SiteStates) {
    const shapes = this.#shapes;
    this.stored = states.open('shapes', {
      toJson: () => ({ responses: shapesToJson(shapes.list()) }),
      restore({ responses }) {
        if (!Array.isArray(responses)) return false;
        for (const response of parseShapes(responses)) shapes.add(response);
        return true;
      },
    });
  }

  /** Whether responses of this key were seen too seldom to know their shape. */
  isNew(key: ResponseShapeKey): boolean {
    return this.#shapes.countResponses(key) < NEW_RESPONSES;
  }

  /** Adds a response. @param content its JSON; `undefined` if it has no body */
  add(key: ResponseShapeKey, status: number, content: Json | undefined): void {
    const shape = content === undefined ? undefined : observeValue(content, false);
    const seen = toResponseShape(key, status, shape);
    this.#shapes.add(seen);
    this.stored.markChanged();
  }

  list(): readonly SeenResponses[] {
    return this.#shapes.list();
  }
}
