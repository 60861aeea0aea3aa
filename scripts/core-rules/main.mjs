#!/usr/bin/env node
// @ts-check
// Prints src/generator/validation/request/core-rules.json for sites with WordPress alone. Requires npm run build.
// Usage: node scripts/core-rules/main.mjs <version>=<site-url>…
import { discover, toOpenApi } from '../../dist/index.js';
import { importerOf } from '../build/modules.mjs';

const importModule = await importerOf();
/** @type {typeof import('../../src/generator/openapi/index.ts')} */
const { readServedApi } = await importModule('generator/openapi/index');
/** @type {typeof import('../../src/generator/openapi/document-objects.ts')} */
const { resolveReference } = await importModule('generator/openapi/document-objects');
/** @type {typeof import('../../src/base/steps.ts')} */
const { runSteps } = await importModule('base/steps');
/** @type {typeof import('../../src/generator/validation/request/core-arguments.ts')} */
const { describeDefinition } = await importModule('generator/validation/request/core-arguments');
/** @type {typeof import('../../src/generator/validation/request/validator.ts')} */
const { listArguments } = await importModule('generator/validation/request/validator');

const sites = process.argv.slice(2).map((argument) => argument.split('=', 2));
if (sites.length === 0 || sites.some(([, url]) => url === undefined)) throw new Error('usage: see above');

/** @type {Map<string, { method: string, pattern: string, args: Map<string, { definitions: Set<string>, isRequired: boolean }> }>} */
const endpoints = new Map();
for (const [, url = ''] of sites) {
  const document = JSON.parse(JSON.stringify(toOpenApi(await discover(url)).document));
  /** @param {string} reference */
  const resolve = (reference) => /** @type {any} */ (resolveReference(document, reference));
  for (const { pattern, operations } of runSteps(readServedApi(document)).routes) {
    for (const operation of operations.values()) {
      const { method } = operation;
      const key = `${method} ${pattern}`;
      const { args } = endpoints.get(key) ?? { args: new Map() };
      for (const { name, schema, isRequired } of listArguments(operation, resolve).values()) {
        const known = args.get(name) ?? { definitions: new Set(), isRequired: false };
        known.definitions.add(describeDefinition(schema));
        args.set(name, { definitions: known.definitions, isRequired: known.isRequired || isRequired });
      }
      endpoints.set(key, { method, pattern, args });
    }
  }
}

/** @param {{ definitions: ReadonlySet<string> }} argument */
const joinDefinitions = ({ definitions }) => [...definitions].sort().join('&');

/** @type {Map<string, Map<string, number>>} */
const counts = new Map();
for (const [name, argument] of [...endpoints.values()].flatMap(({ args }) => [...args])) {
  const definition = joinDefinitions(argument);
  const byDefinition = counts.get(name) ?? new Map();
  counts.set(name, byDefinition.set(definition, (byDefinition.get(definition) ?? 0) + 1));
}
const usual = new Map(
  [...counts].map(([name, byDefinition]) => [
    name,
    [...byDefinition].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '',
  ]),
);
const definitions = groupBy([...usual], ([, definition]) => definition).map(([definition, names]) => [
  definition,
  names
    .map(([name]) => name)
    .sort()
    .join(' '),
]);

/** @type {Map<string, Map<string, string[]>>} by arguments, then by route */
const groups = new Map();
for (const { pattern, method, args } of endpoints.values()) {
  const text = [...args]
    .map(([name, argument]) => {
      const definition = joinDefinitions(argument);
      return `${name}${argument.isRequired ? '!' : ''}${usual.get(name) === definition ? '' : `=${definition}`}`;
    })
    .sort()
    .join(' ');
  const group = groups.get(text) ?? new Map();
  const route = pattern.replaceAll(/\(\?P<(\w+)>\[\\d\]\+\)/g, '{$1}');
  groups.set(text, group.set(route, [...(group.get(route) ?? []), method].sort()));
}
/** @type {[string, string][]} */
const lines = [];
for (const [text, group] of groups) {
  for (const [methods, routes] of groupBy([...group], ([, methods]) => methods.join())) {
    lines.push([`${methods} ${routes.map(([route]) => route).join(' ')}`, text]);
  }
}
const table = {
  versions: sites.map(([version]) => version),
  definitions: Object.fromEntries(definitions),
  endpoints: Object.fromEntries(lines),
};
process.stdout.write(`${JSON.stringify(table, null, 2)}\n`);

/** @template T @param {readonly T[]} values @param {(value: T) => string} toKey @returns {[string, T[]][]} sorted by key */
function groupBy(values, toKey) {
  /** @type {Map<string, T[]>} */
  const byKey = new Map();
  for (const value of values) byKey.set(toKey(value), [...(byKey.get(toKey(value)) ?? []), value]);
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1));
}
