import { EXTENSION_NAMES } from '../document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  ownMember,
  toJsonObject,
} from '../json.ts';
import { canonicalText } from '../model/schema/values.ts';
import { type Steps, visitInSteps } from '../steps.ts';
import {
  type ComparedOperation,
  compareBodies,
  compareParameters,
  compareResponses,
  compareTexts,
  readOperations,
} from './compare-operations.ts';
import { compareSchemaContents } from './compare-schemas.ts';
import { ChangePlace, Comparison, type ComparisonResult, nameOf } from './context.ts';
import { printName } from './rules.ts';

/**
 * Compares two OpenAPI documents by the table of rules (`rules.ts`). References are resolved, and a component is compared
 * once for all operations that use it. The documents may be hostile: they are not validated, a part that is not what OpenAPI
 * demands is treated as absent, and the work is linear in their size. It is done in steps of about one operation or component.
 *
 * @returns the changes, the breaking ones first; none for documents with equal content
 */
export function* compareDocuments(before: JsonObject, after: JsonObject): Steps<ComparisonResult> {
  const comparison = new Comparison(before, after);
  if (!((yield* isComparable(before)) && (yield* isComparable(after)))) {
    documentPlace(comparison, 'document').report('not-comparable');
    return yield* comparison.list([]);
  }
  if (yield* haveEqualTexts(before, after)) return { changes: [], omitted: 0 };
  const from = readOperations(before);
  yield;
  const to = readOperations(after);
  yield;
  const keys = new Set([...to.keys(), ...from.keys()]);
  compareInfo(before, after, comparison);
  yield* visitInSteps(keys, (key) => compareOperationPair(from.get(key), to.get(key), comparison));
  for (const pair of comparison.pairs()) {
    const { direction, source } = pair;
    const label = `${direction} schema ${printComponentName(nameOf(pair.after))}`;
    compareSchemaContents(
      comparison.resolveBefore({ $ref: pair.before }),
      comparison.resolveAfter({ $ref: pair.after }),
      new ChangePlace(comparison, source, direction, label),
    );
    yield;
  }
  compareSchemaNames(before, after, comparison);
  if (comparison.count === 0) yield* compareRest(before, after, comparison);
  const names = new Set(
    [...keys].flatMap((key) => [to.get(key)?.name ?? [], from.get(key)?.name ?? []].flat()),
  );
  return yield* comparison.list([...names]);
}

function documentPlace(comparison: Comparison, label: string): ChangePlace {
  return new ChangePlace(comparison, '', 'response', label);
}

function compareInfo(before: JsonObject, after: JsonObject, comparison: Comparison): void {
  const [from, to] = [toJsonObject(before['info']), toJsonObject(after['info'])];
  const place = documentPlace(comparison, 'info');
  if (differ(from['title'], to['title']))
    place.report('title-changed', { from: from['title'], to: to['title'] });
  if (differ(from['description'], to['description'])) place.report('site-description-changed');
  if (differ(from['version'], to['version'])) {
    place.report('version-changed', { from: from['version'], to: to['version'] });
  }
  if (differ(before['security'], after['security'])) {
    const { security: from } = before;
    documentPlace(comparison, 'security').report('security-changed', { from, to: after['security'] });
  }
  const [oldServer, server] = [serverUrl(before), serverUrl(after)];
  if (differ(oldServer, server))
    documentPlace(comparison, 'servers').report('server-changed', { from: oldServer, to: server });
}

function serverUrl({ servers }: JsonObject): Json | undefined {
  return toJsonObject(jsonItems(servers)[0])['url'];
}

function compareOperationPair(
  before: ComparedOperation | undefined,
  after: ComparedOperation | undefined,
  comparison: Comparison,
): void {
  const { name = '' } = after ?? before ?? {};
  const place = new ChangePlace(comparison, name, 'request');
  if (before === undefined || after === undefined) {
    place.report(after === undefined ? 'operation-removed' : 'operation-added');
    return;
  }
  const [from, to] = [before.operation, after.operation];
  if (differ(from['operationId'], to['operationId'])) {
    place.report('operation-renamed', { from: from['operationId'], to: to['operationId'] });
  }
  const [wasDeprecated, isDeprecated] = [from['deprecated'] === true, to['deprecated'] === true];
  if (wasDeprecated !== isDeprecated) {
    place.report(isDeprecated ? 'operation-deprecated' : 'operation-undeprecated');
  }
  compareTexts(from, to, place);
  if (differ(from['security'], to['security'])) {
    place.report('security-changed', { from: from['security'], to: to['security'] });
  }
  compareParameters(before, after, comparison);
  const body = new ChangePlace(comparison, name, 'request', 'request body');
  compareBodies(from['requestBody'], to['requestBody'], body);
  compareResponses(from, to, name, comparison);
  compareOthers(from, to, place);
}

