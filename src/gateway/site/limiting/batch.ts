import { isJsonObject, type Json, jsonItems, memberAt } from '../../../base/json.ts';
import { normalizeRoute, parseQueryParameters } from '../../../base/php/request.ts';
import { toPlainPath } from '../../wordpress/writes.ts';

const BATCH_ROUTE = /^\/(?:batch\/v1|wc\/store(?:\/v1)?\/batch)\/?$/i;

interface BatchPart {
  readonly method: string;
  readonly address: string;
  readonly query: string;
  readonly parameters: ReadonlyMap<string, Json> | null;
  readonly status: number | null;
  readonly headers: readonly string[];
  readonly json: () => Json | undefined;
}

export function isBatchRoute(route: string): boolean {
  return BATCH_ROUTE.test(route);
}

/** @param status of the batch @returns `null` if it is none, or its parts cannot be read */
export function readBatch(
  route: string,
  parameters: ReadonlyMap<string, Json> | null,
  status: number | null = null,
  json: () => Json | undefined = () => undefined,
): readonly BatchPart[] | null {
  if (!isBatchRoute(route)) return null;
  const requests = parameters?.get('requests');
  if (!Array.isArray(requests) && !isJsonObject(requests)) return null;
  const answer = json();
  if (memberAt(answer, 'failed') !== undefined) return [];
  const responses = jsonItems(memberAt(answer, 'responses'));
  return Object.values(requests).map((request, at) => readPart(request, responses[at], status));
}

function readPart(request: Json, response: Json | undefined, batchStatus: number | null): BatchPart {
  const [method, path, body] = ['method', 'path', 'body'].map((name) => memberAt(request, name));
  const [route = '', query = ''] = (typeof path === 'string' ? path : '').split(/\?(.*)/s, 2);
  const inQuery = parseQueryParameters(query);
  const inBody = isJsonObject(body) ? Object.entries(body) : [];
  const [status, headers] = ['status', 'headers'].map((name) => memberAt(response, name));
  return {
    method: typeof method === 'string' ? method.toUpperCase() : 'POST',
    address: toPlainPath(normalizeRoute(route)),
    query,
    parameters: inQuery === null ? null : new Map([...inQuery, ...inBody]),
    status: typeof status === 'number' ? status : batchStatus,
    headers: isJsonObject(headers)
      ? Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [name, value] : []))
      : [],
    json: () => memberAt(response, 'body'),
  };
}
