import { getDeclaredDefault } from '../../../src/base/document-extensions.ts';
import { groupBy } from '../../../src/base/group-by.ts';
import { isJsonObject, type Json, type JsonObject, toJsonObject } from '../../../src/base/json.ts';
import { runSteps } from '../../../src/base/steps.ts';
import {
  createBodyExample,
  createExample,
  resourceOfParameter,
} from '../../../src/generator/example-values/document-examples.ts';
import { dereference } from '../../../src/generator/openapi/document-objects.ts';
import { type Operation, readServedApi, type ServedApi } from '../../../src/generator/openapi/index.ts';
import { OperationMatcher } from '../../../src/generator/openapi/matcher.ts';
import { listArguments } from '../../../src/generator/validation/request/validator.ts';
import { validateFormat } from '../../../src/generator/validation/wordpress/keywords.ts';
import { createSchemaCompiler } from '../../support/document-schemas.ts';

/** Sends a request to a site: `send('/wp/v2/posts/3', { method: 'DELETE' })`. */
type Send = (route: string, init?: RequestInit) => Response | Promise<Response>;

interface OperationResults {
  /** Operations that answered a right request with what the document describes. */
  readonly successes: number;
  readonly failed: readonly string[];
  /** How often requests with one fault were refused, and which were not refused as WordPress does it. */
  readonly refusals: Readonly<Record<keyof typeof FAULTS, number>>;
  readonly notRefused: readonly string[];
}

/** What is wrong with a request, and the response: `400 rest_invalid_param`. */
const FAULTS = {
  wrong: /^400 rest_invalid_param$/,
  missing: /^400 rest_missing_callback_param$/,
  unknown: /^404 (?:woocommerce_)?rest_\w+$/,
} as const;

/** Each operation once, the deletions last, of items within others first: what is deleted is not found later. */
function listOperations({ routes }: ServedApi): readonly Operation[] {
  const all = routes.flatMap(({ operations }) => [...operations.values()]);
  // Of routes that share a path, the first that takes the target responds.
  const groups = [...groupBy(all, ({ method, path }) => `${method} ${path}`).values()];
  const rank = ({ method, path }: Operation): number =>
    method === 'DELETE' ? 1 / path.split('/').length : 0;
  return groups.map(([first]) => first).toSorted((one, other) => rank(one) - rank(other));
}

/**
 * Sends to each operation of a document a right request, made of the document's examples, and where the operation allows it: one with
 * an argument of a wrong type, one without its required arguments, and one for an item that isn't there.
 */
export async function callOperations(document: JsonObject, send: Send): Promise<OperationResults> {
  const isOf = (format: string) => (text: string) => validateFormat(format, text, '') === null;
  const names = ['date-time', 'email', 'hex-color', 'ip', 'uuid'];
  const formats = Object.fromEntries(names.map((format) => [format, isOf(format)]));
  const compile = createSchemaCompiler(document, { formats });
  const failed: string[] = [];
  const notRefused: string[] = [];
  const refusals = { wrong: 0, missing: 0, unknown: 0 };
  const known = new Map<string, string>();
  let successes = 0;
  const api = runSteps(readServedApi(document, 'https://example.com/'));
  const matcher = runSteps(OperationMatcher.create(api));
  const takes = (operation: Operation, route: string): boolean => {
    const match = matcher.match(operation.method, route);
    return match.kind === 'found' && match.operation === operation;
  };
  for (const operation of listOperations(api)) {
    const { method, path, responsePointer } = operation;
    const target = await expandPath(send, operation, known, takes);
    const args = createArguments(operation);
    const faults = createFaults(operation, target, args);
    for (const fault of ['wrong', 'missing', 'unknown'] as const) {
      const faulty = faults[fault];
      if (faulty === undefined) continue;
      const response = await send(...faulty);
      const text = await response.text();
      refusals[fault] += 1;
      const outcome = `${response.status} ${toJsonObject(text === '' ? {} : JSON.parse(text))['code']}`;
      if (!FAULTS[fault].test(outcome)) notRefused.push(`${method} ${faulty[0]}: ${fault}, ${outcome}`);
    }
    const response = await send(...createRequest(method, target, args));
    const text = await response.text();
    const body: unknown = text === '' ? null : JSON.parse(text);
    const validate = responsePointer && compile({ $ref: `#${encodeURI(responsePointer)}` });
    if (response.status >= 300) failed.push(`${method} ${target} ${response.status} ${text}`);
    // The content of a file has no schema in JSON.
    else if (validate && !validate(body))
      failed.push(`${method} ${path} ${JSON.stringify(validate.errors?.slice(0, 3))}`);
    else successes += 1;
  }
  return { successes, failed, refusals, notRefused };
}

