import { describe, expect, test } from 'vitest';
import { boardSite } from '../../../src/example/index.ts';
import { discover, toOpenApi } from '../../../src/index.ts';
import { isJsonObject, type Json } from '../../../src/json.ts';
import { createSchemaCompiler } from '../../support/document-schemas.ts';
import { BOARD_CASES } from './board-cases.ts';
import { memberAt, startBoardClient } from './board-client.ts';
import { LABEL_CASES, STAGE_CASES } from './label-and-stage-cases.ts';
import { ADMIN_CASES, USER_CASES } from './settings-cases.ts';

const own = boardSite();
const discovered = await discover('http://boards.example.com/', {
  fetch: async (input, init) => own.fetch(new Request(input, init)),
});
const { document } = toOpenApi(discovered);
const CLASSES: Readonly<Record<string, string>> = { int: '[\\d]+', str: '[^\\s/]+' };

/** The operation of the document for a route of the site. */
function documentedOperation(operation: string): Json {
  const [method = '', path = ''] = operation.split(' ');
  const pattern = path.replace(/\{(\w+):(\w+)\}/g, (_, name, kind) => `(?P<${name}>${CLASSES[kind]})`);
  const items: readonly unknown[] = Object.values(document.paths ?? {});
  for (const item of items) {
    const found = isJsonObject(item) ? item[method.toLowerCase()] : undefined;
    if (memberAt(found, 'x-waygate-route') === `/boards/v2${pattern}`) return found ?? null;
  }
  throw new Error(`the document lacks ${operation}`);
}

const { call, site } = startBoardClient();
const CASES = [...BOARD_CASES, ...LABEL_CASES, ...STAGE_CASES, ...ADMIN_CASES, ...USER_CASES];

const compile = createSchemaCompiler(document);

describe('the document of the board site', () => {
  test.each(CASES)(
    'the document describes the response of %s',
    async (operation, [as, path, status, options]) => {
      site.reset();
      const content = memberAt(
        documentedOperation(operation),
        'responses',
        String(status),
        'content',
        'application/json',
      );
      const schema = memberAt(content, 'schema');
      const [method = ''] = operation.split(' ');
      const labelled = [...site.state().tasks.values()].find(
        (task) => task.boardId === 1 && task.labels.length > 0,
      );
      const filled = path
        .replace('{labelled}', String(labelled?.id))
        .replace('{its label}', String(labelled?.labels[0]));
      const { body } = await call(method, filled, { as, ...options });
      if (!isJsonObject(schema)) throw new Error(`the document does not describe status ${status}`);
      expect(schema['type'] === 'array').toBe(Array.isArray(body));
      const isAsDescribed = compile(schema);
      isAsDescribed(body);
      expect(isAsDescribed.errors).toBeNull();
    },
  );
});
