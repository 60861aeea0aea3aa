import { expect } from 'vitest';
import { fieldValue } from '../../../../src/base/http/message.ts';
import { type Case, flatten, formatFieldValue, SITE, type Step } from './case.ts';

/** The observed outcome of one step. */
export interface StepOutcome {
  readonly status: number;
  /** Flat list. */
  readonly headers: readonly string[];
  readonly body: string;
  /** Headers of each request that was forwarded in this step. */
  readonly forwarded: readonly (readonly string[])[];
}

/** Field with the step of a response of the site. A 304 and the response to HEAD have none, because they update another. */
const STEP_FIELD = 'X-Step';

/** Origin of the site in runs without sockets. */
const SITE_ORIGIN = 'http://site.example.com';

export function siteFields(
  step: Step,
  number: number,
  start: number,
  now: number,
  site: string = SITE_ORIGIN,
): string[] {
  const { status = 200, headers = {} } = step.site ?? {};
  const stamped = status !== 304 && step.method !== 'HEAD';
  const date = 'Date' in headers ? {} : { Date: new Date(now).toUTCString() };
  const stamp = stamped ? { [STEP_FIELD]: String(number) } : {};
  return flatten({ ...date, ...headers, ...stamp }, start).map((text) => text.replace(SITE, site));
}

export function siteBody(step: Step, number: number): string {
  const status = step.site?.status ?? 200;
  if (status === 204 || status === 304 || step.method === 'HEAD') return '';
  return step.site?.body ?? `body of step ${number}`;
}

/** Compares the outcomes with the case. */
export function expectOutcomes(of: Case, outcomes: readonly StepOutcome[], start: number): void {
  of.steps.forEach((step, index) => {
    const number = index + 1;
    const outcome = outcomes[index];
    const label = `step ${number} (${outcome?.status} ${JSON.stringify(outcome?.headers)})`;
    if (outcome === undefined) throw new Error(label);
    const servedFrom = step.servedFrom ?? number;
    const forwards = step.inBackground ?? step.forwards ?? servedFrom === number;
    expect(outcome.forwarded.length, `${label}: forwarded requests`).toBe(forwards ? 1 : 0);

    const source = of.steps[servedFrom - 1];
    expect(outcome.status, `${label}: status`).toBe(step.status ?? source?.site?.status ?? 200);
    const isHead = step.method === 'HEAD';
    if (servedFrom > 0 && !isHead && source?.method !== 'HEAD') {
      const passedThrough = servedFrom === number && step.site?.status === 304;
      const stamp = passedThrough ? undefined : String(servedFrom);
      expect(fieldValue(outcome.headers, 'x-step'), `${label}: step of the response`).toBe(stamp);
    }
    const body = bodyOf(step, source, servedFrom, outcome.status);
    if (body !== undefined) expect(outcome.body, `${label}: body`).toBe(body);

    // RFC 9211 §2.1: a hit is a request that was not forwarded.
    const cacheStatus = fieldValue(outcome.headers, 'cache-status');
    if (cacheStatus !== undefined && forwards !== (servedFrom !== number)) {
      expect(/; hit\b/.test(cacheStatus), `${label}: a hit`).toBe(!forwards && servedFrom > 0);
    }

    const expected = flatten(step.expectedFields ?? {}, start);
    for (let at = 0; at < expected.length; at += 2) {
      const name = expected[at] ?? '';
      expect(fieldValue(outcome.headers, name.toLowerCase()), `${label}: ${name}`).toBe(expected[at + 1]);
    }
    for (const name of step.absentFields ?? []) {
      expect(fieldValue(outcome.headers, name.toLowerCase()), `${label}: ${name}`).toBeUndefined();
    }
    for (const [name, value] of Object.entries(step.forwardedFields ?? {})) {
      const expected = value === null ? undefined : formatFieldValue(value, start);
      expect(fieldValue(outcome.forwarded[0] ?? [], name.toLowerCase()), `${label}: sent ${name}`).toBe(
        expected,
      );
    }
  });
}

function bodyOf(
  step: Step,
  source: Step | undefined,
  servedFrom: number,
  status: number,
): string | undefined {
  if (step.body !== undefined) return step.body;
  if (step.method === 'HEAD' || status === 304) return '';
  if (source === undefined || status === 206 || status === 416 || source.site?.failure === 'cut')
    return undefined;
  return siteBody(source, servedFrom);
}
