import { beforeAll, describe, expect, test } from 'vitest';
import { textOfPattern } from '../../src/example-values/example-text.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/json.ts';
import { createMock } from '../../src/mock/index.ts';
import { FORMAT_PATTERNS } from '../../src/validators/checked-schema.ts';
import { createSchemaCompiler } from '../support/document-schemas.ts';
import { exampleDocuments } from '../validators/documents.ts';

type Mock = ReturnType<typeof createMock>;
type DocumentName = 'content' | 'boards' | 'recorded';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

function operationsOf({ paths }: JsonObject): readonly Operation[] {
  return Object.entries(isJsonObject(paths) ? paths : {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = isJsonObject(item) ? item[method] : undefined;
      return isJsonObject(operation) ? [{ method, path, operation }] : [];
    }),
  );
}

/** Fills the parameters of a path: by the first item of the list above, else by a number or a word. */
async function expandPath(
  mock: Mock,
  template: string,
  parameters: readonly Json[],
  known: Map<string, string>,
): Promise<string> {
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
    const parameter = parameters.find((each) => isJsonObject(each) && each['name'] === name);
    const schema = isJsonObject(parameter) ? parameter['schema'] : undefined;
    const pattern = isJsonObject(schema) ? schema['pattern'] : undefined;
    const word = typeof pattern === 'string' ? textOfPattern(pattern, () => 0) : 'example';
    const isNumber = isJsonObject(schema) && schema['type'] === 'integer';
    const list: unknown = await (await mock.request(`${path}?per_page=1`)).json();
    const first: unknown = Array.isArray(list)
      ? list[0]
      : isJsonObject(list)
        ? Object.values(list)[0]
        : undefined;
    const item = isJsonObject(first) ? first : {};
    const ids = [item[name], item['id'], item['slug'], item['uuid'], item['name'], word, 1]
      .filter((value) => typeof value === 'number' || typeof value === 'string')
      // The path of a block type has both parts of its name.
      .map((value) =>
        String(value).includes('/') && template.includes('{namespace}') ? String(value).split('/')[0] : value,
      )
      .map((id) => `${path}/${segment.replace(/\{[^{}]+\}/, String(id))}`);
    let found: string | undefined;
    for (const route of ids) {
      if ((await mock.request(route)).status !== 200) continue;
      found = route;
      break;
    }
    path = found ?? (isNumber ? (ids.find((route) => /\/\d+$/.test(route)) ?? path) : (ids[0] ?? path));
    known.set(above, path);
  }
  return path;
}

/** Requests every operation once. @returns the operations without a success, and those whose response is invalid */
async function requestAll(document: JsonObject) {
  const formats = Object.fromEntries(
    Object.entries(FORMAT_PATTERNS).map(([format, pattern]) => [format, new RegExp(pattern, 'u')]),
  );
  const compile = createSchemaCompiler(document, { formats });
  const failed: string[] = [];
  const invalid: string[] = [];
  const mock = createMock(document, { mode: 'off' });
  const known = new Map<string, string>();
  const operations = operationsOf(document);
  const isDeletion = ({ method }: Operation): boolean => method === 'delete';
  // What is deleted is not found later.
  const ordered = [...operations.filter((each) => !isDeletion(each)), ...operations.filter(isDeletion)];
  for (const { method, path, operation } of ordered) {
    const parameters = Array.isArray(operation['parameters']) ? operation['parameters'] : [];
    const target = await expandPath(mock, path, parameters, known);
    const response = await mock.request(`${target}${method === 'delete' ? '?force=true' : ''}`, {
      method: method.toUpperCase(),
    });
    const name = `${method} ${target}`;
    if (response.status >= 300) failed.push(`${name} ${response.status} ${await response.text()}`);
    else {
      const pointer = `/paths/${path.replaceAll('/', '~1')}/${method}/responses`;
      const { responses } = operation;
      const status = isJsonObject(responses)
        ? Object.keys(responses).find((each) => each === String(response.status))
        : undefined;
      const stated = isJsonObject(responses) ? responses[status ?? ''] : undefined;
      // The content of a file has no schema in JSON.
      if (!JSON.stringify(stated ?? null).includes('"application/json":{"schema"')) continue;
      const validate = compile({
        $ref: `#${encodeURI(pointer)}/${status}/content/application~1json/schema`,
      });
      if (!validate(await response.json()))
        invalid.push(`${name} ${JSON.stringify(validate.errors?.slice(0, 3))}`);
    }
  }
  return { failed, invalid };
}

describe('every operation of a document', () => {
  let documents: Readonly<Record<DocumentName, JsonObject>>;
  beforeAll(async () => {
    documents = await exampleDocuments();
  }, 120_000);

  test.each(['content', 'boards', 'recorded'] as const)(
    'of %s responds with an example that is valid',
    async (name) => {
      expect(operationsOf(documents[name]).length).toBeGreaterThan(40);
      expect(await requestAll(documents[name])).toEqual({ failed: [], invalid: [] });
    },
    120_000,
  );
});
