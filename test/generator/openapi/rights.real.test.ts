import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listProbed } from '../../../scripts/rights/operations.mjs';
import { runRights } from '../../../scripts/rights/run.mjs';
import { createBodyExample } from '../../../src/generator/example-values/document-examples.ts';
import TABLE from '../../../src/generator/model/conventions/rights.json' with { type: 'json' };
import { flattenSchema } from '../../../src/generator/openapi/document-objects.ts';
import { toOpenApi } from '../../../src/generator/openapi/index.ts';
import { listOperations } from '../../../src/generator/openapi/operations.ts';
import { discover } from '../../../src/index.ts';
import { useWordPress } from '../../support/wordpress.ts';

const site = useWordPress({
  muPlugins: fileURLToPath(new URL('../../../scripts/rights/mu-plugins', import.meta.url)),
});

test('the table of rights has what WordPress did for nobody and for each role', {
  timeout: 600_000,
}, async () => {
  const { url, users } = site();
  const { document } = toOpenApi(await discover(url));
  const probed = listProbed(document, { createBodyExample, flattenSchema, listOperations });
  expect(await runRights(url, users.administrator, probed)).toEqual(TABLE.rights);
});
