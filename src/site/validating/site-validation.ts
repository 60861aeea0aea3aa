import type { RouteValidationMode } from '../../config/option-types.ts';
import { RouteSelector } from '../../discovery/route-selection.ts';
import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { Operation, ServedRoute } from '../../openapi/index.ts';
import type { OperationMatch } from '../../router/matcher.ts';
import type { SiteEnvironment, StoredState } from '../../state.ts';
import {
  Ledger,
  type LedgerEntry,
  type RuleKey,
  type ValidationMode,
} from '../../validation/evidence/ledger.ts';
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
import { type ObservationContext, OperationRules } from './operation-rules.ts';
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
  readonly #rules = new WeakMap<Operation, OperationRules | null>();

  /** @param decode removes the content coding of the origin's responses */
  constructor(
    { unknownRoutes, validation = {} }: SiteOptions,
    decode: ContentDecoder,
    { log, states }: Pick<SiteEnvironment, 'log' | 'states'>,
  ) {
    const { bodyLimit, mode = 'off', routes = [] } = validation;
    const { ledger } = this;
    this.mode = mode;
    this.#resolveMode = createModeResolver(mode, routes);
    this.#storedEvidence = states.open('validation', {
      toJson: () => ledger.toRecords(),
      restore: (content) => ledger.restore(content),
    });
    this.#context = {
      log,
      bodyLimit: bodyLimit ?? DEFAULT_BODY_LIMIT,
      isBodyLimitDeclared: bodyLimit !== undefined,
      decode,
      tooComplex: 0,
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

  /**
   * Returns the rules of the operation that a request matches; `null` when its requests are not validated: the mode is `off`, another
   * route can run instead, or the stored evidence has not been loaded.
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
      violations: getBrokenRules(result),
      isRefused: rules?.judge({ result, parameters }).enforced.kind === 'invalid',
    };
  }

  /** Creates the report of `GET /-/sites/<name>/validation`. */
  createReport(): SiteValidationReport {
    const { ledger, mode } = this;
    const rules = ledger.entries.map(
      ({ agreed, disagreed, key: { namespace, param, rule, use }, status }) => {
        return { namespace, use, param, rule, status, agreed, disagreed };
      },
    );
    return {
      mode,
      outcomes: { ...ledger.outcomes },
      rules: rules.sort((one, other) => other.disagreed - one.disagreed || other.agreed - one.agreed),
      tooComplex: this.#context.tooComplex,
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

/** Creates the function that finds the mode of an operation. The first entry that matches it decides. */
export function createModeResolver(
  mode: ValidationMode,
  routes: readonly RouteValidationMode[],
): (route: Pick<ServedRoute, 'namespace' | 'pattern'>, method: string) => ValidationMode {
  const entries = routes.map((entry) => ({
    mode: entry.mode,
    methods: entry.methods?.map((name) => name.toUpperCase()),
    selector: new RouteSelector({ include: [entry.match] }),
  }));
  return ({ namespace, pattern }, method) => {
    const entry = entries.find(
      ({ methods, selector }) =>
        (methods === undefined || methods.includes(method)) && selector.matches(pattern, namespace),
    );
    return entry?.mode ?? mode;
  };
}

function isOn(mode: ValidationMode): mode is Exclude<ValidationMode, 'off'> {
  return mode !== 'off';
}

/** The validation of one site's requests, as `GET /-/sites/<name>/validation` returns it. */
export interface SiteValidationReport {
  readonly mode: ValidationMode;
  /** Validated requests since the start, by how the site's response compares with the result. */
  readonly outcomes: Ledger['outcomes'];
  /** Requests that were too complex to be validated, since the start. */
  readonly tooComplex: number;
  /** The rules that the site was seen to apply or to contradict; the latter first. */
  readonly rules: readonly RuleValidationReport[];
}

/** `param` is empty for a rule of the request as a whole. */
interface RuleValidationReport
  extends Omit<RuleKey, 'fingerprint'>,
    Readonly<Pick<LedgerEntry, 'status' | 'agreed' | 'disagreed'>> {}

/** Whether a read is valid, and what the gateway does if it is not. */
export interface ValidationInspection {
  readonly mode: ValidationMode;
  /** The parameters, as the site parses them. */
  readonly parameters: RequestParameters;
  /** Rules that the request violates; empty if it is valid. */
  readonly violations: readonly ParameterRule[];
  /** Whether the gateway refuses the request, unless it forwards it as a sample. */
  readonly isRefused: boolean;
}
