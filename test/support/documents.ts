import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/base/json.ts';

export function readSeed(name: 'boards' | 'content'): JsonObject {
  return JSON.parse(readFileSync(new URL(`../../openapi/${name}.openapi.json`, import.meta.url), 'utf8'));
}

export function createFlatDocument(paths: readonly string[], namespaces: readonly string[]): JsonObject {
  return {
    openapi: '3.1.1',
    info: { title: 'Test', version: '1' },
    paths: Object.fromEntries(paths.map((path) => [path, { get: { responses: {} } }])),
    'x-waygate': { namespaces },
  };
}
