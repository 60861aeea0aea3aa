import { PROBLEMS, type Problem } from '../../exchange/problem.ts';
import type { StreamedBodyReader } from '../../exchange/request-body-validator.ts';
import type { RequestHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { createFormScan, type ScanResult } from '../../php/form-scan.ts';
import { isUnambiguousBody, planBody } from '../../validation/request/parameters.ts';
import type { HeadDecision } from './request-validation.ts';

/** Maximum bytes of an urlencoded form in memory. A longer one is read while it streams, as a multipart form is. */
const MAX_BODY_BYTES = 256 * 1024;

const PASSES: HeadDecision = { kind: 'passes' };

const FORM_PROBLEMS: Readonly<Record<ScanResult, Problem | null>> = {
  absent: null,
  found: PROBLEMS.routeInForm,
  unclear: PROBLEMS.unclearForm,
};

/**
 * Refuses a form for a page that has a field named `rest_route`. WordPress prefers it to the path (`WP::parse_request`), so the site would
 * run a route that the gateway took for a page: unvalidated, uncounted, and without its purges.
 */
export function validatePageForm({ headers, method }: RequestHead): HeadDecision {
  const contentType = fieldValue(headers, 'content-type') ?? '';
  const createScan = () => createFormScan(contentType, 'rest_route');
  if (!isUnambiguousBody(headers)) return { kind: 'refused', problem: PROBLEMS.unclearForm };
  if (createScan() === null) return PASSES;
  const createReader = (): StreamedBodyReader => {
    const scan = createScan();
    return {
      retainedBytes: 0,
      write: (chunk) => FORM_PROBLEMS[scan?.write(chunk) ?? 'absent'],
      end: () => FORM_PROBLEMS[scan?.end() ?? 'absent'],
    };
  };
  const streamed = { kind: 'parts', isRequired: true, createReader } as const;
  const plan = planBody({ requestMethod: method, method, contentType });
  if (plan.kind !== 'buffered') return { kind: 'passes', bodyValidator: streamed };
  return {
    kind: 'passes',
    bodyValidator: {
      kind: 'whole',
      maxLength: MAX_BODY_BYTES,
      tooLargeProblem: null,
      longer: streamed,
      parse: plan.parse,
      validate: (body) => createReader().write(body),
    },
  };
}
