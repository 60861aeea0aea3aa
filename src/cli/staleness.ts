import { isJsonObject, type Json } from '../json.ts';

/** How many differing operations or lines are named before the rest is counted. */
const NAMED = 20;

/**
 * What differs between a file and what it should hold, a line each; empty where nothing does.
 *
 * @param before the file's content, `null` where there is none
 */
export function staleness(path: string, before: string | null, after: string): string[] {
  if (before === after) return [];
  if (before === null) return [`${path}: missing`];
  const operations = path.endsWith('.openapi.json') ? changedOperations(before, after) : [];
  return [`${path}: stale, first in line ${firstDifference(before, after)}`, ...shorten(operations)];
}

function firstDifference(before: string, after: string): number {
  const [one, other] = [before.split('\n'), after.split('\n')];
  const at = one.findIndex((line, position) => line !== other[position]);
  return (at < 0 ? one.length : at) + 1;
}

function changedOperations(before: string, after: string): string[] {
  const [old, fresh] = [operationsOf(before), operationsOf(after)];
  const names = [...new Set([...old.keys(), ...fresh.keys()])];
  return names.flatMap((name) => {
    const [was, is] = [old.get(name), fresh.get(name)];
    if (was === is) return [];
    return was === undefined
      ? [`  added    ${name}`]
      : is === undefined
        ? [`  removed  ${name}`]
        : [`  changed  ${name}`];
  });
}

/** Each operation's text by `METHOD /path`; empty where the document cannot be read. */
function operationsOf(text: string): Map<string, string> {
  const operations = new Map<string, string>();
  const document = parse(text);
  const paths = isJsonObject(document) && isJsonObject(document['paths']) ? document['paths'] : {};
  for (const [path, item] of Object.entries(paths)) {
    if (!isJsonObject(item)) continue;
    for (const [method, operation] of Object.entries(item)) {
      operations.set(`${method.toUpperCase()} ${path}`, JSON.stringify(operation));
    }
  }
  return operations;
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function shorten(lines: readonly string[]): readonly string[] {
  const more = lines.length - NAMED;
  return more > 0 ? [...lines.slice(0, NAMED), `  and ${more} more`] : lines;
}
