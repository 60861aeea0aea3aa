import { getStatedDefault } from '../document-extensions.ts';
import { type Json, type JsonObject, jsonItems } from '../json.ts';
import { canonicalText } from '../model/schema/values.ts';
import { MAX_SCHEMA_DEPTH } from '../openapi/schema-view.ts';
import { compareAlternatives } from './compare-alternatives.ts';
import { compareMembers } from './compare-members.ts';
import { compareRestrictions } from './compare-restrictions.ts';
import { compareTypes } from './compare-types.ts';
import type { ChangeContext } from './context.ts';
import type { ChangePlace } from './place.ts';
import { alternativesOf, toSchemaObject } from './schema-forms.ts';

/**
 * Compares two schemas at one place. A schema that is absent accepts everything. Two references to components are registered
 * and compared once for all places that use them.
 */
export function compareSchemas(
  before: Json | undefined,
  after: Json | undefined,
  place: ChangePlace,
  context: ChangeContext,
): void {
  if (context.components.register(before, after, place)) return;
  compareSchemaContents(
    context.resolveBefore(toSchemaObject(before)),
    context.resolveAfter(toSchemaObject(after)),
    place,
    context,
  );
}

/** Compares two schemas that are no references. */
export function compareSchemaContents(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  // Deeper schemas are compared as a whole.
  if (place.depth > MAX_SCHEMA_DEPTH) {
    if (canonicalText(before) !== canonicalText(after)) {
      context.report('constraint-changed', place, { name: 'a deeply nested schema' });
    }
    return;
  }
  const count = context.count();
  compareAnnotations(before, after, place, context);
  const [alternativesBefore, alternativesAfter] = [alternativesOf(before), alternativesOf(after)];
  if (alternativesBefore === undefined && alternativesAfter === undefined) {
    compareStructures(before, after, place, context);
  } else {
    compareAlternatives(before, after, place, context, compareSchemas);
    if (alternativesBefore !== undefined && alternativesAfter !== undefined) {
      const { anyOf: _before, oneOf: _oneBefore, ...restBefore } = before;
      const { anyOf: _after, oneOf: _oneAfter, ...restAfter } = after;
      compareStructures(restBefore, restAfter, place, context);
    }
  }
  // An extension repeats what a keyword says (`pattern`), so it is mentioned only if it is all that changed.
  if (context.count() === count) compareExtensions(before, after, place, context);
}

function compareStructures(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  // Keywords of another type say nothing about the change.
  if (!compareTypes(before, after, place, context)) return;
  compareRestrictions(before, after, place, context);
  compareMembers(before, after, place, context, compareSchemas);
  if (before['items'] !== undefined || after['items'] !== undefined) {
    compareSchemas(before['items'], after['items'], context.below(place, '[]'), context);
  }
  compareAllOf(before, after, place, context);
}

function compareAllOf(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  const [listBefore, listAfter] = [jsonItems(before['allOf']), jsonItems(after['allOf'])];
  const shared = Math.min(listBefore.length, listAfter.length);
  const deeper = { ...place, depth: place.depth + 1 };
  for (let index = 0; index < shared; index += 1) {
    compareSchemas(listBefore[index], listAfter[index], deeper, context);
  }
  for (const from of listBefore.slice(shared)) {
    context.report('constraint-removed', place, { name: 'a condition (allOf)', from });
  }
  for (const to of listAfter.slice(shared)) {
    context.report('constraint-added', place, { name: 'a condition (allOf)', to });
  }
}

const TEXT_KEYWORDS = ['title', 'description', 'examples', 'example', '$comment'];

function compareAnnotations(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  for (const name of TEXT_KEYWORDS) {
    if (textOf(before[name]) !== textOf(after[name])) context.report('text-changed', place, { name });
  }
  const [wasDeprecated, isDeprecated] = [before['deprecated'] === true, after['deprecated'] === true];
  if (wasDeprecated !== isDeprecated) {
    context.report(isDeprecated ? 'schema-deprecated' : 'schema-undeprecated', place);
  }
  compareDefaults(getStatedDefault(before), getStatedDefault(after), place, context);
}

function compareDefaults(
  from: Json | undefined,
  to: Json | undefined,
  place: ChangePlace,
  context: ChangeContext,
): void {
  if (textOf(from) === textOf(to)) return;
  if (from === undefined) context.report('default-added', place, { to });
  else if (to === undefined) context.report('default-removed', place, { from });
  else context.report('default-changed', place, { from, to });
}

function compareExtensions(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (name.startsWith('x-') && textOf(before[name]) !== textOf(after[name])) {
      context.report('extension-changed', place, { name });
    }
  }
}

function textOf(value: Json | undefined): string {
  return value === undefined ? '' : canonicalText(value);
}
