import type { Json, JsonObject } from '../../../src/base/json.ts';
import { toClient } from '../../../src/generator/client/index.ts';
import { readIndex } from '../../../src/generator/discovery/read-index.ts';
import type { DiscoveredSite } from '../../../src/generator/discovery/site.ts';
import { toOpenApi } from '../../../src/generator/openapi/index.ts';
import { readRecorded } from '../../support/recorded-indexes.ts';
import { shared } from '../../support/shared.ts';
import { PRETTY_ADDRESS } from '../../support/site.ts';

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

/** The site of the index that was recorded from WordPress 7.1. */
export const recordedSite: () => DiscoveredSite = shared(() => ({
  address: PRETTY_ADDRESS,
  ...readIndex(readRecorded('wordpress-7.1-index-help.json')),
}));

/** Its document. */
export const recordedDocument: () => JsonObject = shared(() => toOpenApi(recordedSite()).document);

/** The client of that document. */
export const recordedClient: () => Promise<string> = shared(() => toClient(recordedDocument()));
