import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { Operation } from '../../openapi/index.ts';
import type { OperationMatch } from '../../router/matcher.ts';
import type { SiteEnvironment, SiteStates, StoredState } from '../../state.ts';
import {
  Ledger,
  type LedgerRecords,
  type OperatorDecision,
  type RuleKey,
  type ValidationMode,
} from '../../validation/evidence/ledger.ts';
import { createModeResolver } from '../../validation/evidence/modes.ts';
import { isBatchOperation } from '../../validation/request/batch.ts';
import { DEFAULT_BODY_LIMIT } from '../../validation/request/parameters.ts';
import { ResponseFindingStats, type ResponseValidationReport } from '../../validation/response/validator.ts';
import type { SeenResponses } from '../../validation/shapes/response-shapes.ts';
import type { ResponseObserver } from '../exchange/response-relay.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { ResponseSampler, ShapeCollector } from '../sampling/response-sampler.ts';
import type { RouteRequest, Snapshot } from '../snapshot/snapshot.ts';
import { BatchValidation } from './batch-validation.ts';
import { type ObservationContext, OperationRules, TooComplexRequests } from './operation-rules.ts';
import { type IncomingRequest, RequestValidation } from './request-validation.ts';
import {
  createValidationReport,
  inspectValidation,
  type ValidationInspection,
  type ValidationReport,
} from './validation-report.ts';

export type { ValidationInspection } from './validation-report.ts';

export interface SiteValidationReport extends ValidationReport {
  /** Findings in the origin's responses; `null` when responses are not validated. */
  readonly responses: ResponseValidationReport | null;
  /** Requests that were too complex to be validated, since the start. */
  readonly tooComplex: number;
}

/** What one process of a gateway has observed since its last report. */
export interface ValidationObservations {
  /** `null` for nothing. */
  readonly evidence: LedgerRecords | null;
  readonly findings: ResponseValidationReport;
  readonly shapes: readonly SeenResponses[];
  /** Requests that were too complex to be validated. */
  readonly tooComplex: number;
}

/** The validation of one site's requests and responses. Its evidence outlives the snapshots. */
export class SiteValidation {
  /** Mode of operations without a mode of their own. */
  readonly mode: ValidationMode;
  readonly ledger: Ledger = new Ledger();
  readonly #resolveMode: ReturnType<typeof createModeResolver>;
  readonly #context: ObservationContext;
  readonly #states: SiteStates;
  readonly #storedEvidence: StoredState;
  readonly #shapes: ShapeCollector;
  readonly #findingStats = new ResponseFindingStats();
  readonly #sampler: ResponseSampler | null;
  /** Whether requests to routes that the document does not declare are rejected, also within a batch. */
  readonly #rejectsUnknownRoutes: boolean;
  readonly #validatesBatches: boolean;
  /** The snapshot whose document the evidence fits. */
  #adopted: Snapshot | null = null;
  #rules = new WeakMap<Operation, OperationRules | null>();

