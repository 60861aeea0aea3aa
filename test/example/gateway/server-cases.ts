import { expect } from 'vitest';
import type { SeedOperation } from '../support/seed-operations.ts';

/** A call with what comes of it: a status, and something of the body. */
export interface ServerCall {
  /** `{page}` stands for the address of something that may be embedded. */
  readonly query?: string;
  readonly login?: 'editor';
  /** Credentials that are nobody's. */
  readonly wrongPassword?: boolean;
  readonly json?: unknown;
  readonly status: number;
  readonly holds: unknown;
}

/** An operation that every site of this kind has. */
export interface ServerCase {
  readonly operation: SeedOperation;
  readonly works: ServerCall;
  readonly refused: ServerCall;
}

const STRANGER: ServerCall = { wrongPassword: true, status: 401, holds: { code: 'incorrect_password' } };

function namespaceIndex(name: string): ServerCase {
  return {
    operation: `GET /${name}`,
    works: { status: 200, holds: { namespace: name, routes: { [`/${name}`]: { methods: ['GET'] } } } },
    refused: { query: 'namespace=nowhere/v1', status: 404, holds: { code: 'rest_invalid_namespace' } },
  };
}

/** What a site says of itself. */
interface About {
  readonly name: string;
  readonly namespaces: readonly string[];
  /** A path that takes `{ title }` by POST, with the status of what comes of it in a batch. */
  readonly batched: readonly [path: string, status: number];
}

/** The operations of the server itself. */
export function serverCases({ name, namespaces, batched: [path, status] }: About): readonly ServerCase[] {
  const requests = [{ path, body: { title: 'By the dozen' } }];
  return [
    {
      operation: 'GET /',
      works: {
        status: 200,
        holds: {
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
      works: { login: 'editor', json: { requests }, status: 207, holds: { responses: [{ status }] } },
      refused: {
        json: { requests: Array.from({ length: 26 }, () => requests[0]) },
        status: 400,
        holds: { code: 'rest_invalid_param', data: { params: { requests: expect.any(String) } } },
      },
    },
    {
      operation: 'GET /oembed/1.0/embed',
      works: { query: 'url={page}', status: 200, holds: { version: '1.0', type: 'rich', width: 600 } },
      refused: { status: 400, holds: { code: 'rest_missing_callback_param', data: { params: ['url'] } } },
    },
    {
      operation: 'GET /oembed/1.0/proxy',
      works: {
        query: 'url={page}&maxwidth=400',
        login: 'editor',
        status: 200,
        holds: { type: 'rich', html: expect.stringContaining('iframe') },
      },
      refused: { query: 'url={page}', status: 401, holds: { code: 'rest_forbidden' } },
    },
  ];
}
