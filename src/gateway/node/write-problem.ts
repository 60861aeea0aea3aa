import type { OutgoingHttpHeaders } from 'node:http';
import {
  type Problem,
  problemBody,
  problemHeaders,
  problemStatus,
  reasonPhrase,
} from '../exchange/problem.ts';

export function writeProblem(
  outgoing: { writeHead(status: number, fields: OutgoingHttpHeaders): { end(body: string): unknown } },
  problem: Problem,
  fields: OutgoingHttpHeaders = {},
): number {
  const body = problemBody(problem);
  const bytes = Buffer.byteLength(body);
  outgoing
    .writeHead(problemStatus(problem), { ...problemHeaders(problem), ...fields, 'content-length': bytes })
    .end(body);
  return bytes;
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
