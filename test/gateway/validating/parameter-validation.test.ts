import { describe, expect, test } from 'vitest';
import type { RouteRequest } from '../../../src/gateway/snapshot/snapshot.ts';
import {
  type ObservationContext,
  TooComplexRequests,
} from '../../../src/gateway/validating/operation-rules.ts';
import {
  type IncomingRequest,
  ParameterValidation,
} from '../../../src/gateway/validating/request-validation.ts';
import { decodeWithWebStreams } from '../../../src/http/content-decoding.ts';
import { silentLog, systemClock } from '../../../src/ports.ts';
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

interface SentRequest {
  readonly types: readonly string[];
  readonly hasBody?: boolean;
  readonly more?: readonly string[];
  /** Whether a body above the limit is rejected. */
  readonly refuses?: boolean;
}

const CONTEXT: ObservationContext = {
  log: silentLog,
  afterAgreement: undefined,
  bodyLimit: 1000,
  isBodyLimitStated: false,
  decode: decodeWithWebStreams,
  tooComplexRequests: new TooComplexRequests(silentLog, systemClock),
  ledger: new Ledger(),
  markEvidenceChanged: null,
};

class RecordingValidation extends ParameterValidation {
  readonly validated: string[] = [];
  protected readonly rejectsInvalid: boolean;

  protected readonly operationId = 'some';
  protected readonly refusesTooComplex = false;

  constructor(request: IncomingRequest, rejectsInvalid: boolean) {
    super(request, CONTEXT);
    this.rejectsInvalid = rejectsInvalid;
  }

  head(): void {}

  validate(body: BodyParameters): null {
    this.validated.push(body.kind);
    return null;
  }

  protected get refusesTooLarge(): boolean {
    return this.rejectsInvalid;
  }
}

function inspect({ types, hasBody = true, more = [], refuses = false }: SentRequest): {
  readonly kind: string;
  readonly validated: string[];
} {
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
  const { validated } = validation;
  if (plan.kind === 'refused') return { kind: `${plan.problem.status}`, validated };
  return { kind: plan.bodyInspection?.kind ?? 'none', validated };
}

describe('the content type decides how a body is parsed', () => {
  test.each([
    ['JSON', ['application/json'], true, 'whole', []],
    ['a multipart form', ['multipart/form-data; boundary=b'], true, 'parts', []],
    ['a type without parameters', ['image/png'], true, 'none', ['complete']],
    ['no body', ['application/json'], false, 'none', ['complete']],
    ['the same type twice', ['application/json', 'application/json'], true, 'none', ['uncertain']],
    ['two types', ['text/plain', 'application/json'], true, 'none', ['uncertain']],
    ['two types and no body', ['text/plain', 'application/json'], false, 'none', ['complete']],
  ])('%s', (_, types, hasBody, kind, validated) => {
    expect(inspect({ types, hasBody })).toEqual({ kind, validated });
  });
});

describe('a body with a content coding is not validated, because some servers decode it and others do not', () => {
  test.each([
    ['gzip', 'none', ['uncertain']],
    ['identity', 'whole', []],
    [' Identity ', 'whole', []],
    ['', 'whole', []],
    ['identity, gzip', 'none', ['uncertain']],
  ])('%j', (coding, kind, validated) => {
    const more = ['Content-Encoding', coding];
    expect(inspect({ types: ['application/json'], more })).toEqual({ kind, validated });
  });
});

describe('a body whose announced length exceeds the limit is rejected before it is read', () => {
  test.each([
    ['1000', true, 'whole'],
    ['1001', true, '413'],
    ['1001', false, 'whole'],
  ])('%s bytes, rejected: %s', (length, refuses, kind) => {
    const more = ['Content-Length', length];
    expect(inspect({ types: ['application/json'], more, refuses })).toEqual({ kind, validated: [] });
  });

  test('a multipart form is not, because files do not count', () => {
    const types = ['multipart/form-data; boundary=b'];
    expect(inspect({ types, more: ['Content-Length', '100000'], refuses: true }).kind).toBe('parts');
  });
});
