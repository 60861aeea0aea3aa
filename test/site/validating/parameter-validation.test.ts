import { expect, test } from 'vitest';
import { decodeWithWebStreams } from '../../../src/http/content-decoding.ts';
import { silentLog } from '../../../src/ports.ts';
import type { RouteRequest } from '../../../src/site/snapshot/snapshot.ts';
import { type ObservationContext, TooComplexRequests } from '../../../src/site/validating/operation-rules.ts';
import { type IncomingRequest, RequestValidation } from '../../../src/site/validating/request-validation.ts';
import { Ledger } from '../../../src/validation/evidence/ledger.ts';
import type { BodyParameters } from '../../../src/validation/request/parameters.ts';

const resolved: RouteRequest = {
  kind: 'route',
  upstreamTarget: '/wp-json/some/v1',
  unusualPath: '',
  match: { kind: 'none' },
  target: {
    kind: 'route',
    route: '/some/v1',
    method: 'POST',
    query: '',
    routeParameter: null,
    path: '/some/v1',
    spelling: 'pretty',
    hasFormBody: false,
  },
};

const CONTEXT: ObservationContext = {
  log: silentLog,
  bodyLimit: 1000,
  isBodyLimitStated: false,
  decode: decodeWithWebStreams,
  tooComplexRequests: new TooComplexRequests(silentLog),
  ledger: new Ledger(),
  markEvidenceChanged: null,
};

class RecordingValidation extends RequestValidation {
  readonly validated: string[] = [];
  readonly #refuses: boolean;

  constructor(request: IncomingRequest, refuses: boolean) {
    super(null, CONTEXT, request);
    this.#refuses = refuses;
  }

  override validate(body: BodyParameters): null {
    this.validated.push(body.kind);
    return null;
  }

  protected override get refusesTooLarge(): boolean {
    return this.#refuses;
  }
}

interface SentRequest {
  readonly types?: readonly string[];
  readonly hasBody?: boolean;
  readonly more?: readonly string[];
  /** Whether a body above the limit is rejected. */
  readonly refuses?: boolean;
}

const [JSON_TYPE, MULTIPART] = ['application/json', 'multipart/form-data; boundary=b'];
const coded = (coding: string): SentRequest => ({ more: ['Content-Encoding', coding] });
const long = (length: string, refuses: boolean): SentRequest => ({
  more: ['Content-Length', length],
  refuses,
});

test.each<[string, SentRequest, kind: string, validated?: string]>([
  ['JSON', {}, 'whole'],
  ['a multipart form', { types: [MULTIPART] }, 'parts'],
  ['a type without parameters', { types: ['image/png'] }, 'none', 'complete'],
  ['no body', { hasBody: false }, 'none', 'complete'],
  ['the same type twice', { types: [JSON_TYPE, JSON_TYPE] }, 'none', 'uncertain'],
  ['two types', { types: ['text/plain', JSON_TYPE] }, 'none', 'uncertain'],
  ['two types and no body', { types: ['text/plain', JSON_TYPE], hasBody: false }, 'none', 'complete'],
  // Some servers decode a body with a content coding and others do not.
  ['a content coding', coded('gzip'), 'none', 'uncertain'],
  ['no content coding', coded('identity'), 'whole'],
  ['no content coding, in other letters', coded(' Identity '), 'whole'],
  ['an empty content coding', coded(''), 'whole'],
  ['two content codings', coded('identity, gzip'), 'none', 'uncertain'],
  // A body whose announced length exceeds the limit is rejected before it is read. Files do not count.
  ['a body of the maximum length', long('1000', true), 'whole'],
  ['a longer body', long('1001', true), '413'],
  ['a longer body, where none is rejected', long('1001', false), 'whole'],
  ['a long multipart form', { ...long('100000', true), types: [MULTIPART] }, 'parts'],
])('the head decides how a body is parsed: %s', (_, sent, kind, validated) => {
  const { hasBody = true, more = [], refuses = false, types = [JSON_TYPE] } = sent;
  const head = {
    method: 'POST',
    target: '/some/v1',
    headers: [...types.flatMap((type) => ['Content-Type', type]), ...more],
    peerAddress: '',
    protocol: 'http',
    httpVersion: '1.1',
  } as const;
  const validation = new RecordingValidation({ resolved, head }, refuses);
  const plan = validation.validateHead(hasBody);
  const decided = plan.kind === 'refused' ? `${plan.problem.status}` : (plan.bodyValidator?.kind ?? 'none');
  expect([decided, validation.validated]).toEqual([kind, validated === undefined ? [] : [validated]]);
});
