import { toText } from '../../json.ts';
import {
  CART_FIELDS,
  isCartPath,
  type SampleRequest,
  toDisposition,
  toSampleUrl,
} from '../sample-request.ts';

/** Credentials of the page. They are in memory only, and gone when the page is left. */
export interface Credentials {
  username: string;
  password: string;
  nonce: string;
  /** The fields of the last response of the cart, which all requests of the page to carts have in common. */
  cart?: readonly (readonly [name: string, value: string])[];
}

export interface ReceivedResponse {
  readonly response: Response;
  readonly content: Blob;
  /** The content as text, cut if it is too large; `undefined` if it is no text. */
  readonly text: string | undefined;
  readonly milliseconds: number;
}

export const MAX_TEXT_BYTES = 2_000_000;

/** Content types that are shown. Others are files. */
const TEXT = /^(?:$|text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|yaml|javascript)\b)/;

/** Sends a request through the gateway. Rejects if there is no response. */
export async function sendFormRequest(
  request: SampleRequest,
  file: File | undefined,
  credentials: Credentials,
): Promise<ReceivedResponse> {
  const { nonce, password, username } = credentials;
  const headers = new Headers({ accept: 'application/json' });
  const pair = String.fromCodePoint(...new TextEncoder().encode(`${username}:${password}`));
  if (username !== '') headers.set('authorization', `Basic ${btoa(pair)}`);
  if (nonce !== '') headers.set('x-wp-nonce', nonce);
  const isCart = isCartPath(request.path);
  if (isCart) {
    const url = request.baseUrl + request.path.replace(/^(\/wc\/store\/(?:v\d+\/)?).*/, '$1cart');
    credentials.cart ??= readCart(await fetch(url, { headers, credentials: 'omit' }));
    for (const [name, value] of credentials.cart) headers.set(name, value);
  }
  const body = createBody(request, file, headers);
  const started = performance.now();
  const response = await fetch(toSampleUrl(request), {
    method: request.method,
    headers,
    // A nonce is valid together with the cookie of a signed-in user.
    credentials: nonce === '' ? 'omit' : 'same-origin',
    ...(body === undefined ? {} : { body }),
  });
  if (isCart && response.ok) credentials.cart = readCart(response);
  const content = await response.blob();
  const milliseconds = Math.round(performance.now() - started);
  const text = TEXT.test(content.type) ? await content.slice(0, MAX_TEXT_BYTES).text() : undefined;
  return { response, content, text, milliseconds };
}

function readCart({ headers }: Response): readonly (readonly [name: string, value: string])[] {
  return CART_FIELDS.flatMap(([name]) => {
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
