import { readFileSync } from 'node:fs';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { toClient } from '../../../src/generator/client/index.ts';
import { readIndex } from '../../../src/generator/discovery/index.ts';
import { toOpenApi } from '../../../src/generator/openapi/index.ts';
import { shared } from '../../support/shared.ts';

/** Creates a document with the given component schemas, paths and other components. */
export function documentWith(
  schemas: JsonObject,
  paths: JsonObject = {},
  components: JsonObject = {},
): JsonObject {
  return {
    openapi: '3.1.1',
    info: { title: 'Example', version: '1.0.0' },
    paths,
    components: { schemas, ...components },
  };
}

/** Creates a path item whose `GET` operation has the given fields. */
export function getting(parts: { readonly [part: string]: Json }): JsonObject {
  return { get: { operationId: 'get', responses: {}, ...parts } };
}

/** The document of the index that was recorded from WordPress 7.1. */
export const recordedDocument: () => JsonObject = shared(() => {
  const file = new URL('../../fixtures/wordpress-7.1-index-help.json', import.meta.url);
  const { index, diagnostics } = readIndex(JSON.parse(readFileSync(file, 'utf8')));
  const address = {
    base: 'https://example.com/',
    root: 'https://example.com/wp-json/',
    spelling: 'pretty',
    prefix: 'wp-json',
  } as const;
  return toOpenApi({ address, index, diagnostics }).document;
});

/** The client of that document. */
export const recordedClient: () => Promise<string> = shared(() => toClient(recordedDocument()));
