import type { ServedApi, ServedRoute } from '../../../src/generator/openapi/index.ts';
import { createOperation } from '../../support/operation.ts';

/** A test route: `[pattern, namespace, methods]`. */
export type RouteRow = readonly [pattern: string, namespace: string, methods: readonly string[]];

export function createServedApi(rows: readonly RouteRow[], namespaces?: readonly string[]): ServedApi {
  return {
    address: {
      base: 'https://example.com/',
      root: 'https://example.com/wp-json/',
      spelling: 'pretty',
      prefix: 'wp-json',
    },
    namespaces:
      namespaces ?? [...new Set(rows.map(([, namespace]) => namespace))].filter((name) => name !== ''),
    routes: rows.map(
      ([pattern, namespace, methods]): ServedRoute => ({
        pattern,
        namespace,
        operations: new Map(
          methods.map((method) => [
            method,
            createOperation({ id: `${method} ${pattern}`, method, path: pattern }),
          ]),
        ),
      }),
    ),
  };
}
