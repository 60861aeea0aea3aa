import { ApiError, readResult } from './error.ts';
import { createExchange } from './exchange.ts';
import { isSafe, retryDelay, sleep } from './retry.ts';
import type { CallOptions, ClientEnvironment, ClientOptions, RawClient, RawResult } from './types.ts';
import { buildPath, buildQuery, createUrlBuilder } from './url.ts';

/** Creates a client without the types of a site. */
export function createRawClient(
  options: ClientOptions,
  environment: Partial<ClientEnvironment> = {},
): RawClient {
  const { slashes, ...clock } = { slashes: {}, random: Math.random, now: Date.now, sleep, ...environment };
  const toUrl = createUrlBuilder(options.baseUrl);
  const exchange = createExchange(options, toUrl('', '').origin);
  const pathOf = (template: string, { path }: Pick<CallOptions, 'path'>) =>
    buildPath(template, path, Object.hasOwn(slashes, template) ? slashes[template] : []);

  async function call(method: string, template: string, own: CallOptions = {}): Promise<RawResult> {
    const signal = combineSignals(options.signal, own.signal);
    const url = toUrl(pathOf(template, own), buildQuery(own.query));
    const send = exchange({ method, path: template }, url, own, signal);
    const retries = isSafe(method) ? (own.retries ?? options.retries ?? 0) : 0;
    let outcome = await send();
    for (let attempt = 0; attempt < retries && !signal?.aborted; attempt++) {
      const delay = retryDelay(outcome.response, attempt, clock);
      if (delay === undefined) break;
      await outcome.response?.body?.cancel().catch(() => undefined);
      await clock.sleep(delay, signal);
      outcome = await send();
    }
    if (outcome.response === undefined) throw outcome.failure;
    const result = await readResult(outcome.response, method);
    if (result.error !== undefined && (own.throw ?? options.throw)) {
      throw new ApiError(result.error, result.response);
    }
    return result;
  }

  const bind = (method: string) => (path: string, own?: CallOptions) => call(method, path, own);
  return {
    GET: bind('GET'),
    POST: bind('POST'),
    PUT: bind('PUT'),
    PATCH: bind('PATCH'),
    DELETE: bind('DELETE'),
    HEAD: bind('HEAD'),
    OPTIONS: bind('OPTIONS'),
    request: call,
    route(path, own = {}) {
      const query = buildQuery(own.query);
      return pathOf(path, own) + (query === '' ? '' : `?${query}`);
    },
  };
}

function combineSignals(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}
