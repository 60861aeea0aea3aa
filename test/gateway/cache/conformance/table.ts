import type { Case } from './case.ts';
import { AGE } from './cases/age.ts';
import { CONDITIONS } from './cases/conditions.ts';
import { DECLINED } from './cases/declined.ts';
import { ADDRESSES, AUTHORIZATION, COOKIES, FIELDS, INCOMPLETE } from './cases/fields.ts';
import { FRESHNESS } from './cases/freshness.ts';
import { HEAD, INVALIDATION } from './cases/methods.ts';
import { RANGES } from './cases/ranges.ts';
import { REQUEST_DIRECTIVES } from './cases/request-directives.ts';
import { RESPONSE_DIRECTIVES } from './cases/response-directives.ts';
import { SPELLING } from './cases/spelling.ts';
import { STALE, STALE_WHILE_REVALIDATE } from './cases/stale.ts';
import { STATUS } from './cases/status.ts';
import { TARGETED } from './cases/targeted.ts';
import { VALIDATION } from './cases/validation.ts';
import { VARY } from './cases/vary.ts';

/** The rules of a shared cache, by topic. */
export const TABLE: Readonly<Record<string, readonly Case[]>> = {
  freshness: FRESHNESS,
  spelling: SPELLING,
  'statuses and heuristics': STATUS,
  age: AGE,
  'response directives': RESPONSE_DIRECTIVES,
  'targeted fields': TARGETED,
  'request directives': REQUEST_DIRECTIVES,
  'stale responses': STALE,
  'stale-while-revalidate': STALE_WHILE_REVALIDATE,
  vary: VARY,
  validation: VALIDATION,
  'conditions of the client': CONDITIONS,
  ranges: RANGES,
  head: HEAD,
  invalidation: INVALIDATION,
  'stored fields': FIELDS,
  authorization: AUTHORIZATION,
  cookies: COOKIES,
  'incomplete responses': INCOMPLETE,
  addresses: ADDRESSES,
  'declined cases': DECLINED,
};

/** Start of each case: a whole second, because HTTP dates have no fractions. */
export const START: number = Date.UTC(2031, 10, 1, 12, 0, 0);
