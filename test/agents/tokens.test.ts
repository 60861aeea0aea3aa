import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AgentSite, Catalog } from '../../src/agents/agent-site.ts';
import { listTools, runTool } from '../../src/agents/tools.ts';
import { type JsonObject, parseJson, toJsonObject } from '../../src/base/json.ts';
import { readSeed } from '../support/documents.ts';
import { wholeShopDocument } from '../support/recorded-indexes.ts';

const DOCUMENTS: Readonly<Record<string, () => JsonObject>> = {
  'the content site': () => readSeed('content'),
  'the boards': () => readSeed('boards'),
  'a shop with BuddyPress': wholeShopDocument,
};

async function createSite(document: JsonObject): Promise<AgentSite> {
  const source = { document, localize: (text: string) => text };
  return {
    ...source,
    catalog: await Catalog.of({ document, title: 'Site' }),
    incompleteSummary: null,
    signal: new AbortController().signal,
    ...{
      title: 'Site',
      mountPath: '',
      unasked: true,
      abilities: [],
      reads: ['*'],
      writes: ['publish', 'deletePost'],
      authorization: '',
    },
    resolve: () => [],
    send: () => Promise.reject(new Error('Nothing is sent')),
    note() {},
    logItem() {},
    userAgent: 'test',
  };
}

/** The 95th of 100 numbers, and the largest. */
function toPercentiles(numbers: readonly number[]): readonly [p95: number, most: number] {
  const sorted = numbers.toSorted((one, other) => one - other);
  return [sorted[Math.floor(sorted.length * 0.95)] ?? 0, sorted.at(-1) ?? 0];
}

/** The limits of the tools, counted by the tokenizer o200k. */
describe.each(Object.keys(DOCUMENTS))('the tokens of the tools of %s', (name) => {
  let catalog: Catalog;
  let site: AgentSite;
  beforeAll(async () => {
    site = await createSite(DOCUMENTS[name]?.() ?? {});
    catalog = site.catalog;
  });
  const run = async (tool: string, args: JsonObject): Promise<string> => {
    const result = await runTool(tool, args, site);
    return `${result?.text}\n${result?.content}`;
  };

  test('are few for the list of tools', () => {
    expect(countTokens(JSON.stringify({ tools: listTools(site) }))).toBeLessThanOrEqual(1_000);
  });

  test('are at most 450 for a search, whatever it finds', async () => {
    // Each tenth title: a search of the shop takes some milliseconds.
    const queries = catalog.operations.flatMap(({ operation }, at) =>
      at % 10 === 0 ? [operation.title] : [],
    );
    const counts: number[] = [];
    for (const query of queries) counts.push(countTokens(await run('search_operations', { query })));
    expect(Math.max(...counts)).toBeLessThanOrEqual(450);
  });

  test('are at most 650 for a description, whose example neither publishes nor deletes', async () => {
    const counts: number[] = [];
    const risky: string[] = [];
    // Each third one of the shop, which has 1,400.
    const step = catalog.operations.length > 1_000 ? 3 : 1;
    for (const { id, level } of catalog.operations.filter((_, at) => at % step === 0)) {
      const text = await run('describe_operation', { id });
      counts.push(countTokens(text));
      const [, example] = /^Example: (.*)$/m.exec(text) ?? [];
      if (example === undefined) continue;
      const { body = null } = toJsonObject(parseJson(new TextEncoder().encode(example)));
      const isRisky = level === 'manage' || level === 'delete' || JSON.stringify(body).includes('"publish"');
      if (isRisky) risky.push(example);
    }
    const [p95, most] = toPercentiles(counts);
    expect(p95).toBeLessThanOrEqual(600);
    expect(most).toBeLessThanOrEqual(650);
    expect(risky).toEqual([]);
  });
});
