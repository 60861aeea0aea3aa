import { ownMember } from '../discovery/index-values.ts';
import { EXTENSION_NAMES } from '../document-extensions.ts';
import type { Json } from '../json.ts';
import { isJsonObject, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { canonicalText } from '../model/schema/values.ts';
import { runSteps, type Steps, visitInSteps } from '../steps.ts';
import {
  type ComparedOperation,
  compareBodies,
  compareParameters,
  compareResponses,
  compareTexts,
  readOperations,
} from './compare-operations.ts';
import { compareSchemaContents } from './compare-schemas.ts';
import type { ChangePlace } from './context.ts';
import {
  type ChangeContext,
  type ComparisonResult,
  createChangeCollector,
  createChangeContext,
  createComponentPairs,
  nameOf,
} from './context.ts';
import { printName } from './rules.ts';

/**
 * Compares two OpenAPI documents by the table of rules (`rules.ts`). References are resolved, and a component is compared
 * once for all operations that use it. The documents may be hostile: they are not validated, a part that is not what OpenAPI
 * demands is treated as absent, and the work is linear in their size.
 *
 * @returns the changes, the breaking ones first; none for documents with equal content
 */
export function compareDocuments(before: JsonObject, after: JsonObject): ComparisonResult {
  return runSteps(compareDocumentsInSteps(before, after));
}

/** Does the work of {@link compareDocuments} in steps of about one operation or one component. */
export function* compareDocumentsInSteps(before: JsonObject, after: JsonObject): Steps<ComparisonResult> {
  const collector = createChangeCollector();
  const components = createComponentPairs();
  const context = createChangeContext(before, after, { collector, components });
  if (!((yield* isComparableInSteps(before)) && (yield* isComparableInSteps(after)))) {
    context.report('not-comparable', documentPlace('document'));
    return yield* collector.list(() => []);
  }
  if (yield* haveEqualTexts(before, after)) return { changes: [], omitted: 0 };
  const from = readOperations(before);
  yield;
  const to = readOperations(after);
  yield;
  const keys = new Set([...to.keys(), ...from.keys()]);
  compareInfo(before, after, context);
  yield* visitInSteps(keys, (key) => compareOperationPair(from.get(key), to.get(key), context));
  for (let pair = components.next(); pair !== undefined; pair = components.next()) {
    const { direction, source } = pair;
    const label = `${direction} schema ${printComponentName(nameOf(pair.after))}`;
    compareSchemaContents(
      context.resolveBefore({ $ref: pair.before }),
      context.resolveAfter({ $ref: pair.after }),
      { source, direction, label, path: [], depth: 0 },
      context,
    );
    yield;
  }
  compareSchemaNames(before, after, components.renamed(), context);
  if (collector.count() === 0) yield* compareRest(before, after, context);
  const names = new Set(
    [...keys].flatMap((key) => [to.get(key)?.name ?? [], from.get(key)?.name ?? []].flat()),
  );
  return yield* collector.list((sources) => {
    const users = new Set([...sources].flatMap((source) => [...components.operationsOf(source)]));
    return [...names].filter((name) => users.has(name));
  });
}

function documentPlace(label: string): ChangePlace {
  return { source: '', direction: 'response', label, path: [], depth: 0 };
}

function operationPlace(source: string): ChangePlace {
  return { source, direction: 'request', label: '', path: [], depth: 0 };
}

function compareInfo(before: JsonObject, after: JsonObject, context: ChangeContext): void {
  const [from, to] = [toMembers(before['info']), toMembers(after['info'])];
  const place = documentPlace('info');
  if (differ(from['title'], to['title']))
    context.report('title-changed', place, { from: from['title'], to: to['title'] });
  if (differ(from['description'], to['description'])) context.report('site-description-changed', place);
  if (differ(from['version'], to['version'])) {
    context.report('version-changed', place, { from: from['version'], to: to['version'] });
  }
  if (differ(before['security'], after['security'])) {
    context.report('security-changed', documentPlace('security'), {
      from: before['security'],
      to: after['security'],
    });
  }
  const [oldServer, server] = [serverUrl(before), serverUrl(after)];
  if (differ(oldServer, server))
    context.report('server-changed', documentPlace('servers'), { from: oldServer, to: server });
}

function serverUrl({ servers }: JsonObject): Json | undefined {
  return toMembers(jsonItems(servers)[0])['url'];
}

function compareOperationPair(
  before: ComparedOperation | undefined,
  after: ComparedOperation | undefined,
  context: ChangeContext,
): void {
  if (after === undefined) {
    if (before !== undefined) context.report('operation-removed', operationPlace(before.name));
    return;
  }
  const place = operationPlace(after.name);
  if (before === undefined) {
    context.report('operation-added', place);
    return;
  }
  const [from, to] = [before.operation, after.operation];
  if (differ(from['operationId'], to['operationId'])) {
    context.report('operation-renamed', place, { from: from['operationId'], to: to['operationId'] });
  }
  const [wasDeprecated, isDeprecated] = [from['deprecated'] === true, to['deprecated'] === true];
  if (wasDeprecated !== isDeprecated) {
    context.report(isDeprecated ? 'operation-deprecated' : 'operation-undeprecated', place);
  }
  compareTexts(from, to, place, context);
  if (differ(from['security'], to['security'])) {
    context.report('security-changed', place, { from: from['security'], to: to['security'] });
  }
  compareParameters(before, after, context);
  compareBodies(from['requestBody'], to['requestBody'], after.name, context);
  compareResponses(from, to, after.name, context);
  compareOthers(from, to, place, context);
}

const COMPARED_ABOVE: ReadonlySet<string> = new Set([
  ...['operationId', 'deprecated', 'summary', 'description', 'security'],
  ...['parameters', 'requestBody', 'responses'],
  ...[EXTENSION_NAMES.contexts, EXTENSION_NAMES.errorCodes],
]);

/** Compares what no other function compares: tags, extensions and fields that waygate does not write. */
function compareOthers(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  const count = context.count();
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (COMPARED_ABOVE.has(name) || !differ(ownMember(before, name), ownMember(after, name))) continue;
    if (!name.startsWith('x-')) context.report('other-changed', place, { name: printComponentName(name) });
    // An extension mostly repeats another change, so one is enough.
    else if (context.count() === count)
      context.report('extension-changed', place, { name: printComponentName(name) });
  }
}

