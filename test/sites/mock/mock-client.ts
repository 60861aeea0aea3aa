import type { JsonObject } from '../../../src/base/json.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read members of any response
type Body = any;

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** `null` if it is empty. */
  readonly body: Body;
  /** The status with the code of an error: `404 rest_no_route`. */
  readonly outcome: string;
}

/** Sends a request to a mock: `request('POST /wp/v2/posts', { title: 'New' })`. Without a method, it reads. */
export interface Mock {
  readonly app: { request(path: string, init?: RequestInit): Response | Promise<Response> };
}

type MockRequest = (operation: string, fields?: JsonObject) => Promise<Reply>;

export function createRequest(getMock: () => Mock): MockRequest {
  return async (operation, fields) => {
    const [path = '', method = 'GET'] = operation.split(' ').reverse();
    const response = await getMock().app.request(`/wp-json${path}`, {
      method,
      ...(fields && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) }),
    });
    const text = await response.text();
    const body: Body = text === '' ? null : JSON.parse(text);
    const outcome = `${response.status} ${body?.code ?? ''}`.trim();
    return { status: response.status, headers: response.headers, body, outcome };
  };
}
