import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { createMock } from '../../../src/create-mock.ts';
import { exampleDocuments } from '../../support/example-documents.ts';
import { callOperations } from '../support/call-operations.ts';

type DocumentName = 'content' | 'boards' | 'recorded';

let documents: Readonly<Record<DocumentName, JsonObject>>;
beforeAll(async () => {
  documents = await exampleDocuments();
}, 120_000);

test.each(['content', 'boards', 'recorded'] as const)(
  'every operation of %s answers as its document says, and refuses wrong arguments and unknown items as WordPress',
  async (name) => {
    const { app } = createMock(documents[name]);
    const results = await callOperations(documents[name], (route, init) =>
      app.request(`/wp-json${route}`, init),
    );
    expect(results).toMatchObject({ failed: [], notRefused: [] });
    expect(results.successes).toBeGreaterThan(60);
    expect(Math.min(...Object.values(results.refusals))).toBeGreaterThan(0);
  },
  120_000,
);
