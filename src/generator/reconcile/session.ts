import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import { ConfigurationError } from '../../base/errors.ts';
import { groupBy } from '../../base/group-by.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  mapMembers,
  memberAt,
  parseJson,
  toJsonObject,
  toText,
} from '../../base/json.ts';
import { compileRoute } from '../../base/pcre/index.ts';
import { parseQueryParameters } from '../../base/php/query.ts';
import { referenceOf } from '../openapi/document-references.ts';
import { toExtensionOverlay } from '../openapi/extend.ts';
import { applyOverlay, type OpenApiDocument, type Operation, type ServedApi } from '../openapi/index.ts';
import { flattenSchema } from '../openapi/schema-view.ts';
import { isStatement, type OverlayAction } from './document-operations.ts';
import { createShapeSchema } from './inference/create-schema.ts';
import {
  EMPTY_SHAPE,
  forgetDataNames,
  mergeShapes,
  observeValue,
  type ValueShape,
} from './inference/shape.ts';
import type { RouteSample } from './sample.ts';

export interface Session {
  readonly responses: readonly RouteSample[];
  readonly sent: ReadonlyMap<string, SentArguments>;
  readonly counts: SessionCounts;
}

export interface SessionCounts {
  readonly requests: number;
  /** Forms, which no document describes: `admin-ajax.php`, `admin-post.php`. */
  readonly forms: number;
  readonly others: number;
}

interface SentArguments {
  readonly operation: Operation;
  requests: number;
  query: ValueShape;
  body: ValueShape;
}

/** Reads a HAR file (HTTP Archive 1.2). @throws {ConfigurationError} when it is none */
export function readSession(har: unknown, api: ServedApi): Session {
  const entries = memberAt(toJsonObject(har), 'log', 'entries');
  if (!Array.isArray(entries))
    throw new ConfigurationError(
      '--har: the file has no log.entries. Export it from the network panel of a browser, with content',
    );
  const find = createOperationFinder(api);
  const responses: RouteSample[] = [];
  const sent = new Map<string, SentArguments>();
  const counts = { requests: 0, forms: 0, others: 0 };
  for (const { request, response, startedDateTime = '' } of jsonItems(entries).filter(isJsonObject)) {
    const asked = toJsonObject(request);
    const address = toText(asked['url'] ?? '');
    const url = new URL(URL.canParse(address) ? address : 'about:blank');
    const found = find(url, methodOf(asked, url));
    if (found === undefined) {
      if (/\/admin-(?:ajax|post)\.php$/.test(url.pathname)) counts.forms += 1;
      else counts.others += 1;
      continue;
    }
    const { operation, route } = found;
    counts.requests += 1;
    const status = Number(memberAt(response, 'status'));
    // A refused request shows no arguments that the site takes.
    if (!(status >= 200 && status < 300)) continue;
    const key = `${operation.method} ${operation.path}`;
    const query = withoutCacheBusters(readTexts(url.search.slice(1)), Date.parse(toText(startedDateTime)));
    const known = sent.get(key) ?? { operation, requests: 0, query: EMPTY_SHAPE, body: EMPTY_SHAPE };
    known.requests += 1;
    known.query = mergeShapes(known.query, observeTexts(query));
    known.body = mergeShapes(known.body, observeBody(asked['postData']));
    sent.set(key, known);
    const { encoding, mimeType = '', text = '' } = toJsonObject(memberAt(response, 'content'));
    const body = Buffer.from(toText(text), encoding === 'base64' ? 'base64' : 'utf8');
    const content = parseJson(body);
    if (content === undefined || RESHAPING.some((name) => Object.hasOwn(query, name))) continue;
    const headers = ['content-type', toText(mimeType)];
    const context = url.searchParams.get('context');
    responses.push({ operation, route, status, headers, body, context, content });
  }
  return { responses, sent, counts };
}

/** Arguments that change the members of a response. */
const RESHAPING = ['_fields', '_envelope', '_embed'];

/** WordPress's scripts send `PUT` as `POST` with a field that names it. */
function methodOf({ headers, method }: JsonObject, url: URL): string {
  const override = jsonItems(headers).find(
    (field) => toText(memberAt(field, 'name') ?? '').toLowerCase() === 'x-http-method-override',
  );
  const named = memberAt(override, 'value') ?? url.searchParams.get('_method') ?? method;
  return toText(named ?? '').toUpperCase();
}

type OperationFinder = (
  url: URL,
  method: string,
) => { readonly operation: Operation; readonly route: string } | undefined;

function createOperationFinder({ address, routes }: ServedApi): OperationFinder {
  const { host } = new URL(address.base);
  const root = new URL(address.root).pathname;
  const compiled = routes.map(({ operations, pattern }) => ({
    operations,
    pattern,
    match: compileRoute(pattern).match,
  }));
  return (url, method) => {
    if (url.host !== host) return undefined;
    const pretty = url.pathname.startsWith(root) ? `/${url.pathname.slice(root.length)}` : undefined;
    const path = (url.searchParams.get('rest_route') ?? pretty)?.replace(/\/+$/, '');
    if (path === undefined || path === '') return undefined;
    // As in WordPress, a later route gets the methods that earlier ones lack.
    for (const { match, operations, pattern: route } of compiled) {
      const operation = operations.get(method);
      if (operation !== undefined && match(path) !== null) return { operation, route };
    }
    return undefined;
  };
}