const COMPARED_ABOVE: ReadonlySet<string> = new Set([
  ...['operationId', 'deprecated', 'summary', 'description', 'security'],
  ...['parameters', 'requestBody', 'responses'],
  ...[EXTENSION_NAMES.contexts, EXTENSION_NAMES.errorCodes],
]);

/** Compares what no other function compares: tags, extensions and fields that waygate does not write. */
function compareOthers(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  const count = place.comparison.count;
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (COMPARED_ABOVE.has(name) || !differ(ownMember(before, name), ownMember(after, name))) continue;
    if (!name.startsWith('x-')) place.report('other-changed', { name: printComponentName(name) });
    // An extension mostly repeats another change, so one is enough.
    else if (place.comparison.count === count)
      place.report('extension-changed', { name: printComponentName(name) });
  }
}

/** Compares the names of components: the types of programs have them. */
function compareSchemaNames(before: JsonObject, after: JsonObject, comparison: Comparison): void {
  const renamed = comparison.renamed();
  const [from, to] = [schemaNames(before), schemaNames(after)];
  const newNames = new Set<string>();
  for (const name of from) {
    if (to.has(name)) continue;
    const newName = renamed.get(name);
    const place = documentPlace(comparison, `schema ${printComponentName(name)}`);
    if (newName === undefined || from.has(newName)) place.report('schema-removed');
    else {
      newNames.add(newName);
      place.report('schema-renamed', { from: name, to: newName });
    }
  }
  for (const name of to) {
    if (from.has(name) || newNames.has(name)) continue;
    documentPlace(comparison, `schema ${printComponentName(name)}`).report('schema-added');
  }
}

function schemaNames(document: JsonObject): ReadonlySet<string> {
  return new Set(jsonMembers(toJsonObject(document['components'])['schemas']).map(([name]) => name));
}

/** Reports what differs in documents that differ in nothing that another rule names. */
function* compareRest(before: JsonObject, after: JsonObject, comparison: Comparison): Steps<void> {
  const place = documentPlace(comparison, 'document');
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!(yield* differInSteps(ownMember(before, name), ownMember(after, name)))) continue;
    const rule = name.startsWith('x-') ? 'extension-changed' : 'other-changed';
    place.report(rule, { name: printComponentName(name) });
  }
  if (place.comparison.count === 0) place.report('order-changed');
}

function printComponentName(name: string): string {
  return /^[\w.-]{1,80}$/.test(name) ? name : printName(name);
}

/** The levels of a document whose members are compared one by one. Those of the third are operations and components. */
const LEVELS = 3;

/** Whether two documents have the same text. The order of members counts. */
function* haveEqualTexts(before: Json, after: Json, levels: number = LEVELS): Steps<boolean> {
  if (levels === 0 || !isJsonObject(before) || !isJsonObject(after)) {
    yield;
    return JSON.stringify(before) === JSON.stringify(after);
  }
  const [from, to] = [Object.entries(before), Object.entries(after)];
  if (from.length !== to.length) return false;
  for (const [index, [name, value]] of from.entries()) {
    const [otherName, other = null] = to[index] ?? [];
    if (name !== otherName || !(yield* haveEqualTexts(value, other, levels - 1))) return false;
  }
  return true;
}

/** Does the work of {@link differ} in steps. */
function* differInSteps(
  before: Json | undefined,
  after: Json | undefined,
  levels: number = LEVELS,
): Steps<boolean> {
  if (levels === 0 || !isJsonObject(before) || !isJsonObject(after)) {
    yield;
    return differ(before, after);
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (yield* differInSteps(ownMember(before, name), ownMember(after, name), levels - 1)) return true;
  }
  return false;
}

/** Whether two values differ in more than the order of members. */
function differ(before: Json | undefined, after: Json | undefined): boolean {
  if (before === undefined || after === undefined) return before !== after;
  return before !== after && canonicalText(before) !== canonicalText(after);
}

/** Maximum nesting of a document that is compared. Those of waygate nest less than 100 levels. */
const MAX_DOCUMENT_DEPTH = 500;

/** Values of a step. To visit one value takes less time than a step costs. */
const STEP = 1_000;

/** Whether a document nests so little that recursive functions can read it. Runs in linear time, in steps, without recursion. */
export function* isComparable(document: Json): Steps<boolean> {
  let visited = 0;
  let level: readonly Json[] = [document];
  for (let depth = 0; depth < MAX_DOCUMENT_DEPTH; depth += 1) {
    const next: Json[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const member of Object.values(value)) next.push(member);
      visited += 1;
      if (visited % STEP === 0) yield;
    }
    if (next.length === 0) return true;
    level = next;
  }
  return false;
}