/** A name that no term of the mock has. */
function withOwnName(body: Json): Json {
  return isJsonObject(body) && body['name'] !== undefined ? { ...body, name: 'A Name of its Own' } : body;
}

interface Arguments {
  readonly query: Readonly<Record<string, Json>>;
  readonly body: Json | undefined;
}

function createArguments({ bodySchema, method, parameterObjects, path, source }: Operation): Arguments {
  const { document } = source;
  const required = parameterObjects.filter((each) => each.in === 'query' && each.required === true);
  const query = required.map(({ name: stated, schema }) => {
    const name = String(stated);
    return [name, createExample(schema, document, name, resourceOfParameter(name, path))] as const;
  });
  const force = parameterObjects.some(({ name }) => name === 'force') && method === 'DELETE';
  return {
    query: { ...Object.fromEntries(query), ...(force && { force: true }) },
    body: bodySchema === undefined ? undefined : withOwnName(createBodyExample(bodySchema, document, path)),
  };
}

function createRequest(method: string, route: string, { body, query }: Arguments): Parameters<Send> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const target = search.size === 0 ? route : `${route}?${search}`;
  if (body === undefined) return [target, { method }];
  return [target, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }];
}

/** The requests with one fault that an operation can get. */
function createFaults(
  operation: Operation,
  target: string,
  { body, query }: Arguments,
): { readonly [Fault in keyof typeof FAULTS]: Parameters<Send> | undefined } {
  const { method, parameterObjects, path } = operation;
  const typeOf = (parameter: JsonObject | undefined) => toJsonObject(parameter?.['schema'])['type'];
  // WordPress makes a number of any `maxwidth`.
  const counted = parameterObjects.find(
    (each) =>
      each.in === 'query' &&
      typeOf(each) === 'integer' &&
      !/^(?:_|max(?:width|height)$)/.test(String(each.name)),
  );
  const resolve = ($ref: string) => dereference({ $ref }, operation.source.document);
  const isRequired = [...listArguments(operation, resolve).values()].some(
    ({ isRequired, schema }) => isRequired && getDeclaredDefault(schema) === undefined,
  );
  const [, last = ''] = /\{([^{}]+)\}(?:\/[^{}]*)?$/.exec(path) ?? [];
  const isNumber = typeOf(parameterObjects.find(({ name }) => name === last)) === 'integer';
  const at = path.split('/').indexOf(`{${last}}`);
  const unknown = target.split('/').with(Math.max(0, at), '999999').join('/');
  const wrong = { body, query: { ...query, [String(counted?.name)]: 'no-number' } };
  return {
    wrong: counted && createRequest(method, target, wrong),
    missing: isRequired ? createRequest(method, target, { body: body && {}, query: {} }) : undefined,
    unknown: isNumber && at > 0 ? createRequest(method, unknown, { body, query }) : undefined,
  };
}

/** Fills the parameters of a path: by the first item of the list above, else by a number or a word. */
async function expandPath(
  send: Send,
  operation: Operation,
  known: Map<string, string>,
  takes: (operation: Operation, route: string) => boolean,
): Promise<string> {
  const { parameterObjects, path: template, source } = operation;
  let path = '';
  let above = '';
  for (const segment of template.split('/').slice(1)) {
    const [, name] = /\{([^{}]+)\}/.exec(segment) ?? [];
    above += `/${segment}`;
    const expanded = name === undefined ? `${path}/${segment}` : known.get(above);
    if (name === undefined || expanded !== undefined) {
      path = expanded ?? path;
      continue;
    }
    const schema = toJsonObject(parameterObjects.find((each) => each.name === name)?.schema);
    const word = createExample(schema, source.document, name, resourceOfParameter(name, template));
    const list: unknown = await (await send(`${path}?per_page=1`)).json();
    const [first] = Object.values<unknown>(Object(list));
    const item = isJsonObject(first) ? first : {};
    const ids = [item[name], item['id'], item['slug'], item['uuid'], item['name'], word, 1]
      .filter((value) => typeof value === 'number' || typeof value === 'string')
      // The path of a block type has both parts of its name.
      .map((value) =>
        String(value).includes('/') && template.includes('{namespace}') ? String(value).split('/')[0] : value,
      )
      .map((id) => `${path}/${segment.replace(/\{[^{}]+\}/, String(id))}`)
      // The items of `/icons` have slashes in their names; collections of them don't.
      .filter((route) => above !== template || takes(operation, route));
    let found: string | undefined;
    for (const route of ids) {
      if ((await send(route)).status !== 200) continue;
      found = route;
      break;
    }
    path =
      found ??
      (schema['type'] === 'integer' ? `${path}/${segment.replace(/\{[^{}]+\}/, '1')}` : (ids[0] ?? path));
    known.set(above, path);
  }
  return path;
}
