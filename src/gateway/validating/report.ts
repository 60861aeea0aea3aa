import { hasAgreed, type Mode, USUAL_AGREEMENT } from '../../validation/evidence/enforcement.ts';
import type { Evidence } from '../../validation/evidence/evidence.ts';
import { type Example, isWrong, type RuleTally, type Tally } from '../../validation/evidence/stats.ts';
import type { DocumentJudges } from '../snapshot/document-validators.ts';

/** What was seen of a site's operations, as `GET /-/sites/<name>/validation` shows it. */
export interface ValidationReport {
  readonly mode: Mode;
  /** Verdicts in a row that the site has to agree with before an operation is enforced by itself. */
  readonly afterAgreement: number | null;
  /** Those that were asked, the most asked first. */
  readonly operations: readonly OperationReport[];
}

export interface OperationReport {
  /** `operationId` of the document; `null` where it has none such any more. */
  readonly operation: string | null;
  readonly method: string;
  readonly route: string;
  readonly mode: Mode;
  /** Whether requests are refused now. */
  readonly enforced: boolean;
  /** Whether the site has agreed often enough, so that enforcing it is safe by all that is known. */
  readonly ready: boolean;
  readonly seen: number;
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
  readonly rules: readonly RuleReport[];
  /** The parameters that the site refused and no rule did. */
  readonly missedParams: readonly {
    readonly param: string;
    readonly count: number;
    readonly examples: readonly Example[];
  }[];
}

export interface RuleReport {
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
  readonly setAside: boolean;
  readonly examples: readonly Example[];
}

interface Settings {
  readonly mode: Mode;
  readonly afterAgreement: number | undefined;
  readonly modeOf: (route: { readonly pattern: string; readonly namespace: string }, method: string) => Mode;
}

export function reportOf(
  evidence: Evidence,
  judges: DocumentJudges | null,
  { mode, afterAgreement, modeOf }: Settings,
): ValidationReport {
  const present = new Map(
    Array.from(judges?.operations() ?? [], ({ route, operation }) => [
      `${operation.method} ${route.pattern}`,
      { id: operation.id, mode: modeOf(route, operation.method) },
    ]),
  );
  const operations = Array.from(evidence.all(), ([{ method, route }, tally]): OperationReport => {
    const known = present.get(`${method} ${route}`);
    const own = known?.mode ?? mode;
    return {
      operation: known?.id ?? null,
      method,
      route,
      mode: own,
      enforced: own === 'enforce' && (afterAgreement === undefined || hasAgreed(tally, afterAgreement)),
      ready: hasAgreed(tally, afterAgreement ?? USUAL_AGREEMENT),
      ...countsOf(tally),
      rules: Array.from(tally.rules.values(), ruleOf),
      missedParams: Array.from(tally.missed, ([param, missed]) => ({ param, ...missed })),
    };
  });
  operations.sort((one, other) => other.seen - one.seen);
  return { mode, afterAgreement: afterAgreement ?? null, operations };
}

function countsOf({ outcomes, refused, seen, wouldRefuse }: Tally) {
  return {
    seen,
    wouldRefuse,
    refused,
    agreed: { accepted: outcomes.accepted, refused: outcomes.refused },
    disagreed: outcomes.disagreed,
    missed: outcomes.missed,
    undecided: outcomes.undecided,
  };
}

function ruleOf(tally: RuleTally): RuleReport {
  const { agreed, broken, disagreed, examples, param, refused, rule } = tally;
  return { param, rule, broken, refused, agreed, disagreed, setAside: isWrong(tally), examples };
}
