import { createSecretCheck } from '../../hash.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import { readAll } from '../../http/web-streams.ts';
import { isJsonObject, type JsonObject, parseJsonBytes } from '../../json.ts';
import type { Log } from '../../ports.ts';
import { shorten } from '../../ui/text.ts';
import type { BodyMemory } from '../exchange/inspected-exchange.ts';
import { type Problem, problemResponse } from '../exchange/problem.ts';
import PROBLEMS from '../exchange/problems.json' with { type: 'json' };
import { readRequestHead } from '../exchange/web-request.ts';
import type { TokenAttempts } from './token-attempts.ts';

/**
 * Serves the gateway's own operations and its console, below `/-/`.
 *
 * @param head the request as it was received, with the address of the client. @default that of the request, without address
 */
export type AdminHandler = (request: Request, head?: IncomingRequestHead) => Promise<Response>;

/** One operation of the gateway itself, below `/-/`. */
export interface AdminOperation {
  /** `GET` includes `HEAD`. */
  readonly method: 'GET' | 'POST';
  /** Path such as `/-/sites/:site/validation`. A segment that begins with a colon is a parameter. */
  readonly path: string;
  /** Whether a request needs no authentication, the admin token, or a signature that the operation verifies itself. */
  readonly access: 'public' | 'token' | 'signature';
  respond(request: AdminRequest): Response | Promise<Response>;
}

/** States an operation in one line. */
export function operation(
  method: AdminOperation['method'],
  path: string,
  access: AdminOperation['access'],
  respond: AdminOperation['respond'],
): AdminOperation {
  return { method, path, access, respond };
}

/** A request to an operation, with the parameters of its path. */
export interface AdminRequest {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** States what the request is about, for the audit line of an operation that changes something. */
  noteTarget(target: string): void;
}

/** Who sent a request. */
export interface AdminClient {
  /** IP address; empty if unknown. */
  readonly address: string;
  /** Addresses of one network count as one client. */
  readonly network: string;
  readonly protocol: 'http' | 'https';
  /** Host, with port if it is not the protocol's default, as the client sent it. */
  readonly host: string;
}

/** What the handler reads and changes. */
export interface AdminContext {
  /** The admin token. Without it every operation that needs it is refused, and the console says how to configure one. */
  readonly token: string | undefined;
  /** Wrong admin tokens, those of the console's sign-in included. */
  readonly attempts: TokenAttempts;
  /** Receives a line for each request that changes something. */
  readonly log: Log;
  /** Memory for the bodies of requests, which anybody may send to a webhook. */
  readonly bodyMemory: BodyMemory;
  /** Reads who sent a request, through trusted proxies. */
  readonly readClient: (head: IncomingRequestHead) => AdminClient;
}

/** Responds to a request below `/-/`; `null` if it is not for the console. */
export type ConsoleResponder = (request: Request, head: IncomingRequestHead) => Promise<Response> | null;

/**
 * Creates the handler of the paths below `/-/`.
 *
 * @param respondToConsole serves the console. @default it is not served
 */