/** Compares the names of components: the types of programs have them. */
function compareSchemaNames(
  before: JsonObject,
  after: JsonObject,
  renamed: ReadonlyMap<string, string>,
  context: ChangeContext,
): void {
  const [from, to] = [schemaNames(before), schemaNames(after)];
  const newNames = new Set<string>();
  for (const name of from) {
    if (to.has(name)) continue;
    const newName = renamed.get(name);
    const place = documentPlace(`schema ${printComponentName(name)}`);
    if (newName === undefined || from.has(newName)) context.report('schema-removed', place);
    else {
      newNames.add(newName);
      context.report('schema-renamed', place, { from: name, to: newName });
    }
  }
  for (const name of to) {
    if (from.has(name) || newNames.has(name)) continue;
    context.report('schema-added', documentPlace(`schema ${printComponentName(name)}`));
  }
}

function schemaNames(document: JsonObject): ReadonlySet<string> {
  return new Set(jsonMembers(toMembers(document['components'])['schemas']).map(([name]) => name));
}

/** Reports what differs in documents that differ in nothing that another rule names. */
function* compareRest(before: JsonObject, after: JsonObject, context: ChangeContext): Steps<void> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!(yield* differInSteps(ownMember(before, name), ownMember(after, name)))) continue;
    const rule = name.startsWith('x-') ? 'extension-changed' : 'other-changed';
    context.report(rule, documentPlace('document'), { name: printComponentName(name) });
  }
  if (context.count() === 0) context.report('order-changed', documentPlace('document'));
}

function toMembers(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
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

/** Whether a document nests so little that recursive functions can read it. Runs in linear time, without recursion. */
export function isComparable(document: Json): boolean {
  return runSteps(isComparableInSteps(document));
}

/** Values of a step. To visit one value takes less time than a step costs. */
const STEP = 1_000;

/** Does the work of {@link isComparable} in steps. */
function* isComparableInSteps(document: Json): Steps<boolean> {
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
