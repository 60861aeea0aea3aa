import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AgentSite, Catalog, type Tool } from '../../src/agents/agent-site.ts';
import { listTools, runTool } from '../../src/agents/tools.ts';
import { type JsonObject, parseJson, toJsonObject } from '../../src/base/json.ts';
import { readSeed } from '../support/documents.ts';
import { wholeShopDocument } from '../support/recorded-indexes.ts';

const DOCUMENTS: Readonly<Record<string, () => JsonObject>> = {
  'the content site': () => readSeed('content'),
  'the boards': () => readSeed('boards'),
  'a shop with BuddyPress': wholeShopDocument,
};

function createSite(document: JsonObject): AgentSite {
  const source = { document, localize: (text: string) => text };
  return {
    ...source,
    catalog: Catalog.of({ document, title: 'Site' }),
    incompleteSummary: null,
    signal: new AbortController().signal,
    ...{ title: 'Site', mountPath: '', unasked: true, abilities: [], authorization: '', reads: ['*'] },
    writes: ['publish', 'deletePost'],
    resolve: () => [],
    send: () => Promise.reject(new Error('Nothing is sent')),
    note() {},
    logItem() {},
    userAgent: 'test',
  };
}

/** The limits of the tools, counted by the tokenizer o200k. */
describe.each(Object.keys(DOCUMENTS))('the tokens of the tools of %s', (name) => {
  let catalog: Catalog;
  let site: AgentSite;
  beforeAll(() => {
    site = createSite(DOCUMENTS[name]?.() ?? {});
    catalog = site.catalog;
  });
  const run = async (name: string, args: JsonObject): Promise<string> => {
    const [tool] = listTools(site).filter((each) => each.name === name);
    const { content, text } = await runTool(tool as Tool, args, site);
    return `${text}\n${content}`;
  };

  test('are few for the list of tools', () => {
    expect(countTokens(JSON.stringify({ tools: listTools(site) }))).toBeLessThanOrEqual(1_000);
  });

  test('are at most 450 for a search, whatever it finds', async () => {
    // Each tenth title: a search of the shop takes some milliseconds.
    const counts: number[] = [];
    for (const { operation } of catalog.operations.filter((_, at) => at % 10 === 0))
      counts.push(countTokens(await run('search_operations', { query: operation.title })));
    expect(Math.max(...counts)).toBeLessThanOrEqual(450);
  });

  test('are at most 650 for a description, whose example neither publishes nor deletes', async () => {
    const counts: number[] = [];
    const risky: string[] = [];
    // Each fifth one: a description takes a millisecond, and the shop has 1,400.
    for (const { id, level } of catalog.operations.filter((_, at) => at % 5 === 0)) {
      const text = await run('describe_operation', { id });
      counts.push(countTokens(text));
      const [, example] = /^Example: (.*)$/m.exec(text) ?? [];
      if (example === undefined) continue;
      const { body = null } = toJsonObject(parseJson(new TextEncoder().encode(example)));
      const isRisky = level === 'manage' || level === 'delete' || JSON.stringify(body).includes('"publish"');
      if (isRisky) risky.push(example);
    }
    const sorted = counts.toSorted((one, other) => one - other);
    expect(sorted[Math.floor(sorted.length * 0.95)]).toBeLessThanOrEqual(600);
    expect(sorted.at(-1)).toBeLessThanOrEqual(650);
    expect(risky).toEqual([]);
  });
});
