import { expect } from 'vitest';
import type { Json } from '../../../src/json.ts';
import { PNG } from '../boards/board-client.ts';
import { BOARD_CALLS, BOARD_SERVER_CALLS } from '../boards/calls.ts';
import { CONTENT_CALLS } from '../content/calls.ts';
import type { RunningExample } from '../gateway/running.ts';
import { BOARD_OPERATIONS, CONTENT_OPERATIONS, type SeedOperation } from './seed-operations.ts';

type Send = (address: string, init: RequestInit) => Promise<Response>;
export type Mount = 'content' | 'boards';

/**
 * A line of the tables: `editor POST /route?a=b {"a":1} -> 201 {"id":1}`. A call of `+` prepares the ones after it, and `=> 0.id`
 * saves a member of its response as `{saved}`. The response has the status, and the error code or these members. `file:name`
 * uploads a picture, and `@name=value` sets a header field.
 */
const LINE =
  /^(?<isPreparation>\+ )?(?<as>\w+) (?<method>[A-Z]+) (?<path>\S+)(?: file:(?<file>\S+))?(?<fields>(?: @\S+)*)(?: (?<body>[[{"].*?))?(?: -> (?<status>\d+)(?: (?<expected>.+))?)?(?: => (?<saved>\S+))?$/;

interface Call {
  readonly isPreparation: boolean;
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

function parseCalls(table: string, prefix = ''): readonly Call[] {
  const lines = table
    .trim()
    .replaceAll(/\n {2}/g, '')
    .split('\n');
  return lines.map((line) => {
    const found = LINE.exec(line)?.groups;
    if (found === undefined) throw new Error(`no call: ${line}`);
    const {
      as = '',
      method = '',
      path = '',
      file,
      fields = '',
      body,
      status = 0,
      expected = '',
      saved,
    } = found;
    const [route = '', query = ''] = path.split(/\?(.*)/);
    return {
      ...{
        isPreparation: found['isPreparation'] !== undefined,
        as,
        method,
        route: prefix + route,
        query,
        file,
      },
      ...{ fields: fields.split(' @').slice(1), body, status: Number(status), expected },
      saved: saved?.split('.') ?? [],
    };
  });
}

/** The calls of an operation, which run in sequence. */
export interface OperationProof {
  readonly operation: SeedOperation;
  readonly calls: readonly Call[];
}

/** Groups the calls by the operation that they call. */
function toProofs(calls: readonly Call[], operations: readonly SeedOperation[]): readonly OperationProof[] {
  const proofs: { operation: SeedOperation; calls: Call[] }[] = [];
  let before: Call[] = [];
  for (const call of calls) {
    if (call.isPreparation) {
      before.push(call);
      continue;
    }
    const operation = findOperation(call, operations);
    const last = proofs.at(-1);
    if (before.length === 0 && last?.operation === operation) last.calls.push(call);
    else proofs.push({ operation, calls: [...before, call] });
    before = [];
  }
  return proofs;
}

/** Finds the documented operation of a call. Literal segments precede parameters. */
export function findOperation(
  { method, route }: Pick<Call, 'method' | 'route'>,
  operations: readonly SeedOperation[],
): SeedOperation {
  const [found = 'GET '] = operations
    .filter(
      (each) =>
        new RegExp(`^${method} ${each.split(' ')[1]?.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(
          `${method} ${route}`,
        ) && each.startsWith(`${method} `),
    )
    .sort((one, other) => one.split('{').length - other.split('{').length);
  return found;
}

/** The calls of every operation of both sites. */
export const PROOFS: Readonly<Record<Mount, readonly OperationProof[]>> = {
  content: toProofs(parseCalls(CONTENT_CALLS), CONTENT_OPERATIONS),
  boards: toProofs(
    [...parseCalls(BOARD_SERVER_CALLS), ...parseCalls(BOARD_CALLS, '/boards/v2')],
    BOARD_OPERATIONS,
  ),
};

/** Makes the calls of an operation, and checks their responses. */
export async function runCalls(
  example: RunningExample,
  mount: Mount,
  calls: readonly Call[],
  send: Send,
): Promise<void> {
  const values = new Map<string, string>([['{page}', encodeURIComponent(await findPage(example, mount))]]);
  const labelled = [...example.boards.state().tasks.values()].find(
    ({ archivedAt, boardId, labels }) => boardId === 1 && labels.length > 0 && archivedAt === null,
  );
  values.set('{labelled}', String(labelled?.id)).set('{its_label}', String(labelled?.labels[0]));
  const fill = (text: string): string =>
    [...values].reduce((filled, [name, value]) => filled.replaceAll(name, value), text);
  for (const call of calls) {
    const { expected, method, query, saved, status } = call;
    const address = `/index.php?rest_route=${fill(call.route)}${query === '' ? '' : `&${fill(query)}`}`;
    const response = await send(address, { method, ...createInit(example, mount, call) });
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

/** The URL of a public page of a site, for oEmbed. */
async function findPage(example: RunningExample, mount: Mount): Promise<string> {
  if (mount === 'boards') return `${example.siteUrls.boards}boards/3/`;
  const posts = await fetch(`${example.siteUrls.content}index.php?rest_route=/core/v2/posts&per_page=1`);
  const [post] = await posts.json();
  return post.link;
}

function createInit(
  example: RunningExample,
  mount: Mount,
  { as, body, fields, file }: Call,
): Pick<RequestInit, 'headers' | 'body'> {
  const headers = new Headers();
  const user = example[mount].users.find(({ login, role }) => login === as || role === as);
  if (user !== undefined) headers.set('authorization', `Basic ${btoa(`${user.login}:${user.password}`)}`);
  if (as === 'stranger') headers.set('authorization', `Basic ${btoa('admin:guessed')}`);
  if (file === undefined) {
    if (body !== undefined) headers.set('content-type', 'application/json');
    return { headers, ...(body === undefined ? {} : { body }) };
  }
  const [name = '', isText] = decodeURIComponent(file).split('=');
  const bytes = isText === undefined ? new Uint8Array(PNG) : new TextEncoder().encode('not a picture');
  if (mount === 'boards') {
    const form = new FormData();
    form.set('file', new File([bytes], name, { type: 'image/png' }));
    return { headers, body: form };
  }
  headers.set('content-type', 'image/png');
  headers.set('content-disposition', `attachment; filename="${name}"`);
  for (const field of fields) {
    const [key = '', value = ''] = decodeURIComponent(field).split(/=(.*)/);
    if (value === '') headers.delete(key);
    else headers.set(key, value);
  }
  return { headers, body: bytes };
}
