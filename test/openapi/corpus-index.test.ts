import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readRecordedSite } from '../../src/discovery/index.ts';
import { jsonItems, jsonMembers, memberAt } from '../../src/json.ts';
import { listOperations, toOpenApi } from '../../src/openapi/index.ts';
import { flattenSchema } from '../../src/openapi/schema-view.ts';

/** Indexes that `scripts/corpus` has recorded, without descriptions, and their operations and arguments by its count. */
test.each([['simple-history', 28, 175]])(
  'the document of %s has each operation and each argument of its index',
  (plugin, operations, args) => {
    const path = new URL(`../fixtures/${plugin}-index.json`, import.meta.url);
    const index = JSON.parse(readFileSync(path, 'utf8'));
    const { document } = toOpenApi(readRecordedSite(index));
    const served = listOperations(document);
    const missing: string[] = [];
    const counts = { operations: 0, args: 0 };
    for (const [route, { endpoints, namespace }] of Object.entries<{ endpoints: []; namespace: string }>(
      index.routes,
    )) {
      if (route === `/${namespace}`) continue;
      for (const endpoint of jsonItems(endpoints))
        for (const method of jsonItems(memberAt(endpoint, 'methods'))) {
          const found = served.find((each) => each.pattern === route && each.method === method);
          const fields = jsonMembers(flattenSchema(found?.bodySchema, document).schema.properties).map(
            ([name]) => name,
          );
          const names = new Set([...fields, ...(found?.parameters ?? []).map(({ name }) => name)]);
          counts.operations += 1;
          if (found === undefined) missing.push(`${method} ${route}`);
          for (const [name] of jsonMembers(memberAt(endpoint, 'args'))) {
            counts.args += 1;
            if (!names.has(name)) missing.push(`${method} ${route} ${name}`);
          }
        }
    }
    expect(missing).toEqual([]);
    expect(counts).toEqual({ operations, args });
  },
);
