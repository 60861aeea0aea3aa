import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { Operation } from '../../openapi/index.ts';
import type { OperationMatch } from '../../router/matcher.ts';
import type { SiteEnvironment, StoredState } from '../../state.ts';
import type { OperationKey } from '../../validation/evidence/core-rules.ts';
import {
  type EvidenceExample,
  Ledger,
  type LedgerEntry,
  type OperatorDecision,
  parseOperationName,
  type RequestCounts,
  type RuleCounts,
  type RuleKey,
  type RuleStatus,
  UNSTATED,
  type ValidationMode,
} from '../../validation/evidence/ledger.ts';
import { createModeResolver } from '../../validation/evidence/modes.ts';
import { getBrokenRules } from '../../validation/evidence/origin-verdict.ts';
import { isBatchOperation } from '../../validation/request/batch.ts';
import {
  DEFAULT_BODY_LIMIT,
  NO_BODY_PARAMETERS,
  type RequestParameters,
} from '../../validation/request/parameters.ts';
import type { ParameterRule } from '../../validation/request/result.ts';
import type { SiteOptions } from '../options/site-options.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { BatchValidation } from './batch-validation.ts';
import { type ObservationContext, OperationRules, TooComplexRequests } from './operation-rules.ts';
import { type IncomingRequest, parseParameters, RequestValidation } from './request-validation.ts';

