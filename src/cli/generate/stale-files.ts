import { isJsonObject, type Json } from '../../json.ts';

/** Maximum number of operations named for one file. The rest are counted. */
const MAX_NAMED_OPERATIONS = 20;

/**
 * Compares a generated file with its new content.
 *
 * @param current the content on disk; `null` if the file does not exist
 * @returns one line for each difference; empty if the file is up to date
 */
export function describeStaleFile(path: string, current: string | null, generated: string): string[] {
  if (current === generated) return [];
  if (current === null) return [`${path}: missing`];
  const operations = path.endsWith('.openapi.json') ? changedOperations(current, generated) : [];
  const line = firstDifferentLine(current, generated);
  return [`${path}: stale, first difference in line ${line}`, ...truncateList(operations)];
}

/** @returns a line number, counted from 1 */
function firstDifferentLine(current: string, generated: string): number {
  const [currentLines, generatedLines] = [current.split('\n'), generated.split('\n')];
  const index = currentLines.findIndex((line, position) => line !== generatedLines[position]);
  return (index < 0 ? currentLines.length : index) + 1;
}

function changedOperations(current: string, generated: string): string[] {
  const [before, after] = [operationTexts(current), operationTexts(generated)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => {
      if (!before.has(name)) return `  added    ${name}`;
      return `  ${after.has(name) ? 'changed' : 'removed'}  ${name}`;
    });
}

/** Serialises each operation, by `METHOD /path`. The map is empty if the document is not readable. */
function operationTexts(text: string): Map<string, string> {
  const operations = new Map<string, string>();
  const document = parseJson(text);
  const paths = isJsonObject(document) && isJsonObject(document['paths']) ? document['paths'] : {};
  for (const [path, item] of Object.entries(paths)) {
    if (!isJsonObject(item)) continue;
    for (const [method, operation] of Object.entries(item)) {
      operations.set(`${method.toUpperCase()} ${path}`, JSON.stringify(operation));
    }
  }
  return operations;
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function truncateList(lines: readonly string[]): readonly string[] {
  const omitted = lines.length - MAX_NAMED_OPERATIONS;
  return omitted > 0 ? [...lines.slice(0, MAX_NAMED_OPERATIONS), `  and ${omitted} more`] : lines;
}
