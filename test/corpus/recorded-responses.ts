import { parseJson } from '../../src/json.ts';
import { type OpenApiDocument, readServedApi } from '../../src/openapi/index.ts';
import type { RouteSample } from '../../src/reconcile/sample.ts';
import { OperationMatcher } from '../../src/router/matcher.ts';
import { runSteps } from '../../src/steps.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

interface RecordedResponse {
  readonly method: string;
  readonly route: string;
  readonly context: string | null;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}

/** The successful responses that a site has sent, to the programs and to `reconcile`. */
export class RecordedResponses {
  readonly #responses: RecordedResponse[] = [];

  /** Wraps the function that responds for the site. */
  record(fetch: Fetch): Fetch {
    return async (request) => {
      const response = await fetch(request);
      const { pathname, searchParams } = new URL(request.url);
      const isChanged =
        ['_fields', '_envelope', '_method'].some((name) => searchParams.has(name)) ||
        request.headers.has('x-http-method-override');
      if (!response.ok || isChanged) return response;
      this.#responses.push({
        method: request.method,
        route: searchParams.get('rest_route') ?? decodeURIComponent(pathname.replace(/^\/wp-json/, '')),
        context: searchParams.get('context'),
        status: response.status,
        headers: [...response.headers].flat(),
        body: new Uint8Array(await response.clone().arrayBuffer()),
      });
      return response;
    };
  }

  /** Those of the operations of a document, as `reconcile` would have sampled them. */
  listSamples(document: OpenApiDocument): readonly RouteSample[] {
    const matcher = runSteps(OperationMatcher.create(runSteps(readServedApi(document))));
    return this.#responses.flatMap(({ context, method, route, ...received }) => {
      const match = matcher.match(method, route);
      if (match.kind !== 'found') return [];
      const { operation } = match;
      return [
        {
          operation,
          route: match.route.pattern,
          context,
          content: parseJson(received.body),
          ...received,
        },
      ];
    });
  }
}
