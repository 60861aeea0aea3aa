import { expect } from 'vitest';
import type { SeedOperation } from '../support/seed-operations.ts';

/** A call with its expected status and expected members of the body. */
interface ServerCall {
  /** `{page}` is replaced by the URL of a page that can be embedded. */
  readonly query?: string;
  readonly login?: 'editor';
  /** Sends credentials that the site does not accept. */
  readonly wrongPassword?: boolean;
  readonly json?: unknown;
  readonly status: number;
  readonly expectedBody: unknown;
}

/** An operation that every site of this kind has. */
export interface ServerCase {
  readonly operation: SeedOperation;
  readonly accepted: ServerCall;
  readonly refused: ServerCall;
}

const STRANGER: ServerCall = {
  wrongPassword: true,
  status: 401,
  expectedBody: { code: 'incorrect_password' },
};

function namespaceIndex(name: string): ServerCase {
  return {
    operation: `GET /${name}`,
    accepted: {
      status: 200,
      expectedBody: { namespace: name, routes: { [`/${name}`]: { methods: ['GET'] } } },
    },
    refused: { query: 'namespace=nowhere/v1', status: 404, expectedBody: { code: 'rest_invalid_namespace' } },
  };
}

/** Values of a site that its responses contain. */
interface SiteDescription {
  readonly name: string;
  readonly namespaces: readonly string[];
  /** A path that accepts `{ title }` by POST, and the status of its response in a batch. */
  readonly batched: readonly [path: string, status: number];
}

/** Creates the cases of the operations that belong to no namespace of the site. */
export function createServerCases({
  name,
  namespaces,
  batched: [path, status],
}: SiteDescription): readonly ServerCase[] {
  const requests = [{ path, body: { title: 'By the dozen' } }];
  return [
    {
      operation: 'GET /',
      accepted: {
        status: 200,
        expectedBody: {
          name,
          namespaces: expect.arrayContaining([...namespaces]),
          authentication: {
            'application-passwords': { endpoints: { authorization: expect.stringMatching(/^http/) } },
          },
          routes: { '/batch/v1': { methods: ['POST'] } },
        },
      },
      refused: STRANGER,
    },
    ...namespaces.map(namespaceIndex),
    {
      operation: 'POST /batch/v1',
      accepted: {
        login: 'editor',
        json: { requests },
        status: 207,
        expectedBody: { responses: [{ status }] },
      },
      refused: {
        json: { requests: Array.from({ length: 26 }, () => requests[0]) },
        status: 400,
        expectedBody: { code: 'rest_invalid_param', data: { params: { requests: expect.any(String) } } },
      },
    },
    {
      operation: 'GET /oembed/1.0/embed',
      accepted: {
        query: 'url={page}',
        status: 200,
        expectedBody: { version: '1.0', type: 'rich', width: 600 },
      },
      refused: {
        status: 400,
        expectedBody: { code: 'rest_missing_callback_param', data: { params: ['url'] } },
      },
    },
    {
      operation: 'GET /oembed/1.0/proxy',
      accepted: {
        query: 'url={page}&maxwidth=400',
        login: 'editor',
        status: 200,
        expectedBody: { type: 'rich', html: expect.stringContaining('iframe') },
      },
      refused: { query: 'url={page}', status: 401, expectedBody: { code: 'rest_forbidden' } },
    },
  ];
}
