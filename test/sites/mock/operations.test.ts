import { beforeAll, describe, expect, test } from 'vitest';
import { groupBy } from '../../../src/base/group-by.ts';
import { isJsonObject, type JsonObject, toJsonObject } from '../../../src/base/json.ts';
import { runSteps } from '../../../src/base/steps.ts';
import {
  createExample,
  resourceOfParameter,
} from '../../../src/generator/example-values/document-examples.ts';
import { type Operation, readServedApi } from '../../../src/generator/openapi/index.ts';
import { validateFormat } from '../../../src/generator/validation/wordpress/keywords.ts';
import { createSchemaCompiler } from '../../support/document-schemas.ts';
import { exampleDocuments } from '../../support/example-documents.ts';
import { createUncheckedMock, type Mock } from './mock-client.ts';

type DocumentName = 'content' | 'boards' | 'recorded';

/** Each operation once, the deletions last, of items within others first: what is deleted is not found later. */
function listOperations(document: JsonObject): readonly Operation[] {
  const all = runSteps(readServedApi(document)).routes.flatMap(({ operations }) => [...operations.values()]);
  const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;
  // Of routes that share a path, the first that takes the target responds.
  const unique = [...groupBy(all, nameOf).values()].map(([first]) => first);
  const isDeletion = ({ method }: Operation): boolean => method === 'DELETE';
  const depth = ({ path }: Operation): number => path.split('/').length;
  const deletions = unique.filter(isDeletion).toSorted((one, other) => depth(other) - depth(one));
  return [...unique.filter((each) => !isDeletion(each)), ...deletions];
}

/** Fills the parameters of a path: by the first item of the list above, else by a number or a word. */
async function expandPath(
  mock: Mock,
  { parameterObjects, path: template, source }: Operation,
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
    const schema = toJsonObject(parameterObjects.find((each) => each.name === name)?.schema);
    const word = createExample(schema, source.document, name, resourceOfParameter(name, template));
    const list: unknown = await (await mock.app.request(`/wp-json${path}?per_page=1`)).json();
    const [first] = Object.values<unknown>(Object(list));
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
      if ((await mock.app.request(`/wp-json${route}`)).status !== 200) continue;
      found = route;
      break;
    }
    path =
      found ??
      (schema['type'] === 'integer' ? (ids.find((route) => /\/\d+$/.test(route)) ?? path) : (ids[0] ?? path));
    known.set(above, path);
  }
  return path;
}

/** Requests every operation once. @returns the operations without a success, and those whose response is invalid */
async function requestAll(document: JsonObject) {
  const formats = Object.fromEntries(
    ['date-time', 'email', 'hex-color', 'ip', 'uuid'].map((format) => [
      format,
      (text: string) => validateFormat(format, text, '') === null,
    ]),
  );
  const compile = createSchemaCompiler(document, { formats });
  const failed: string[] = [];
  const invalid: string[] = [];
  const mock = createUncheckedMock(document);
  const known = new Map<string, string>();
  for (const operation of listOperations(document)) {
    const { method, path, responsePointer } = operation;
    if (/\/batch(?:\/v1)?$/.test(path)) continue;
    const target = await expandPath(mock, operation, known);
    const response = await mock.app.request(`/wp-json${target}${method === 'DELETE' ? '?force=true' : ''}`, {
      method,
    });
    const name = `${method} ${target}`;
    if (response.status >= 300) failed.push(`${name} ${response.status} ${await response.text()}`);
    // The content of a file has no schema in JSON.
    else if (responsePointer !== undefined) {
      const validate = compile({ $ref: `#${encodeURI(responsePointer)}` });
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
      expect(listOperations(documents[name]).length).toBeGreaterThan(40);
      expect(await requestAll(documents[name])).toEqual({ failed: [], invalid: [] });
    },
    120_000,
  );
});
