import type { Json, JsonObject } from '../../json.ts';
import { phpArrayToJson, encodeByteString } from '../../php/byte-string.ts';
import { parsePhpQuery } from '../../php/variables.ts';
import { parseBatchPath } from '../../validation/request/batch-path.ts';
import { refuse } from './answers.ts';
import type { Args, RouteDeclaration, SiteAnswer, SiteError, SiteRequest } from './declare.ts';
import { type Ground, type Prepared, prepareRequest, respond } from './dispatch.ts';
import { type Incoming, NO_SOURCE } from './incoming.ts';
import { envelope, errorOutcome } from './outcome.ts';

const MAX_REQUESTS = 25;

const ARGS: Args = {
  validation: { type: 'string', enum: ['require-all-validate', 'normal'], default: 'normal' },
  requests: {
    required: true,
    type: 'array',
    maxItems: MAX_REQUESTS,
    items: {
      type: 'object',
      properties: {
        method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'], default: 'POST' },
        path: { type: 'string', required: true },
        body: { type: 'object', properties: {}, additionalProperties: true },
        headers: {
          type: 'object',
          properties: {},
          additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
        },
      },
    },
  },
};

/** `/batch/v1`: WP_REST_Server::serve_batch_request_v1(). */
export function batchRoute<State>(ground: () => Ground<State>): RouteDeclaration<State> {
  return {
    route: '/batch/v1',
    endpoints: [{ methods: ['POST'], args: ARGS, handle: (request) => runBatch(ground(), request) }],
  };
}

async function runBatch<State>(ground: Ground<State>, request: SiteRequest<State>): Promise<SiteAnswer> {
  const parts = request.params.objects('requests').map((part) => preparePart(ground, request, part));
  const failed = parts.some((part) => errorOf(part) !== undefined);
  if (failed && request.params.get('validation') === 'require-all-validate') {
    const responses = parts.map((part): Json => {
      const error = errorOf(part);
      return error === undefined ? null : envelope(errorOutcome(error));
    });
    return { kind: 'answer', status: 207, body: { failed: 'validation', responses } };
  }
  const responses: Json[] = [];
  // One after the other: a later request may build on an earlier one.
  for (const part of parts) {
    responses.push(envelope(part.kind === 'error' ? errorOutcome(part) : await respond(ground, part)));
  }
  return { kind: 'answer', status: 207, body: { responses } };
}

type Part<State> = ({ readonly kind: 'prepared' } & Prepared<State>) | SiteError;

function errorOf<State>(part: Part<State>): SiteError | undefined {
  return part.kind === 'error' ? part : part.error;
}

function preparePart<State>(
  ground: Ground<State>,
  request: SiteRequest<State>,
  part: JsonObject,
): Part<State> {
  const incoming = readPart(request, part);
  if (incoming === null) return refuse(400, 'parse_path_failed', 'Could not parse the path.');
  const prepared = prepareRequest(ground, incoming);
  if (prepared.kind === 'error') return prepared;
  if (prepared.found.endpoint.declaration.allowBatch === true) return prepared;
  const error = refuse(400, 'rest_batch_not_allowed', 'The requested route does not support batch requests.');
  return { ...prepared, error };
}

/** A request of the batch: its query and body are read as any other's. Null where its path is none. */
function readPart<State>(request: SiteRequest<State>, part: JsonObject): Incoming | null {
  const { method, path, body, headers } = part;
  const address = parseBatchPath(encodeByteString(String(path)));
  if (address.kind === 'ambiguous') return null;
  const { route, query } = address;
  return {
    method: typeof method === 'string' ? method.toUpperCase() : 'POST',
    route,
    query: phpArrayToJson(parsePhpQuery(query)),
    form: new Map(membersOf(body)),
    json: NO_SOURCE,
    headers: readHeaders(headers),
    body: null,
    files: [],
    user: request.user,
    base: request.address(''),
  };
}

function readHeaders(given: Json | undefined): Headers {
  const headers = new Headers();
  for (const [name, value] of membersOf(given)) {
    try {
      headers.set(name, Array.isArray(value) ? value.join(', ') : String(value));
    } catch {
      // What is no header is none to PHP either.
    }
  }
  return headers;
}

function membersOf(value: Json | undefined): readonly [string, Json][] {
  return typeof value === 'object' && value !== null ? Object.entries<Json>(value) : [];
}
