import {
  DEFAULT_AGREEMENT,
  hasAgreement,
  type ValidationMode,
} from '../../validation/evidence/enforcement.ts';
import type { Evidence } from '../../validation/evidence/evidence.ts';
import {
  type EvidenceExample,
  isSuspended,
  type OperationStats,
  type RuleStats,
} from '../../validation/evidence/stats.ts';
import type { DocumentValidators } from '../snapshot/document-validators.ts';

/** What was seen of a site's operations, as `GET /-/sites/<name>/validation` shows it. */
export interface ValidationReport {
  readonly mode: ValidationMode;
  /** Verdicts in a row that the site has to agree with before an operation is enforced by itself. */
  readonly afterAgreement: number | null;
  /** Those that were asked, the most asked first. */
  readonly operations: readonly OperationValidationReport[];
}

export interface OperationValidationReport {
  /** `operationId` of the document; `null` where it has none such any more. */
  readonly operation: string | null;
  readonly method: string;
  readonly route: string;
  readonly mode: ValidationMode;
  /** Whether requests are refused now. */
  readonly enforced: boolean;
  /** Whether the site has agreed often enough, so that enforcing it is safe by all that is known. */
  readonly ready: boolean;
  readonly validated: number;
  readonly wouldRefuse: number;
  /** Of these, those that the site was not asked. */
  readonly refused: number;
  /** The site took what would pass, and refused what would be refused. */
  readonly agreed: { readonly accepted: number; readonly refused: number };
  /** The site took what would be refused. */
  readonly disagreed: number;
  /** The site refused what would pass. */
  readonly missed: number;
  /** The site's answer said nothing of it. */
  readonly undecided: number;
  readonly rules: readonly RuleValidationReport[];
  /** The parameters that the site refused and no rule did. */
  readonly missedParams: readonly {
    readonly param: string;
    readonly count: number;
    readonly examples: readonly EvidenceExample[];
  }[];
}

export interface RuleValidationReport {
  /** Empty where the rule is of the request itself. */
  readonly param: string;
  readonly rule: string;
  /** Requests that broke it and went to the site. */
  readonly broken: number;
  /** Requests that were to be refused for it; a few of them are left to the site. */
  readonly refused: number;
  readonly agreed: number;
  readonly disagreed: number;
  /** It is wrong at this site and does not count. */
  readonly suspended: boolean;
  readonly examples: readonly EvidenceExample[];
}

interface ReportSettings {
  readonly mode: ValidationMode;
  readonly afterAgreement: number | undefined;
  readonly modeOf: (
    route: { readonly pattern: string; readonly namespace: string },
    method: string,
  ) => ValidationMode;
}

export function createValidationReport(
  evidence: Evidence,
  judges: DocumentValidators | null,
  { mode, afterAgreement, modeOf }: ReportSettings,
): ValidationReport {
  const present = new Map(
    Array.from(judges?.operations() ?? [], ({ route, operation }) => [
      `${operation.method} ${route.pattern}`,
      { id: operation.id, mode: modeOf(route, operation.method) },
    ]),
  );
  const operations = Array.from(
    evidence.entries(),
    ([{ method, route }, tally]): OperationValidationReport => {
      const known = present.get(`${method} ${route}`);
      const own = known?.mode ?? mode;
      return {
        operation: known?.id ?? null,
        method,
        route,
        mode: own,
        enforced: own === 'enforce' && (afterAgreement === undefined || hasAgreement(tally, afterAgreement)),
        ready: hasAgreement(tally, afterAgreement ?? DEFAULT_AGREEMENT),
        ...toCounts(tally),
        rules: Array.from(tally.rules.values(), toRuleReport),
        missedParams: Array.from(tally.missed, ([param, missed]) => ({ param, ...missed })),
      };
    },
  );
  operations.sort((one, other) => other.validated - one.validated);
  return { mode, afterAgreement: afterAgreement ?? null, operations };
}

function toCounts({ outcomes, refused, validated, wouldRefuse }: OperationStats) {
  return {
    validated,
    wouldRefuse,
    refused,
    agreed: { accepted: outcomes.accepted, refused: outcomes.refused },
    disagreed: outcomes.disagreed,
    missed: outcomes.missed,
    undecided: outcomes.undecided,
  };
}

function toRuleReport(tally: RuleStats): RuleValidationReport {
  const { agreed, broken, disagreed, examples, param, refused, rule } = tally;
  return { param, rule, broken, refused, agreed, disagreed, suspended: isSuspended(tally), examples };
}
