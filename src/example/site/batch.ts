import type { Json, JsonObject } from '../../json.ts';
import { encodeByteString } from '../../php/byte-string.ts';
import { parsePhpQuery } from '../../php/variables.ts';
import { phpArrayToJsonMembers } from '../../php/variables-to-json.ts';
import { parseBatchPath } from '../../validation/request/batch.ts';
import type {
  ArgumentSchemas,
  RouteDeclaration,
  SiteError,
  SiteRequest,
  SiteResponse,
} from './declarations.ts';
import { type MatchedRequest, matchRequest, respondToRequest, type ServerContext } from './dispatch.ts';
import { restError } from './responses.ts';
import { NO_VALUES, type RestRequest } from './rest-request.ts';
import { errorResponse, wrapInEnvelope } from './rest-response.ts';

const MAX_REQUESTS = 25;

const BATCH_ARGS: ArgumentSchemas = {
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
export function batchRoute<State>(context: () => ServerContext<State>): RouteDeclaration<State> {
  return {
    route: '/batch/v1',
    endpoints: [{ methods: ['POST'], args: BATCH_ARGS, handle: (request) => runBatch(context(), request) }],
  };
}

async function runBatch<State>(
  context: ServerContext<State>,
  request: SiteRequest<State>,
): Promise<SiteResponse> {
  const items = request.params.objects('requests').map((item) => matchItem(context, request, item));
  const hasError = items.some((item) => getItemError(item) !== undefined);
  if (hasError && request.params.get('validation') === 'require-all-validate') {
    const responses = items.map((item): Json => {
      const error = getItemError(item);
      return error === undefined ? null : wrapInEnvelope(errorResponse(error));
    });
    return { kind: 'response', status: 207, body: { failed: 'validation', responses } };
  }
  const responses: Json[] = [];
  // Requests run in sequence because a later one can depend on an earlier one.
  for (const item of items) {
    responses.push(
      wrapInEnvelope(item.kind === 'error' ? errorResponse(item) : await respondToRequest(context, item)),
    );
  }
  return { kind: 'response', status: 207, body: { responses } };
}

type BatchItem<State> = ({ readonly kind: 'prepared' } & MatchedRequest<State>) | SiteError;

function getItemError<State>(item: BatchItem<State>): SiteError | undefined {
  return item.kind === 'error' ? item : item.error;
}

function matchItem<State>(
  context: ServerContext<State>,
  request: SiteRequest<State>,
  item: JsonObject,
): BatchItem<State> {
  const restRequest = parseItem(request, item);
  if (restRequest === null) return restError(400, 'parse_path_failed', 'Could not parse the path.');
  const matched = matchRequest(context, restRequest);
  if (matched.kind === 'error') return matched;
  if (matched.match.endpoint.declaration.allowBatch === true) return matched;
  const error = restError(
    400,
    'rest_batch_not_allowed',
    'The requested route does not support batch requests.',
  );
  return { ...matched, error };
}

/** Parses one request of the batch; `null` if its path is invalid. */
function parseItem<State>(request: SiteRequest<State>, item: JsonObject): RestRequest | null {
  const { method, path, body, headers } = item;
  const address = parseBatchPath(encodeByteString(String(path)));
  if (address.kind === 'ambiguous') return null;
  const { route, query } = address;
  return {
    method: typeof method === 'string' ? method.toUpperCase() : 'POST',
    route,
    query: phpArrayToJsonMembers(parsePhpQuery(query)),
    form: new Map(objectEntries(body)),
    json: NO_VALUES,
    headers: toHeaders(headers),
    body: null,
    files: [],
    user: request.user,
    base: request.address(''),
  };
}

function toHeaders(members: Json | undefined): Headers {
  const headers = new Headers();
  for (const [name, value] of objectEntries(members)) {
    try {
      headers.set(name, Array.isArray(value) ? value.join(', ') : String(value));
    } catch {
      // PHP ignores an invalid header too.
    }
  }
  return headers;
}

function objectEntries(value: Json | undefined): readonly [string, Json][] {
  return typeof value === 'object' && value !== null ? Object.entries<Json>(value) : [];
}
