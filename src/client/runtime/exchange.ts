import { createAuthenticator } from './auth.ts';
import { createContent } from './body.ts';
import { sendWithProgress } from './progress.ts';
import { isSafe } from './retry.ts';
import type { CallOptions, ClientCall, ClientHeaders, ClientOptions } from './types.ts';

/** A response, or the reason for its absence. */
export type ExchangeOutcome =
  | { readonly response: Response }
  | { readonly response?: undefined; readonly failure: unknown };

/**
 * Sends the request of a call: hooks, credentials, transport, hooks. A request whose nonce has expired is sent again once.
 *
 * @param origin of the site: other origins, which a hook may choose, get no credentials
 * @returns a function that prepares a call. It returns the function that sends the request, which can be called repeatedly
 */
export function createExchange(
  options: ClientOptions,
  origin: string,
): (
  call: Omit<ClientCall, 'request'>,
  url: URL,
  own: CallOptions,
  signal: AbortSignal | undefined,
) => () => Promise<ExchangeOutcome> {
  const { middleware = [], fetch: send = (request: Request) => fetch(request) } = options;
  const reversed = [...middleware].reverse();
  const { credentials, authenticate, shouldRepeat } = createAuthenticator(options.auth);

  return (call, url, own, signal) => {
    const content = createContent(own);
    const init: RequestInit = {
      method: call.method,
      headers: mergeHeaders(content?.type, options.headers, own.headers),
      // `fetch` would turn a redirected POST into a GET.
      redirect: isSafe(call.method) ? 'follow' : 'manual',
      ...(content === undefined ? {} : ({ body: content.body, duplex: 'half' } as RequestInit)),
      ...(signal === undefined ? {} : { signal }),
      // Some platforms without cookies reject the option.
      ...(credentials !== undefined && 'credentials' in Request.prototype ? { credentials } : {}),
    };

    async function attempt(isRepeated: boolean): Promise<ExchangeOutcome> {
      const original = new Request(url, init);
      let request = original;
      for (const { onRequest } of middleware) request = (await onRequest?.({ ...call, request })) ?? request;
      const isTrusted = new URL(request.url).origin === origin;
      if (isTrusted) request = await authenticate(request);
      let response: Response | undefined;
      let failure: unknown;
      try {
        const { onUploadProgress } = own;
        const known = request === original && content?.body instanceof Blob ? content.body : undefined;
        response =
          onUploadProgress === undefined || request.body === null
            ? await send(request)
            : await sendWithProgress(request, known, onUploadProgress, send);
      } catch (error) {
        failure = error;
        for (const { onError } of reversed) {
          const result = await onError?.({ ...call, request, error: failure });
          if (result instanceof Response) {
            response = result;
            break;
          }
          failure = result ?? failure;
        }
      }
      if (response === undefined) return { failure };
      for (const { onResponse } of reversed)
        response = (await onResponse?.({ ...call, request, response })) ?? response;
      const isStale = isTrusted && !isRepeated && (await shouldRepeat?.(request, response));
      return isStale ? attempt(true) : { response };
    }

    return () => attempt(false);
  };
}

function mergeHeaders(type: string | undefined, ...lists: readonly (ClientHeaders | undefined)[]): Headers {
  const merged = new Headers({ Accept: 'application/json, */*;q=0.1' });
  if (type !== undefined) merged.set('Content-Type', type);
  for (const list of lists) {
    new Headers(list as Record<string, string> | undefined).forEach((value, name) => {
      merged.set(name, value);
    });
  }
  return merged;
}
