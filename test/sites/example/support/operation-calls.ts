import { expect } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { listOperations } from '../../../../src/generator/openapi/operations.ts';
import { readSeed } from '../../../support/documents.ts';
import { PIXEL } from '../../../support/pixel.ts';
import { CONTENT_CALLS, SERVER_CALLS } from '../content/calls.ts';
import type { RunningExample } from '../gateway/running.ts';

/** The operations of a document: `GET /core/v2/posts/{id}`. */
export const listDocumentedOperations = (document: JsonObject): readonly string[] =>
  listOperations(document).map(({ method, path }) => `${method} ${path}`);

/** Those of the content site. */
export const OPERATIONS: readonly string[] = listDocumentedOperations(readSeed('content'));

type Send = (path: string, init: RequestInit) => Promise<Response>;

/**
 * A line of the tables: `editor POST /route?a=b {"a":1} -> 201 {"id":1}`. A line of `+` prepares the calls of the line after
 * it, and `=> 0.id` saves a member of its response as `{saved}`. The response has the status, and the error code or these
 * members. `file:name` uploads a picture, `@name=value` sets a header field, and `<a|b>` stands for two lines.
 */
const LINE =
  /^(?<as>\w+) (?<method>[A-Z]+) (?<path>\S+)(?: file:(?<file>\S+))?(?<fields>(?: @\S+)*)(?: (?<body>[[{"].*?))?(?: -> (?<status>\d+)(?: (?<expected>.+))?)?(?: => (?<saved>\S+))?$/;

interface Call {
  readonly as: string;
  readonly method: string;
  readonly route: string;
  readonly query: string;
  /** A name, and `=text` if it is no picture. */
  readonly file: string | undefined;
  readonly fields: readonly string[];
  readonly body: string | undefined;
  /** Below 300 if it is 0. */
  readonly status: number;
  readonly expected: string;
  readonly saved: readonly string[];
}

function parseCall(line: string): Call {
  const found = LINE.exec(line)?.groups;
  if (found === undefined) throw new Error(`no call: ${line}`);
  const { as = '', method = '', path = '', file, fields = '', body, status = 0 } = found;
  const [route = '', query = ''] = path.split(/\?(.*)/);
  return {
    ...{ as, method, route, query, file, body, status: Number(status), expected: found['expected'] ?? '' },
    fields: fields.split(' @').slice(1),
    saved: found['saved']?.split('.') ?? [],
  };
}

/** The lines that a line with alternatives stands for: `GET /<a|b>` is `GET /a` and `GET /b`. */
function expandLine(line: string): readonly string[] {
  const [first] = /<[^<>]*\|[^<>]*>/.exec(line) ?? [];
  const alternatives = first?.slice(1, -1).split('|') ?? [''];
  return alternatives.map((_, at) =>
    line.replace(/<([^<>]*\|[^<>]*)>/g, (_all, group) => group.split('|')[at]),
  );
}

/** The calls of an operation, which run in sequence. */
interface OperationProof {
  readonly operation: string;
  readonly calls: readonly Call[];
}

/** Reads a table, and groups the calls by their operations. */
function readProofs(table: string): readonly OperationProof[] {
  const proofs = new Map<string, Call[]>();
  let before: Call[] = [];
  for (const line of table
    .trim()
    .replaceAll(/\n {2}/g, '')
    .split('\n')) {
    if (line.startsWith('+ ')) {
      before.push(parseCall(line.slice(2)));
      continue;
    }
    for (const each of expandLine(line)) {
      const call = parseCall(each);
      const operation = findOperation(call);
      proofs.set(operation, [...(proofs.get(operation) ?? []), ...before, call]);
    }
    before = [];
  }
  return [...proofs].map(([operation, calls]) => ({ operation, calls }));
}

/** Finds the documented operation of a call. Literal segments precede parameters. */
export function findOperation({ method, route }: Pick<Call, 'method' | 'route'>): string {
  const [found = 'GET '] = OPERATIONS.filter((each) =>
    new RegExp(`^${each.replace(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${route}`),
  ).sort((one, other) => one.split('{').length - other.split('{').length);
  return found;
}

/** The calls of every operation of the content site. */
export const PROOFS: readonly OperationProof[] = readProofs(SERVER_CALLS + CONTENT_CALLS);

export async function runCalls(example: RunningExample, calls: readonly Call[], send: Send): Promise<void> {
  const values = new Map<string, string>();
  const fill = (text: string): string =>
    [...values].reduce((filled, [name, value]) => filled.replaceAll(name, value), text);
  for (const call of calls) {
    const { expected, method, query, saved, status } = call;
    const path = fill(call.route) + (query === '' ? '' : `?${fill(query)}`);
    const response = await send(path, { method, ...createInit(example, call) });
    const text = await response.text();
    const body: Json = text === '' ? null : JSON.parse(text);
    const isList = expected.startsWith('[');
    const wanted: unknown = /^[[{]/.test(expected) ? JSON.parse(expected) : { code: expected };
    const shown =
      isList && Array.isArray(body) && Array.isArray(wanted) ? body.slice(0, wanted.length) : body;
    const result = { status: response.status, body: shown };
    if (status === 0) expect(response.status, text).toBeLessThan(300);
    else expect(result, call.route).toMatchObject({ status, ...(expected === '' ? {} : { body: wanted }) });
    if (saved.length > 0)
      values.set('{saved}', String(saved.reduce((found, name) => Reflect.get(Object(found), name), body)));
  }
}

function createInit(example: RunningExample, { as, body, fields, file }: Call): RequestInit {
  const headers = new Headers();
  const user = example.content.users.find(({ login, role }) => login === as || role === as);
  if (user !== undefined) headers.set('authorization', `Basic ${btoa(`${user.login}:${user.password}`)}`);
  if (as === 'stranger') headers.set('authorization', `Basic ${btoa('admin:guessed')}`);
  if (file === undefined) {
    if (body !== undefined) headers.set('content-type', 'application/json');
    return { headers, ...(body === undefined ? {} : { body }) };
  }
  const [name = '', isText] = decodeURIComponent(file).split('=');
  const bytes = isText === undefined ? PIXEL : new TextEncoder().encode('not a picture');
  headers.set('content-type', 'image/png');
  headers.set('content-disposition', `attachment; filename="${name}"`);
  for (const field of fields) {
    const [key = '', value = ''] = decodeURIComponent(field).split(/=(.*)/);
    if (value === '') headers.delete(key);
    else headers.set(key, value);
  }
  return { headers, body: bytes };
}
