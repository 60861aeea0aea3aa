import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonMembers,
  mapMembers,
  toJsonObject,
} from '../../base/json.ts';
import { getOrCreate } from '../../base/memoize.ts';
import type { Steps } from '../../base/steps.ts';
import { UniqueNames } from '../../base/unique-names.ts';
import { dereference, getSchemaComponentKey, referenceOf } from '../openapi/document-references.ts';
import { changeOperations } from '../openapi/operations.ts';
import { formOf } from '../openapi/schema-view.ts';
import { createBodyExample, createExample, resourceOfParameter } from './request-examples.ts';
import { createResponseExamples } from './response-examples.ts';

const MAX_LENGTH = 4_000;
const MAX_INLINE_LENGTH = 200;
/** Characters of all examples. A hostile document could have many times its own length. */
const MAX_TOTAL_LENGTH = 4_000_000;

export function* withExamples(document: JsonObject): Steps<JsonObject> {
  const responses = createResponseExamples(document);
  const declared = toJsonObject(document['components']);
  const names = new UniqueNames(Object.keys(toJsonObject(declared['examples'])));
  const components = new Map<string, JsonObject | null>();
  let left = MAX_TOTAL_LENGTH;
  function takes(example: Json | undefined, most: number): example is Json {
    const length = example === undefined ? Number.POSITIVE_INFINITY : JSON.stringify(example).length;
    const isTaken = length <= Math.min(most, left);
    if (isTaken) left -= length;
    return isTaken;
  }

  function addExample(media: Json, create: (media: JsonObject) => Json | undefined, kind: string): Json {
    if (!isJsonObject(media) || media['example'] !== undefined || media['examples'] !== undefined)
      return media;
    const { schema } = media;
    const { form, item } = formOf(toJsonObject(schema));
    const key = getSchemaComponentKey(referenceOf(item));
    if (key === undefined) {
      const example = create(media);
      return takes(example, MAX_INLINE_LENGTH) ? { ...media, example } : media;
    }
    const id = JSON.stringify([kind, schema]);
    let reference = components.get(id);
    if (reference === undefined) {
      const value = create(media);
      const isUsable = takes(value, MAX_LENGTH);
      const name = names.claim(form === 'one' ? key : `${key}${form === 'list' ? 'List' : 'Map'}`);
      reference = isUsable ? { $ref: `#/components/examples/${name}` } : null;
      components.set(id, reference);
      if (isUsable) examples.push([name, { value }]);
    }
    return reference === null ? media : { ...media, examples: { example: reference } };
  }

  const values = new Map<string, { readonly example: Json }>();
  function addToParameter(parameter: Json, path: string): Json {
    if (!isJsonObject(parameter)) return parameter;
    const { example: own, examples: others, in: location, name, required, schema } = parameter;
    if (required !== true || own !== undefined || others !== undefined) return parameter;
    const flat = dereference(schema, document);
    if (typeof name !== 'string' || flat === undefined || flat['enum'] !== undefined) return parameter;
    const resource = resourceOfParameter(name, path);
    const { example } = getOrCreate(values, JSON.stringify([location, name, resource, flat]), () => {
      const positive = location === 'path' ? { minimum: 1, ...flat } : flat;
      return { example: createExample(positive, document, name, resource) };
    });
    const isUsable = typeof example !== 'object' && takes(example, MAX_INLINE_LENGTH);
    return isUsable ? { ...parameter, example } : parameter;
  }

  const examples: [name: string, example: JsonObject][] = [];
  const addToResponse = (response: Json): Json =>
    withContent(response, (media) => addExample(media, (each) => responses(each), 'response'));
  const addToBody = (media: Json, path: string): Json =>
    addExample(media, ({ schema }) => createBodyExample(schema, document, path), 'request');
  function* change(operation: JsonObject, path: string, method: string, item: JsonObject): Steps<JsonObject> {
    // WordPress runs one callback for POST, PUT and PATCH, so one example is enough.
    if (/^(?:put|patch)$/.test(method) && item['post'] !== undefined) return operation;
    const { parameters, requestBody = null } = operation;
    const declared = toJsonObject(operation['responses']);
    const shown: [status: string, response: Json][] = [];
    for (const [status, response] of jsonMembers(declared)) {
      // A creation has 201 in WordPress, even if the document lists 200 first.
      const isShown = status !== '200' || declared['201'] === undefined;
      shown.push([status, isShown ? addToResponse(response) : response]);
      yield;
    }
    return {
      ...operation,
      ...(Array.isArray(parameters)
        ? { parameters: parameters.map((each: Json) => addToParameter(each, path)) }
        : {}),
      ...(isJsonObject(requestBody)
        ? { requestBody: withContent(requestBody, (media) => addToBody(media, path)) }
        : {}),
      responses: Object.fromEntries(shown),
    };
  }

  const changed = yield* changeOperations(document, change);
  const shared = mapMembers(toJsonObject(declared['responses']), (_, response) => addToResponse(response));
  const all = { ...toJsonObject(declared['examples']), ...Object.fromEntries(examples) };
  return { ...changed, components: { ...declared, responses: shared, examples: all } };
}

function withContent(message: Json, change: (media: Json) => Json): Json {
  if (!isJsonObject(message) || !isJsonObject(message['content'])) return message;
  const content = mapMembers(message['content'], (type, media) =>
    /[/+]json$/.test(type) ? change(media) : media,
  );
  return { ...message, content };
}
