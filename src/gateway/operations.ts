import { problemResponse } from './problem.ts';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** `/-/…`: the operation of the gateway itself. `path` begins with `/-/`. */
export function answerOperations(path: string, method: string, ready: boolean): Response {
  if (path !== '/-/health' && path !== '/-/ready') return problemResponse(UNKNOWN);
  if (method !== 'GET' && method !== 'HEAD') return problemResponse(READ_ONLY);
  if (path === '/-/health') return status('alive');
  return ready ? status('ready') : problemResponse(NOT_READY);
}

function status(text: string): Response {
  return new Response(JSON.stringify({ status: text }), { headers: HEADERS });
}

const UNKNOWN = {
  status: 404,
  code: 'gateway_not_found',
  message: 'The gateway has no such operation. It has /-/health and /-/ready.',
};
const READ_ONLY = {
  status: 405,
  code: 'gateway_read_only',
  message: 'This address answers GET and HEAD only.',
  headers: { allow: 'GET, HEAD' },
};
const NOT_READY = {
  status: 503,
  code: 'gateway_not_ready',
  message: 'A site has not been read yet.',
  headers: { 'retry-after': '1' },
};
