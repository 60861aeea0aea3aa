import { readIndex } from '../../../src/discovery/index.ts';
import type { SiteAddress } from '../../../src/discovery/site.ts';
import { isJsonObject, type JsonObject } from '../../../src/json.ts';
import { resolveReference, readOperations, toOpenApi } from '../../../src/openapi/index.ts';
import { createMatcher } from '../../../src/router/matcher.ts';
import {
  type BatchPorts,
  type BatchVerdict,
  createBatchJudge,
  createJudges,
  type RequestValues,
  type Verdict,
} from '../../../src/validation/request/index.ts';

const ADDRESS: SiteAddress = {
  base: 'https://example.com/',
  root: 'https://example.com/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};

/** The judge of batches of a site, as a gateway puts it together. */
export interface BatchSite {
  judge(values: RequestValues): BatchVerdict;
  /** Of the batch as an operation among others. */
  judgeOuter(values: RequestValues): Verdict;
  /** The verdict on each request, in a word. */
  partsOf(body: JsonObject): readonly string[];
}

/** @param index the root index */
export function batchSite(index: unknown, allowed: BatchPorts['allowed'] = () => true): BatchSite {
  const { document } = toOpenApi({ address: ADDRESS, ...readIndex(index) });
  const api = readOperations(document);
  const { match } = createMatcher(api);
  const resolve = (reference: string): JsonObject | undefined => {
    const found = resolveReference(document, reference);
    return isJsonObject(found) ? found : undefined;
  };
  const judges = createJudges({ resolve });
  const batch = match('POST', '/batch/v1');
  if (batch.kind !== 'found') throw new Error('the site takes no batches');
  const { judge } = createBatchJudge(batch.operation, resolve, {
    allowed,
    match(method, route) {
      const found = match(method, route);
      return found.kind === 'found' && found.certain ? found : null;
    },
    judge: (operation, values) => judges.of(operation).judge(values),
  });
  const none = new Map();
  return {
    judge,
    judgeOuter: judges.of(batch.operation).judge,
    partsOf(body) {
      const verdict = judge({ json: new Map(Object.entries(body)), form: none, query: none, path: none });
      if (verdict.kind === 'refused') return [verdict.code];
      return verdict.parts.map(({ verdict: each }) => (each.kind === 'refused' ? each.code : each.kind));
    },
  };
}
