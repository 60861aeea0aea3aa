import type { OutgoingHttpHeaders } from 'node:http';
import {
  type Problem,
  problemBody,
  problemHeaders,
  problemStatus,
  reasonPhrase,
} from '../gateway/exchange/problem.ts';

/** The response to input that is no request. */
export const BAD_REQUEST: Problem = {
  status: 400,
  code: 'gateway_bad_request',
  message: 'The request is not well-formed HTTP.',
};

/** The response to a head that is longer than 16 KiB, or has too many lines. */
export const HEADERS_TOO_LARGE: Problem = {
  status: 431,
  code: 'gateway_headers_too_large',
  message: 'The request target and the headers are too long. Send long values in the body.',
};

/** The part of a response that writes it. */
interface ProblemWriter {
  writeHead(status: number, fields: OutgoingHttpHeaders): { end(body: string): unknown };
}

/** Writes a problem as the whole response. */
export function writeProblem(
  outgoing: ProblemWriter,
  problem: Problem,
  fields: OutgoingHttpHeaders = {},
): void {
  const body = problemBody(problem);
  const length = { 'content-length': Buffer.byteLength(body) };
  outgoing.writeHead(problemStatus(problem), { ...problemHeaders(problem), ...fields, ...length }).end(body);
}

/** Formats a problem as a response of HTTP/1.1 that is the last on its connection. */
export function formatProblem(problem: Problem): string {
  const body = problemBody(problem);
  const fields = {
    ...problemHeaders(problem),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${reasonPhrase(problem.status)}\r\n${lines.join('')}\r\n${body}`;
}