export function createAdminHandler(
  { attempts, bodyMemory, log, readClient, token }: AdminContext,
  operations: readonly AdminOperation[],
  respondToConsole?: ConsoleResponder,
): AdminHandler {
  const checkToken = createTokenCheck(token, attempts);

  async function respondToOperation(request: Request, head: IncomingRequestHead): Promise<Response> {
    const { method } = request;
    const match = findOperation(operations, method, readOwnUrl(head).pathname);
    if ('problem' in match) return problemResponse(match.problem, method);
    const { operation, params } = match;
    const { address: client, network } = readClient(head);
    const problem = operation.access === 'token' ? await checkToken(request, network) : null;
    const audit = (target: string, result: AuditEntry['result'], who: string): void => {
      // The log of requests has the reads, and a site that signs a notice is no operator.
      if (operation.method !== 'POST' || operation.access !== 'token') return;
      const action = operation.path.replace(/^\/-\//, '');
      writeAuditLine(log, { who, client, action, target, result });
    };
    if (problem !== null) {
      audit('', 'refused', 'nobody');
      return problemResponse(problem, method);
    }
    const noted: string[] = [];
    const response = await operation.respond({ request, params, noteTarget: (target) => noted.push(target) });
    const { status } = response;
    audit(noted.join(', '), status < 400 ? 'done' : status < 500 ? 'refused' : 'failed', 'bearer');
    return method === 'HEAD' ? new Response(null, response) : response;
  }

  const respond = async (request: Request, head: IncomingRequestHead): Promise<Response> =>
    (await respondToConsole?.(request, head)) ?? respondToOperation(request, head);

  return async (request, head = readRequestHead(request)) => {
    if (request.body === null) return respond(request, head);
    const memory = bodyMemory.open(readClient(head).address);
    try {
      if (!memory.grow(maxBodyBytes(request))) return problemResponse(PROBLEMS.noMemory);
      return await respond(request, head);
    } finally {
      memory.release();
    }
  };
}

/** Reads the address of a request, as seen from the gateway: without the path of an app that it is mounted in. */
export function readOwnUrl({ target }: IncomingRequestHead): URL {
  const base = 'http://gateway';
  return URL.canParse(target, base) ? new URL(target, base) : new URL(base);
}

/** Finds the first operation with this method and path. */
function findOperation(
  operations: readonly AdminOperation[],
  method: string,
  path: string,
): { readonly operation: AdminOperation; readonly params: AdminRequest['params'] } | { problem: Problem } {
  const segments = path.split('/');
  const candidates = operations.flatMap((operation) => {
    const params = matchSegments(operation.path.split('/'), segments);
    return params === null ? [] : [{ operation, params }];
  });
  const operationMethod = method === 'HEAD' ? 'GET' : method;
  const match = candidates.find(({ operation }) => operation.method === operationMethod);
  if (match !== undefined) return match;
  if (candidates.length > 0) {
    const methods = candidates.map(({ operation }) => (operation.method === 'GET' ? 'GET, HEAD' : 'POST'));
    const allow = [...new Set(methods)].join(', ');
    const message = `This path allows ${allow} only.`;
    return { problem: { status: 405, code: 'gateway_wrong_method', message, headers: { allow } } };
  }
  const paths = operations.map((each) => (each.method === 'GET' ? each.path : `${each.method} ${each.path}`));
  const message = `The gateway has no such operation. It has ${paths.join(', ')}.`;
  return { problem: { status: 404, code: 'gateway_not_found', message } };
}

/**
 * Reads the parameters of a path.
 *
 * @param segments of the path; `null` matches nothing
 * @returns `null` if the path does not match
 */
export function matchSegments(
  template: readonly string[],
  segments: readonly (string | null)[],
): Record<string, string> | null {
  if (template.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of template.entries()) {
    const segment = segments[index] ?? null;
    if (expected.startsWith(':') && segment !== null && segment !== '') params[expected.slice(1)] = segment;
    else if (expected !== segment) return null;
  }
  return params;
}

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** Creates a JSON response that no cache stores. */
export function adminResponse(body: object, status = 200): Response {
  return new Response(`${JSON.stringify(body)}\n`, { status, headers: JSON_HEADERS });
}

/** Maximum length of a request body to an operation below `/-/`, in bytes. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Bytes of the body that are read into memory at most. */
function maxBodyBytes({ headers }: Request): number {
  const length = headers.get('content-length') ?? '';
  return /^\d{1,15}$/.test(length) ? Math.min(MAX_BODY_BYTES, Number(length)) : MAX_BODY_BYTES;
}

/**
 * Reads the body of a request to an operation below `/-/`.
 *
 * @returns `null` when the body exceeds 1 MiB; the rest is not read
 */
export async function readAdminBody({ body }: Request): Promise<Uint8Array | null> {
  return body === null ? new Uint8Array() : readAll(body, MAX_BODY_BYTES);
}

/** Parses a body as a JSON object; `null` for anything else. */
export function parseJsonObject(body: Uint8Array): JsonObject | null {
  const value = parseJsonBytes(body);
  return isJsonObject(value) ? value : null;
}

/**
 * Creates a check of the admin token, sent as RFC 6750 §2.1 defines.
 *
 * @param token the configured token; without it every request is refused
 * @returns a check that resolves to the reason for a refusal, or to `null`
 */
function createTokenCheck(
  token: string | undefined,
  attempts: TokenAttempts,
): (request: Request, network: string) => Promise<Problem | null> {
  if (token === undefined || token === '') return () => Promise.resolve(PROBLEMS.adminClosed);
  const isToken = createSecretCheck(token);
  return async ({ headers }, network) => {
    const sent = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (sent === undefined) return PROBLEMS.tokenMissing;
    const isRight = await isToken(sent);
    const wait = attempts.record(network, isRight);
    if (wait === 0) return isRight ? null : PROBLEMS.tokenWrong;
    const message = `Too many wrong tokens from this network. The next attempt is possible in ${wait} s.`;
    const fields = { 'retry-after': String(wait) };
    return { status: 429, code: 'gateway_too_many_attempts', message, headers: fields };
  };
}

/** One action of an operator. */
export interface AuditEntry {
  /** `session 4f1a09c2b7d3` (a hash of the session), `bearer`, or `nobody` for a failed sign-in. */
  readonly who: string;
  /** IP address; empty if unknown. */
  readonly client: string;
  /** `purge`, `rediscover`, `sign-in`, … */
  readonly action: string;
  /** What the action was about; empty if it is about the gateway. */
  readonly target: string;
  readonly result: 'done' | 'refused' | 'failed';
}

const MAX_TARGET_LENGTH = 300;

/** Writes the audit line of an action to the log. It contains no secret and no control character. */
export function writeAuditLine(log: Log, { action, client, result, target, who }: AuditEntry): void {
  const line = shorten(target, MAX_TARGET_LENGTH).replaceAll('\n', ' ');
  const fields = { who, client, action, target: line, result };
  if (result === 'done') log.info(fields, 'operator action');
  else log.warn(fields, 'operator action');
}
