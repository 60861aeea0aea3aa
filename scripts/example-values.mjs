// Draws values at random from the example requests and responses that references show, so that a reader can judge them:
//   node scripts/example-values.mjs [--seed <n>] [--count <n>] <docs URL, such as http://127.0.0.1:8080/boards/docs>…
// Each reference gives the same number of values. An operation is drawn first, then one of its examples, then a value in it.
import { parseArgs } from 'node:util';

const { values: options, positionals: references } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '300' } },
});

/** Mulberry32: the same seed draws the same values. */
function createRandom(seed) {
  let state = seed;
  return (count) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}

async function read(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return response.text();
}

/** The examples of a page: `{ operation, kind, value }`. The query and the path of a request are examples too. */
function readExamples(page) {
  return page.split(/^## /m).flatMap((section) => {
    const [title = '', , operation = ''] = section.split('\n');
    const [, command] = /^```+sh\n([\s\S]*?)\n```+$/m.exec(section) ?? [];
    if (command === undefined) return [];
    const [, body] = / --data '([\s\S]*?)'$/m.exec(command) ?? [];
    const [, url = ''] = /^curl '([^']*)'/.exec(command) ?? [];
    const [, response] = /^```+json\n([\s\S]*?)\n```+$/m.exec(section) ?? [];
    const name = `${title}, ${operation.replaceAll('`', '')}`;
    return [
      { operation: name, kind: 'url', value: readUrl(operation, url) },
      { operation: name, kind: 'request', value: parse(body?.replaceAll(`'\\''`, "'")) },
      { operation: name, kind: 'response', value: parse(response) },
    ].filter(({ value }) => value !== undefined);
  });
}

function parse(text) {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return `not JSON: ${text.slice(0, 200)}`;
  }
}

/** The values of the parameters of a URL, by name. */
function readUrl(operation, url) {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const template = /`\w+ ([^`]*)`/.exec(operation)?.[1] ?? '';
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^{}]*\}/g, '(.+?)');
  const matched = new RegExp(`${pattern}$`).exec(pathname) ?? [];
  const found = [...names.map((name, at) => [name, matched[at + 1] ?? '']), ...searchParams];
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The scalars and the empty containers in a value, each with its path and the members beside it. */
function listValues(value, path = '', beside = '') {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return [{ path, value, beside }];
  const others = JSON.stringify(value).slice(0, 160);
  return Object.entries(value).flatMap(([name, member]) =>
    listValues(member, path === '' ? name : `${path}.${name}`, others),
  );
}

const random = createRandom(Number(options.seed));
const share = Math.ceil(Number(options.count) / references.length);
for (const reference of references) {
  const base = reference.replace(/\/$/, '');
  const index = await read(`${base}.md`);
  const pages = [...index.matchAll(/\]\(([^)]*\/docs\/[^)]*\.md)\)/g)]
    .map(([, url]) => url)
    .filter((url) => !url.includes('/docs/guides/'));
  const byOperation = new Map();
  for (const url of new Set(pages)) {
    for (const example of readExamples(await read(url))) {
      byOperation.set(example.operation, [...(byOperation.get(example.operation) ?? []), example]);
    }
  }
  const operations = [...byOperation.values()];
  console.log(`\n# ${base}: ${operations.length} operations with examples`);
  for (let number = 1; number <= share; number += 1) {
    const examples = operations[random(operations.length)];
    const { kind, operation, value } = examples[random(examples.length)];
    const all = listValues(value);
    const drawn = all[random(all.length)];
    console.log(
      `${number}. ${operation} (${kind})\n   ${drawn.path} = ${JSON.stringify(drawn.value)}   in ${drawn.beside}`,
    );
  }
}