  /** @param decode removes the content coding of the origin's responses */
  constructor(
    { unknownRoutes, validation = {} }: SiteOptions,
    decode: ContentDecoder,
    { clock, log, random, states }: SiteEnvironment,
  ) {
    const { bodyLimit, mode = 'off', routes = [] } = validation;
    const { ledger } = this;
    this.mode = mode;
    this.#resolveMode = createModeResolver({ mode, routes });
    this.#states = states;
    this.#storedEvidence = states.open('validation', {
      toJson: () => ledger.toRecords('traffic'),
      restore: (content) => ledger.restore(content, 'traffic'),
    });
    this.#shapes = new ShapeCollector(states);
    this.#context = {
      log,
      bodyLimit: bodyLimit ?? DEFAULT_BODY_LIMIT,
      isBodyLimitStated: bodyLimit !== undefined,
      decode,
      tooComplexRequests: new TooComplexRequests(log),
      ledger,
      markEvidenceChanged: states.areStored ? this.#storedEvidence.markChanged : null,
    };
    const sampling = validation.responses ?? (mode === 'off' ? 'off' : 'sample');
    const [findingStats, shapes] = [this.#findingStats, this.#shapes];
    this.#sampler =
      sampling === 'off'
        ? null
        : new ResponseSampler({ mode: sampling, findingStats, shapes, clock, random, decode });
    this.#rejectsUnknownRoutes = unknownRoutes === 'refuse';
    const modes = [mode, ...routes.map((each) => each.mode)];
    this.#validatesBatches = this.#rejectsUnknownRoutes || modes.some(isOn);
  }

  /** Creates the validation of a request to the REST interface; `null` when the request is not validated. */
  createRequestValidation(snapshot: Snapshot, request: IncomingRequest): RequestValidation | null {
    if (!this.#storedEvidence.isLoaded) void this.loadEvidence();
    else if (snapshot !== this.#adopted) this.#useSnapshot(snapshot);
    const { match, target } = request.resolved;
    // WordPress responds to OPTIONS before it validates (`rest_handle_options_request()`).
    if (target.method === 'OPTIONS' || match.kind !== 'found') return null;
    const rules = this.#getRules(snapshot, match);
    if (target.method !== 'POST' || !isBatchOperation(match.operation)) {
      return rules && new RequestValidation(rules, this.#context, request);
    }
    if (snapshot.requestValidators === null || !this.#validatesBatches) return null;
    const batch = {
      batchOperation: match.operation,
      matcher: snapshot.matcher,
      getRules: (found: OperationMatch) => this.#getRules(snapshot, found),
      rejectsUnknownRoutes: this.#rejectsUnknownRoutes,
    };
    return new BatchValidation(rules, batch, this.#context, request);
  }

  /** Switches to a snapshot. Drops the evidence of operations and parameters that its document no longer declares. */
  #useSnapshot(snapshot: Snapshot): void {
    if (snapshot === this.#adopted) return;
    this.#adopted = snapshot;
    this.#rules = new WeakMap();
    const { requestValidators } = snapshot;
    if (requestValidators === null) return;
    const { ledger } = this;
    const { log } = this.#context;
    const { findOperation, resolveReference } = requestValidators;
    const dropped = ledger.retainDeclared(findOperation, resolveReference);
    if (dropped.operations + dropped.rules === 0) return;
    log.info(dropped, 'evidence was dropped, because the document no longer declares its parameters');
    this.#storedEvidence.markChanged();
  }

  /**
   * Returns the rules of the operation that a request matches; `null` when its requests are not validated: the mode is `off`, another
   * route may run instead, or the stored evidence has not been loaded.
   */
  #getRules({ requestValidators }: Snapshot, match: OperationMatch): OperationRules | null {
    if (!this.#storedEvidence.isLoaded) return null;
    if (match.kind !== 'found' || !match.isCertain || requestValidators === null) return null;
    const { operation, route } = match;
    const known = this.#rules.get(operation);
    if (known !== undefined) return known;
    const mode = this.#resolveMode(route, operation.method);
    const created = isOn(mode) ? new OperationRules(match, mode, requestValidators, this.#context) : null;
    this.#rules.set(operation, created);
    return created;
  }

  /** Creates the observer of a sampled response; `null` when the response is not sampled. */
  sampleResponse({ responseValidator }: Snapshot, { match, target }: RouteRequest): ResponseObserver | null {
    // When another route may have responded, the schema of the response is not certain.
    if (this.#sampler === null || match.kind !== 'found' || !match.isCertain) return null;
    return this.#sampler.observe(responseValidator, match, target);
  }

  /**
   * Tells whether a read is valid, and what the gateway does if it is not, without counting it. `null` if the document does
   * not declare its operation, or if its parameters cannot be parsed as the site does.
   */
  inspect(snapshot: Snapshot, request: IncomingRequest): ValidationInspection | null {
    const { match } = request.resolved;
    const { requestValidators } = snapshot;
    if (match.kind !== 'found' || requestValidators === null) return null;
    return inspectValidation(request, match.operation, requestValidators, this.#getRules(snapshot, match));
  }

  /**
   * Sets or withdraws the operator's decision about a rule.
   *
   * @param key of an entry with evidence, as `toKeyText` returns it
   * @returns what the entry is about; `null` if there is no such entry
   */
  decide(key: string, decision: OperatorDecision | null): RuleKey | null {
    const entry = this.ledger.findEntry(key);
    if (entry === undefined || !entry.isEvident) return null;
    entry.decision = decision;
    this.#storedEvidence.markChanged();
    return entry.key;
  }

  /** Returns what this process has observed since the last call, for the other processes of the gateway. */
  takeObservations(): ValidationObservations {
    return {
      evidence: this.ledger.takeUntold(),
      findings: this.#findingStats.take(),
      shapes: this.#shapes.take(),
      tooComplex: this.#context.tooComplexRequests.take(),
    };
  }

  /** Adds what another process has observed. */
  addObservations(
    snapshot: Snapshot | null,
    { evidence, findings, shapes, tooComplex }: Partial<ValidationObservations>,
  ): void {
    if (snapshot !== null && this.#storedEvidence.isLoaded) this.#useSnapshot(snapshot);
    if (evidence !== undefined && evidence !== null) {
      this.ledger.addTold(evidence);
      this.#storedEvidence.markChanged();
    }
    if (findings !== undefined) this.#findingStats.add(findings);
    this.#shapes.addAll(shapes ?? []);
    this.#context.tooComplexRequests.total += tooComplex ?? 0;
  }

  /** Creates the report of `GET /-/sites/<name>/validation`. */
  createReport(snapshot: Snapshot | null): SiteValidationReport {
    if (snapshot !== null && this.#storedEvidence.isLoaded) this.#useSnapshot(snapshot);
    const { mode } = this;
    const validators = snapshot?.requestValidators ?? null;
    return {
      ...createValidationReport(this.#context, validators, mode, this.#resolveMode),
      responses: this.#sampler === null ? null : this.#findingStats.report(),
      tooComplex: this.#context.tooComplexRequests.total,
    };
  }

  /** The shapes of the responses that were seen; `null` if responses are not sampled. */
  listShapes(): ReturnType<ShapeCollector['list']> | null {
    return this.#sampler === null ? null : this.#shapes.list();
  }

  /** Loads the stored evidence, once. Until it is loaded, no request is validated. */
  async loadEvidence(): Promise<void> {
    await Promise.all([this.#storedEvidence.load(), this.#shapes.stored.load()]);
  }

  /** Loads the evidence of the last calibration, in place of an earlier one. Never rejects. */
  async loadCalibration(): Promise<void> {
    const { ledger } = this;
    await this.#states.consult('calibration', (content) => ledger.restore(content, 'calibration'));
    this.#adopted = null;
  }

  async stop(): Promise<void> {
    await Promise.all([this.#storedEvidence.stop(), this.#shapes.stored.stop()]);
  }
}

function isOn(mode: ValidationMode): mode is Exclude<ValidationMode, 'off'> {
  return mode !== 'off';
}
