import { getContexts, getErrorCodes, getForcedReference } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../json.ts';
import { compareMediaTypes, compareTexts } from './compare-contents.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { ChangeContext } from './context.ts';
import type { ChangePlace } from './place.ts';
import { printName } from './print-value.ts';

/** Compares the responses of an operation: statuses, header fields, schemas, contexts and error codes. */
export function compareResponses(
  before: JsonObject,
  after: JsonObject,
  source: string,
  context: ChangeContext,
): void {
  const placeOf = (label: string): ChangePlace => ({
    source,
    direction: 'response',
    label,
    path: [],
    depth: 0,
  });
  const [from, to] = [new Map(jsonMembers(before['responses'])), new Map(jsonMembers(after['responses']))];
  for (const status of new Set([...from.keys(), ...to.keys()])) {
    const [old, current] = [from.get(status), to.get(status)];
    const kind = /^[2-3]|^default$/.test(status) ? 'success' : 'error';
    if (current === undefined)
      context.report(`${kind}-status-removed`, placeOf('responses'), { from: status });
    else if (old === undefined) context.report(`${kind}-status-added`, placeOf('responses'), { to: status });
    else {
      const place = placeOf(`response ${printStatus(status)}`);
      compareResponseObjects(
        context.resolveBefore(toObject(old)),
        context.resolveAfter(toObject(current)),
        place,
        context,
      );
    }
  }
  compareContexts(before, after, placeOf, context);
  compareErrorCodes(getErrorCodes(before), getErrorCodes(after), placeOf('responses'), context);
}

function compareResponseObjects(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  compareTexts(before, after, place, context);
  compareMediaTypes(before['content'], after['content'], place, context);
  const [from, to] = [new Map(jsonMembers(before['headers'])), new Map(jsonMembers(after['headers']))];
  for (const name of new Set([...from.keys(), ...to.keys()])) {
    const [old, current] = [from.get(name), to.get(name)];
    const header = { ...place, label: `${place.label}, header ${printName(name)}` };
    if (current === undefined) context.report('header-removed', header);
    else if (old === undefined) context.report('header-added', header);
    else {
      const [first, second] = [context.resolveBefore(toObject(old)), context.resolveAfter(toObject(current))];
      compareTexts(first, second, header, context);
      compareSchemas(first['schema'], second['schema'], header, context);
    }
  }
}

function compareContexts(
  before: JsonObject,
  after: JsonObject,
  placeOf: (label: string) => ChangePlace,
  context: ChangeContext,
): void {
  const [from, to] = [getContexts(before), getContexts(after)];
  for (const name of new Set([...from.keys(), ...to.keys()])) {
    const [old, current] = [from.get(name), to.get(name)];
    if (current === undefined) context.report('context-removed', placeOf('responses'), { from: name });
    else if (old === undefined) context.report('context-added', placeOf('responses'), { to: name });
    else
      compareSchemas(
        { $ref: old },
        { $ref: current },
        placeOf(`response with context ${printName(name)}`),
        context,
      );
  }
  const [forcedBefore, forcedAfter] = [getForcedReference(before), getForcedReference(after)];
  if (forcedBefore !== undefined && forcedAfter !== undefined) {
    const place = placeOf('response with force=true');
    compareSchemas({ $ref: forcedBefore }, { $ref: forcedAfter }, place, context);
  }
}

function compareErrorCodes(
  before: readonly string[],
  after: readonly string[],
  place: ChangePlace,
  context: ChangeContext,
): void {
  const [from, to] = [new Set(before), new Set(after)];
  for (const code of from) if (!to.has(code)) context.report('error-code-removed', place, { from: code });
  for (const code of to) if (!from.has(code)) context.report('error-code-added', place, { to: code });
}

function toObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}

function printStatus(status: string): string {
  return /^[\w]{1,10}$/.test(status) ? status : printName(status);
}
