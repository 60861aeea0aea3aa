import type { Json } from '../../src/base/json.ts';
import { runSteps } from '../../src/base/steps.ts';
import { type OpenApiDocument, readServedApi } from '../../src/generator/openapi/index.ts';
import type { RouteSample } from '../../src/generator/reconcile/sample.ts';

/** A response that `reconcile` has sampled. */
export interface SampleRow {
  readonly route: string;
  readonly content: Json;
  readonly context?: string | null;
}

export function createSamples(document: OpenApiDocument, rows: readonly SampleRow[]): readonly RouteSample[] {
  const routes = new Map(runSteps(readServedApi(document)).routes.map((route) => [route.pattern, route]));
  return rows.map(({ content, context = null, route }) => {
    const operation = routes.get(route)?.operations.get('GET');
    if (operation === undefined) throw new Error(`no GET ${route}`);
    return {
      ...{ operation, route, content, context, status: 200, headers: ['content-type', 'application/json'] },
      body: new TextEncoder().encode(JSON.stringify(content)),
    };
  });
}
