import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/base/json.ts';

/** The published document of an example site. */
export const readSeedText = (name: 'boards' | 'content'): string =>
  readFileSync(new URL(`../../openapi/${name}.openapi.json`, import.meta.url), 'utf8');

export const readSeed = (name: 'boards' | 'content'): JsonObject => JSON.parse(readSeedText(name));

export function createFlatDocument(paths: readonly string[], namespaces: readonly string[]): JsonObject {
  return {
    openapi: '3.1.1',
    info: { title: 'Test', version: '1' },
    paths: Object.fromEntries(paths.map((path) => [path, { get: { responses: {} } }])),
    'x-waygate': { namespaces },
  };
}
