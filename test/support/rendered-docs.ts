import type { JsonObject } from '../../src/base/json.ts';
import { createOwnAddresses } from '../../src/gateway/router/target.ts';
import { createResponseExamples } from '../../src/generator/example-values/document-examples.ts';
import { listOperations, type Operation } from '../../src/generator/openapi/operations.ts';
import {
  type OperationDetails,
  readOperationDetails,
} from '../../src/generator/reference/operation-details.ts';
import {
  createResponseSample,
  createSampleRequest,
  findMainResponse,
} from '../../src/generator/reference/operation-samples.ts';
import type { SampleRequest } from '../../src/generator/reference/sample-request.ts';
import { respondToDocs } from '../../src/pages/docs/serve.ts';

/** Creates a function that renders the page of a document at what follows `/docs`. */
export function createTestDocs(
  document: JsonObject,
  localize: (text: string) => string = (text) => text,
): (path: string) => Promise<{ readonly text: string } | undefined> {
  const documented = { document, localize, title: 'A site', description: '', routePrefix: '' };
  const request = {
    head: { method: 'GET', target: '/', headers: [] },
    ...{ documented, changes: [], findOperation: () => undefined },
    ...{ baseUrl: 'https://example.com/mount', addresses: createOwnAddresses(false) },
  };
  return async (path) => {
    const response = await respondToDocs({ ...request, path });
    return response === null ? undefined : { text: await response.text() };
  };
}

/** Renders a page that exists. */
export async function renderTestPage(document: JsonObject, path: string): Promise<string> {
  const page = await createTestDocs(document)(path);
  if (page === undefined) throw new Error(`no page at /docs${path}`);
  return page.text;
}

interface SampledOperation {
  readonly operation: Operation;
  readonly details: OperationDetails;
  readonly request: SampleRequest;
  readonly response: ReturnType<typeof createResponseSample>;
}

export function sampleOperations(
  document: JsonObject,
  requestUrl = '',
  localize: (text: string) => string = (text) => text,
): readonly SampledOperation[] {
  const source = { document, localize };
  const responseExamples = createResponseExamples(document);
  return listOperations(document).map((operation) => {
    const details = readOperationDetails(operation, source);
    const request = createSampleRequest(operation, details, requestUrl);
    return {
      operation,
      details,
      request,
      get response() {
        const main = findMainResponse(details.responses);
        return main && createResponseSample(main, { source, responseExamples });
      },
    };
  });
}