function readTexts(query: string): JsonObject {
  return Object.fromEntries(parseQueryParameters(query) ?? []);
}

/** Milliseconds between the script's clock and the start of its request. */
const CLOCK_TOLERANCE = 2_000;

/** Drops the time of the request itself, and random numbers: `query_timestamp=1795935298123`. */
function withoutCacheBusters(query: JsonObject, sentAt: number): JsonObject {
  const isBuster = (value: Json): boolean => {
    const text = toText(value);
    const time = Number(text.padEnd(13, '0'));
    const isNow = /^\d{10}(?:\d{3})?$/.test(text) && Math.abs(time - sentAt) < CLOCK_TOLERANCE;
    return isNow || /^0\.\d{9,}$/.test(text);
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => !isBuster(value)));
}

/** In a query `true` was a boolean. `2024` can be a number or words to search for, and `007` is a text. */
function observeTexts(values: JsonObject): ValueShape {
  return mergeShapes(observeValue(readText(values, Number)), observeValue(readText(values, String)));
}

function readText(value: Json, readNumber: (text: string) => Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => readText(item, readNumber));
  if (isJsonObject(value)) return mapMembers(value, (_, member) => readText(member, readNumber));
  if (typeof value !== 'string') return value;
  if (/^(?:0|-?[1-9]\d{0,14})$/.test(value)) return readNumber(value);
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

function observeBody(postData: Json | undefined): ValueShape {
  const { mimeType = '', text = '' } = toJsonObject(postData);
  const type = toText(mimeType);
  if (/[/+]json\b/.test(type)) return observeValue(toJsonObject(parseJson(toText(text))));
  const isForm = /^application\/x-www-form-urlencoded\b/.test(type);
  return observeTexts(isForm ? readTexts(toText(text)) : {});
}

const OWN_ARGUMENT = /^(?:_|rest_route$|context$)|nonce$/;

export function createSessionActions(document: OpenApiDocument, { sent }: Session): readonly OverlayAction[] {
  // Operations such as `PUT` and `PATCH` can share the schema of their body. `AnyFields` is replaced for each.
  const keyOf = ({ bodySchema, id }: Operation): string => {
    const reference = referenceOf(bodySchema);
    return reference === undefined || reference.endsWith('/AnyFields') ? id : reference;
  };
  const bodies = groupBy(sent.values(), ({ operation }) => keyOf(operation));
  let current = document;
  return [...sent].flatMap(([key, { operation, query, requests }]) => {
    const body = (bodies.get(keyOf(operation)) ?? [])
      .map((each) => each.body)
      .reduce(mergeShapes, EMPTY_SHAPE);
    const declared = new Map(operation.parameters.map(({ name, schema }) => [name, schema]));
    const fields = toJsonObject(flattenSchema(operation.bodySchema, current).schema['properties']);
    const isRead = operation.method === 'GET' || operation.method === 'DELETE';
    const added = {
      parameters: describeMembers(isRead ? query : EMPTY_SHAPE, (name) => isStatement(declared.get(name))),
      body: describeMembers(body, (name) => declared.has(name) || isStatement(fields[name])),
    };
    const evidence = { kind: 'inferred', responses: requests, of: requests, operations: [operation.id] };
    const { overlay } = toExtensionOverlay(current, { [key]: added });
    current = applyOverlay(current, overlay).document;
    return jsonItems(overlay['actions'])
      .filter(isJsonObject)
      .map((action) => ({
        ...action,
        target: toText(action['target'] ?? ''),
        description: 'Arguments that the pages of the site send.',
        [EXTENSION_NAMES.evidence]: [evidence],
      }));
  });
}

function describeMembers(
  shape: ValueShape,
  isKnown: (name: string) => boolean,
): Readonly<Record<string, JsonObject>> {
  const members = [...(forgetDataNames(shape).objects?.members ?? [])];
  return Object.fromEntries(
    members
      .filter(([name]) => !OWN_ARGUMENT.test(name) && !isKnown(name))
      .map(([name, member]) => [
        name,
        toJsonObject(
          withoutRequired(
            createShapeSchema(member, { findComponent: () => null, linkSchema: {}, isRequest: true }, name),
          ),
        ),
      ]),
  );
}

/** Pages can send members that the site doesn't need. */
function withoutRequired(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutRequired);
  if (!isJsonObject(schema)) return schema;
  const { properties, required: _, ...rest } = schema;
  return {
    ...mapMembers(rest, (_, value) => withoutRequired(value)),
    ...(properties === undefined
      ? {}
      : { properties: mapMembers(toJsonObject(properties), (_, value) => withoutRequired(value)) }),
  };
}
