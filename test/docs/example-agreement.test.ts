import { describe, expect, test } from 'vitest';
import { readIndex } from '../../src/discovery/read-index.ts';
import { isJsonObject, type Json, type JsonObject, toJsonObject } from '../../src/json.ts';
import { toOpenApi } from '../../src/openapi/index.ts';
import { readSeed } from '../support/documents.ts';
import { readShopIndex } from '../support/recorded-indexes.ts';
import { sampleOperations } from '../support/rendered-docs.ts';
import { PRETTY_ADDRESS } from '../support/site.ts';

interface Example {
  readonly operation: string;
  readonly ids: ReadonlyMap<string, Json>;
  readonly sent: JsonObject;
  readonly response: Json;
  /** What the site says of `force`; `undefined` if the operation has no such parameter. */
  readonly force: string | undefined;
  readonly isForced: boolean;
  /** Whether a deletion may answer with what it moved to the trash. */
  readonly hasTrash: boolean;
}

const isOfShop = (namespace: string): boolean => ['wc/v3', 'buddypress/v2', 'wp/v2'].includes(namespace);

describe.each<[string, () => JsonObject]>([
  ['boards', () => readSeed('boards')],
  ['content', () => readSeed('content')],
  ['shop', () => toOpenApi({ address: PRETTY_ADDRESS, ...readIndex(readShopIndex(isOfShop)) }).document],
])('the examples of %s', (_, read) => {
  const examples = listExamples(read());
  const objects = examples.flatMap(({ operation, response }) => listObjects(response, operation));

  test('never have a last date before the first one', () => {
    expect(objects.length).toBeGreaterThan(50);
    expect(objects.flatMap(({ object, place }) => (isOutOfOrder(object) ? [place] : []))).toEqual([]);
  });

  test('have the id of their path, also in what was deleted', () => {
    const other = examples.flatMap(({ ids, operation, response }) => {
      const item = isJsonObject(response) ? (response['previous'] ?? response) : undefined;
      const [name, id] = [...ids].at(-1) ?? [];
      if (!isJsonObject(item) || item['id'] === undefined || !/\{\w*id\}$/.test(operation)) return [];
      // A revision of a template has the id of the template.
      return [item['id'], item['wp_id'], item[name ?? '']].some((own) => String(own) === String(id))
        ? []
        : [operation];
    });
    expect(other).toEqual([]);
  });

  test('delete for good with force only, and send it where it is needed', () => {
    const deletions = examples.filter(({ force }) => force !== undefined);
    const odd = deletions.filter(({ force = '', hasTrash, isForced, response }) => {
      const { deleted, status } = isJsonObject(response) ? response : {};
      if (isForced) return status === 'trash';
      return /^Required to be true/.test(force) || (hasTrash && deleted === true);
    });
    expect(odd.map(({ operation }) => operation)).toEqual([]);
  });

  test('have what was sent', () => {
    const other = examples.flatMap(({ operation, response, sent }) =>
      Object.entries(isJsonObject(response) ? response : {}).flatMap(([name, member]) => {
        const value = sent[name];
        // The status of a file is that of its post, and a kind of value may differ.
        const isCompared =
          typeof value === typeof member && typeof value !== 'object' && member !== 'inherit';
        return !isCompared || name === 'id' || value === member ? [] : [`${operation} ${name}`];
      }),
    );
    expect(other).toEqual([]);
  });
});

test('the response to a request that names a task in its body is that task', () => {
  const example = listExamples(readSeed('boards')).find(({ operation }) =>
    operation.endsWith('/labels/task'),
  );
  expect(example?.sent['task_id']).toEqual(expect.any(Number));
  expect(example?.response).toMatchObject({ id: example?.sent['task_id'] });
});

function listExamples(document: JsonObject): readonly Example[] {
  return sampleOperations(document).flatMap(({ details, operation, request, response }) =>
    response === undefined
      ? []
      : [
          {
            operation: `${operation.method} ${operation.path}`,
            ids: new Map(request.pathParameters.map(({ name, value }) => [name, value])),
            sent: toJsonObject(request.body),
            response: JSON.parse(response.text),
            force: details.parameters.find(({ name }) => name === 'force')?.description,
            hasTrash: details.responses.some(({ contents: [content] }) =>
              /^Deleted\w+ or (?!Deleted)\w+$/.test(content?.type ?? ''),
            ),
            isForced: request.query.some(([name]) => name === 'force'),
          },
        ],
  );
}

function listObjects(
  value: Json,
  place: string,
): readonly { readonly object: JsonObject; readonly place: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = isJsonObject(value) ? [{ object: value, place }] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, member]) => listObjects(member, `${place} ${name}`)),
  ];
}

const ORDERS = [
  ['created_at', 'updated_at'],
  ['date_created', 'date_modified'],
  ['date', 'modified'],
  ['created_at', 'starts_at'],
  ['starts_at', 'due_at'],
  ['started_at', 'committed_at'],
  ['date_start', 'date_end'],
];

function isOutOfOrder(object: JsonObject): boolean {
  return ORDERS.some(([first = '', last = '']) => {
    const [one, other] = [object[first], object[last]];
    return typeof one === 'string' && typeof other === 'string' && one > other;
  });
}
