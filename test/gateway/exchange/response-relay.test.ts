import { describe, expect, test, vi } from 'vitest';
import type {
  Dispatch,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
} from '../../../src/base/http/exchange.ts';
import { systemClock } from '../../../src/base/ports.ts';
import { BodyReservation, createBodyMemory } from '../../../src/gateway/exchange/request-body-validator.ts';
import { type ResponseObserver, ResponseRelay } from '../../../src/gateway/exchange/response-relay.ts';
import { SiteConcurrency } from '../../../src/gateway/upstream/site-concurrency.ts';

const HEAD: ResponseHead = { status: 200, reason: 'OK', headers: ['Content-Length', '2'] };
const BODY = new TextEncoder().encode('ok');
const THROWN = new Error('a fault of the gateway');
const fault = (): never => {
  throw THROWN;
};

interface Setting {
  readonly observers?: readonly ResponseObserver[];
  readonly dispatch: Dispatch;
  readonly toRelayedHead?: (head: ResponseHead) => { headers: string[] };
}

function relay({ dispatch, observers = [], toRelayedHead = () => ({ headers: [] }) }: Setting) {
  const failures: UpstreamFailure[] = [];
  const client: ResponseSink = {
    head() {},
    complete() {},
    write: () => true,
    end() {},
    fail: (failure) => void failures.push(failure),
  };
  const site = {
    circuits: null,
    concurrency: new SiteConcurrency({}, systemClock),
    settings: { clock: systemClock },
  };
  const request = {
    ...{ client: '192.0.2.1', head: { method: 'POST' }, site, forwarded: { toRelayedHead } },
    memo: { mayChangeSite: true, wasGood: true },
    describe: () => 'POST /',
    noteHead() {},
    recordUpstream() {},
    recordUpstreamFailure() {},
    recordSiteWords() {},
  };
  const exchange = new ResponseRelay(request, observers, undefined, client);
  const sent = { method: 'POST', target: '/', headers: [], body: null, retryable: false };
  return { failures, relay: exchange, start: () => exchange.start(true, dispatch, sent) };
}

describe('an observer that throws', () => {
  const completed: Dispatch = (_, sink) => {
    sink.complete(HEAD, BODY);
    return { abort() {}, resume() {} };
  };
  const failed: Dispatch = (_, sink) => {
    sink.fail({ kind: 'timeout' });
    return { abort() {}, resume() {} };
  };

  test.each([
    ['at the end', completed, { head() {}, end: fault }],
    ['at the end, and when it is told of the failure', completed, { head() {}, end: fault, fail: fault }],
    ['when it is told of a failure', failed, { head() {}, fail: fault }],
  ])('%s keeps no other one from its end', (_, dispatch, broken) => {
    const memory = createBodyMemory(100);
    const reservation = new BodyReservation(memory, '192.0.2.1');
    reservation.grow(10);
    const { failures, start } = relay({ observers: [broken, reservation], dispatch });
    start();
    expect(memory.held).toBe(0);
    expect(failures).toEqual([{ kind: 'internal', cause: THROWN }]);
  });
});

describe('an exchange that ends while it is sent', () => {
  const useDispatch = (respond: (sink: ResponseSink) => void) => {
    const abort = vi.fn<() => void>();
    const dispatch: Dispatch = (_, sink) => {
      respond(sink);
      return { abort, resume() {} };
    };
    return { dispatch, abort };
  };

  test('by a fault is aborted', () => {
    const { abort, dispatch } = useDispatch((sink) => sink.head(HEAD));
    const { failures, start } = relay({ dispatch, toRelayedHead: fault });
    start();
    expect(failures).toEqual([{ kind: 'internal', cause: THROWN }]);
    expect(abort).toHaveBeenCalledOnce();
  });

  test('by its client is aborted', () => {
    const { abort, dispatch } = useDispatch((sink) => sink.head(HEAD));
    const observer: ResponseObserver = { head: () => exchange.relay.abort() };
    const exchange = relay({ dispatch, observers: [observer] });
    exchange.start();
    expect(abort).toHaveBeenCalledOnce();
  });

  test('with its response is not aborted', () => {
    const { abort, dispatch } = useDispatch((sink) => sink.complete(HEAD, BODY));
    const { failures, start } = relay({ dispatch });
    start();
    expect(failures).toEqual([]);
    expect(abort).not.toHaveBeenCalled();
  });
});