/** The validation of one site's requests. Its evidence outlives the snapshots. */
export class SiteValidation {
  /** Mode of operations without a mode of their own. */
  readonly mode: ValidationMode;
  readonly ledger: Ledger = new Ledger();
  readonly #resolveMode: ReturnType<typeof createModeResolver>;
  readonly #context: ObservationContext;
  readonly #storedEvidence: StoredState;
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
    { log, states }: Pick<SiteEnvironment, 'log' | 'states'>,
  ) {
    const { bodyLimit, mode = 'off', routes = [] } = validation;
    const { ledger } = this;
    this.mode = mode;
    this.#resolveMode = createModeResolver({ mode, routes });
    this.#storedEvidence = states.open('validation', {
      toJson: () => ledger.toRecords(),
      restore: (content) => ledger.restore(content),
    });
    this.#context = {
      log,
      bodyLimit: bodyLimit ?? DEFAULT_BODY_LIMIT,
      isBodyLimitStated: bodyLimit !== undefined,
      decode,
      tooComplexRequests: new TooComplexRequests(log),
      ledger,
      markEvidenceChanged: states.areStored ? this.#storedEvidence.markChanged : null,
    };
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

  /**
   * Tells whether a read is valid, and what the gateway does if it is not, without counting it. `null` if the document does
   * not declare its operation, or if its parameters cannot be parsed as the site does.
   */
  inspect(snapshot: Snapshot, request: IncomingRequest): ValidationInspection | null {
    const { match } = request.resolved;
    const { requestValidators } = snapshot;
    const parameters = parseParameters(request, NO_BODY_PARAMETERS);
    if (match.kind !== 'found' || requestValidators === null || parameters === null) return null;
    // In mode `off` there are none: the document alone decides.
    const rules = this.#getRules(snapshot, match);
    const result = requestValidators.get(match.operation).validate(parameters);
    return {
      mode: rules?.mode ?? 'off',
      parameters,
      violations: getBrokenRules(result).map((rule) => ({
        ...rule,
        status: rules?.get(rule).status ?? 'unknown',
      })),
      isRefused: rules?.judge({ result, parameters }).isEnforceable ?? false,
    };
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

  /** Creates the report of `GET /-/sites/<name>/validation`. */
  createReport(snapshot: Snapshot | null): SiteValidationReport {
    if (snapshot !== null && this.#storedEvidence.isLoaded) this.#useSnapshot(snapshot);
    const { ledger, mode } = this;
    const operations = [...ledger.operations].flatMap(
      ([name, stats]): readonly OperationValidationReport[] => {
        const { accepted, disagreed, missed, refused, rejected, undecided, validated, wouldRefuse } =
          stats.counts;
        if (validated === 0) return [];
        const key = parseOperationName(name);
        const known = snapshot?.requestValidators?.findOperation(key);
        return [
          {
            operation: known?.operation.id ?? null,
            ...key,
            // The document may not declare the operation any more.
            mode: known === undefined ? mode : this.#resolveMode(known.route, key.method),
            ...{ validated, wouldRefuse, refused: rejected, agreed: { accepted, refused } },
            ...{ disagreed, missed, undecided },
          },
        ];
      },
    );
    const entries = [...ledger.entries].filter(({ isEvident }) => isEvident);
    return {
      mode,
      operations: operations.sort((one, other) => other.validated - one.validated),
      rules: entries
        .filter(({ key }) => key.rule !== UNSTATED)
        .map(toRuleReport)
        .sort((one, other) => other.disagreed - one.disagreed || other.broken - one.broken),
      missedParams: entries
        .filter(({ key }) => key.rule === UNSTATED)
        .map(({ examples, key: { namespace, param }, operations: names, counts }) => {
          return { namespace, param, operations: [...names], count: counts.broken, examples };
        }),
      tooComplex: this.#context.tooComplexRequests.total,
    };
  }

  /** Loads the stored evidence, once. Until it is loaded, no request is validated. */
  async loadEvidence(): Promise<void> {
    await this.#storedEvidence.load();
  }

  async stop(): Promise<void> {
    await this.#storedEvidence.stop();
  }
}

function isOn(mode: ValidationMode): mode is Exclude<ValidationMode, 'off'> {
  return mode !== 'off';
}

/** The validation evidence of one site, as `GET /-/sites/<name>/validation` returns it. */
export interface SiteValidationReport {
  /** Requests that were too complex to be validated, since the start. */
  readonly tooComplex: number;
  readonly mode: ValidationMode;
  /** Operations with validated requests, those with most requests first. */
  readonly operations: readonly OperationValidationReport[];
  /** The entries of the ledger, those that the site contradicts first. */
  readonly rules: readonly RuleValidationReport[];
  /** Arguments that the site refused and no rule did. */
  readonly missedParams: readonly {
    readonly namespace: string;
    readonly param: string;
    /** Names of the operations, such as `GET /wp/v2/posts`. */
    readonly operations: readonly string[];
    readonly count: number;
    readonly examples: readonly EvidenceExample[];
  }[];
}

interface OperationValidationReport
  extends OperationKey,
    Readonly<Pick<RequestCounts, 'validated' | 'wouldRefuse' | 'disagreed' | 'missed' | 'undecided'>> {
  /** `operationId` of the document; `null` when the document no longer declares the operation. */
  readonly operation: string | null;
  readonly mode: ValidationMode;
  /** Requests that the gateway rejected without forwarding. */
  readonly refused: number;
  /** Valid requests that the site accepted, and invalid ones that it refused. */
  readonly agreed: Readonly<Pick<RequestCounts, 'accepted' | 'refused'>>;
}

/** A rule with its evidence. `param` is empty for a rule of the request as a whole. */
export interface RuleValidationReport extends RuleKey, Readonly<RuleCounts> {
  /** What is known about the rule. In mode `enforce`, `core` and `confirmed` rules reject requests. */
  readonly status: RuleStatus;
  /** Whether the rule is ignored, because the site accepted a request that violates it. */
  readonly suspended: boolean;
  /** Names of the operations where it was violated, such as `GET /wp/v2/posts`. */
  readonly operations: readonly string[];
  readonly examples: readonly EvidenceExample[];
  /** What the operator has decided about the rule; `null` if the evidence decides. */
  readonly decision: OperatorDecision | null;
}

function toRuleReport(entry: LedgerEntry): RuleValidationReport {
  const { counts, decision, examples, key, operations, status } = entry;
  const suspended = status === 'suspended';
  return { ...key, ...counts, status, suspended, operations: [...operations], examples, decision };
}

/**
 * How far the site's responses agree with the validation of one operation. It is public, as the documentation is: it holds
 * magnitudes and shares, no values, no names of rules and no exact counts of requests.
 */
export interface OperationAgreement {
  /** Compared requests, rounded down to one significant digit; 0 for fewer than 10. */
  readonly comparedAtLeast: number;
  /** Share of the compared requests in percent, rounded down: 100 means all. */
  readonly agreedPercent: number;
  /** Rules that are ignored, because the site accepted a request that violates them. */
  readonly suspendedRules: number;
}

/** @param name of an operation in the ledger */
export function summarizeAgreement(ledger: Ledger, name: string): OperationAgreement | null {
  const stats = ledger.operations.get(name);
  if (stats === undefined) return null;
  const { accepted, disagreed, missed, refused } = stats.counts;
  const agreed = accepted + refused;
  const compared = agreed + disagreed + missed;
  const suspended = [...ledger.entries].filter(
    ({ operations, status }) => status === 'suspended' && operations.has(name),
  );
  return {
    comparedAtLeast: roundDown(compared),
    agreedPercent: compared === 0 ? 0 : Math.floor((100 * agreed) / compared),
    suspendedRules: suspended.length,
  };
}

/** 4,321 → 4,000 */
function roundDown(count: number): number {
  if (count < 10) return 0;
  const magnitude = 10 ** (String(count).length - 1);
  return Math.floor(count / magnitude) * magnitude;
}

/** Whether a read is valid, and what the gateway does if it is not. */
export interface ValidationInspection {
  readonly mode: ValidationMode;
  /** The parameters, as the site parses them. */
  readonly parameters: RequestParameters;
  /** Rules that the request violates, with what is known about each; empty if it is valid. */
  readonly violations: readonly (ParameterRule & { readonly status: RuleStatus })[];
  /** Whether the gateway refuses the request, unless it forwards it as a sample. */
  readonly isRefused: boolean;
}
