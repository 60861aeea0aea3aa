import { expect } from 'vitest';
import { fieldValue } from '../../../src/http/fields.ts';
import { type Case, flatten, formatFieldValue, SITE, type Step } from './case.ts';

/** What became of one step. */
export interface StepOutcome {
  readonly status: number;
  /** Flat list. */
  readonly headers: readonly string[];
  readonly body: string;
  /** The requests that the site saw in this step, each by its fields. */
  readonly forwarded: readonly (readonly string[])[];
}

/** Which step of the site an answer is from. A 304 and the answer to HEAD are of no step: they speak of another. */
export const STEP_FIELD = 'X-Step';

/** The site where there is none. */
export const SITE_ORIGIN = 'http://site.example.com';

/** The fields that the site answers a step with. */
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

/** Holds what was played against what the case says. */
export function expectOutcomes(of: Case, played: readonly StepOutcome[], start: number): void {
  of.steps.forEach((step, index) => {
    const number = index + 1;
    const outcome = played[index];
    const told = `step ${number} (${outcome?.status} ${JSON.stringify(outcome?.headers)})`;
    if (outcome === undefined) throw new Error(told);
    const gives = step.servedFrom ?? number;
    const asks = step.inBackground ?? step.forwards ?? gives === number;
    expect(outcome.forwarded.length, `${told}: requests to the site`).toBe(asks ? 1 : 0);

    const giver = of.steps[gives - 1];
    expect(outcome.status, `${told}: status`).toBe(step.status ?? giver?.site?.status ?? 200);
    const isHead = step.method === 'HEAD';
    if (gives > 0 && !isHead && giver?.method !== 'HEAD') {
      const passedThrough = gives === number && step.site?.status === 304;
      const stamp = passedThrough ? undefined : String(gives);
      expect(fieldValue(outcome.headers, 'x-step'), `${told}: whose answer it is`).toBe(stamp);
    }
    const body = bodyOf(step, giver, gives, outcome.status);
    if (body !== undefined) expect(outcome.body, `${told}: body`).toBe(body);

    // RFC 9211 §2.1: a hit is what was not forwarded.
    const said = fieldValue(outcome.headers, 'cache-status');
    if (said !== undefined && asks !== (gives !== number)) {
      expect(/; hit\b/.test(said), `${told}: a hit`).toBe(!asks && gives > 0);
    }

    const has = flatten(step.expectedFields ?? {}, start);
    for (let at = 0; at < has.length; at += 2) {
      const name = has[at] ?? '';
      expect(fieldValue(outcome.headers, name.toLowerCase()), `${told}: ${name}`).toBe(has[at + 1]);
    }
    for (const name of step.absentFields ?? []) {
      expect(fieldValue(outcome.headers, name.toLowerCase()), `${told}: ${name}`).toBeUndefined();
    }
    for (const [name, value] of Object.entries(step.forwardedFields ?? {})) {
      const expected = value === null ? undefined : formatFieldValue(value, start);
      expect(fieldValue(outcome.forwarded[0] ?? [], name.toLowerCase()), `${told}: sent ${name}`).toBe(
        expected,
      );
    }
  });
}

function bodyOf(step: Step, giver: Step | undefined, gives: number, status: number): string | undefined {
  if (step.body !== undefined) return step.body;
  if (step.method === 'HEAD' || status === 304) return '';
  if (giver === undefined || status === 206 || status === 416 || giver.site?.failure === 'cut')
    return undefined;
  return siteBody(giver, gives);
}
