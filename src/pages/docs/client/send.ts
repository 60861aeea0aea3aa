import { toText } from '../../../base/json.ts';
import {
  isCartPath,
  type SampleRequest,
  toDisposition,
  toSampleUrl,
} from '../../../generator/reference/sample-request.ts';
import { type Credentials, createLoginHeaders, toCookieMode } from './login.ts';

export interface Cart {
  fields?: readonly (readonly [name: string, value: string])[];
}

export interface ReceivedResponse {
  readonly response: Response;
  readonly content: Blob;
  /** The content as text, cut if it is too large; `undefined` for binary content. */
  readonly text: string | undefined;
  readonly milliseconds: number;
}

export const MAX_TEXT_BYTES = 2_000_000;

const TEXT = /^(?:$|text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|yaml|javascript)\b)/;

export async function sendFormRequest(
  request: SampleRequest,
  file: File | undefined,
  credentials: Credentials,
  cart: Cart,
): Promise<ReceivedResponse> {
  const headers = createLoginHeaders(credentials);
  const isCart = isCartPath(request.path);
  // WooCommerce before 5.9 has no `Cart-Token`, and knows a cart by the cookie of its session.
  const cookies = isCart ? 'same-origin' : toCookieMode(credentials);
  if (isCart) {
    const url = request.baseUrl + request.path.replace(/^(\/wc\/store\/(?:v\d+\/)?).*/, '$1cart');
    cart.fields ??= readCart(await fetch(url, { headers, credentials: cookies }));
    for (const [name, value] of cart.fields) headers.set(name, value);
  }
  const body = createBody(request, file, headers);
  const started = performance.now();
  const response = await fetch(toSampleUrl(request), {
    method: request.method,
    headers,
    credentials: cookies,
    ...(body === undefined ? {} : { body }),
  });
  if (isCart && response.ok) cart.fields = readCart(response);
  const content = await response.blob();
  const milliseconds = Math.round(performance.now() - started);
  const text = TEXT.test(content.type) ? await content.slice(0, MAX_TEXT_BYTES).text() : undefined;
  return { response, content, text, milliseconds };
}

function readCart({ headers }: Response): readonly (readonly [name: string, value: string])[] {
  return ['Cart-Token', 'Nonce', 'X-WC-Store-API-Nonce'].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
}

function createBody(request: SampleRequest, file: File | undefined, headers: Headers): BodyInit | undefined {
  const { body, file: described } = request;
  if (file !== undefined && described !== undefined) {
    if (described.field !== '') {
      const form = new FormData();
      form.append(described.field, file);
      for (const [name, value] of Object.entries(body ?? {})) {
        form.append(name, toText(value));
      }
      return form;
    }
    headers.set('content-type', file.type === '' ? 'application/octet-stream' : file.type);
    headers.set('content-disposition', toDisposition(file));
    return file;
  }
  if (body === undefined) return undefined;
  headers.set('content-type', 'application/json');
  return JSON.stringify(body);
}
