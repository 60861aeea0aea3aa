import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/json.ts';

/** Reads the stored document of an example site. */
export function readSeed(name: 'boards' | 'content'): JsonObject {
  return JSON.parse(readFileSync(new URL(`../../openapi/${name}.openapi.json`, import.meta.url), 'utf8'));
}

/** Creates a document with a GET operation for each path. */
export function createFlatDocument(paths: readonly string[], namespaces: readonly string[]): JsonObject {
  return {
    openapi: '3.1.1',
    info: { title: 'Test', version: '1' },
    paths: Object.fromEntries(paths.map((path) => [path, { get: { responses: {} } }])),
    'x-waygate': { namespaces },
  };
}
