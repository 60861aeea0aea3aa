import { expect, test } from 'vitest';
import { createMock } from '../../../src/create-mock.ts';
import { recordedDocument } from '../../generator/types/documents.ts';
import { readSeed } from '../../support/documents.ts';
import { callOperations } from '../support/call-operations.ts';

// The boards are a mock, too: `test/sites/example/operations-through-gateway.test.ts` calls theirs.
test.each([
  ['content', () => readSeed('content')],
  ['recorded', recordedDocument],
])(
  'every operation of %s answers as its document says, and refuses wrong arguments and unknown items as WordPress',
  async (_, readDocument) => {
    const document = readDocument();
    const { app } = createMock(document);
    const results = await callOperations(document, (route, init) => app.request(`/wp-json${route}`, init));
    expect(results).toMatchObject({ failed: [], notRefused: [] });
    expect(results.successes).toBeGreaterThan(60);
    expect(Math.min(...Object.values(results.refusals))).toBeGreaterThan(0);
  },
  120_000,
);
