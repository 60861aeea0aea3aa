import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { ChangeContext, SchemaComparison } from './context.ts';
import type { ChangePlace } from './place.ts';
import { membersOf } from './schema-forms.ts';

/** Compares the members of two object schemas that a client sends or receives. */
export function compareMembers(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
  compareSchemas: SchemaComparison,
): void {
  const excluded = place.direction === 'request' ? 'readOnly' : 'writeOnly';
  const [from, to] = [membersOf(before, excluded), membersOf(after, excluded)];
  const names = [from.properties, to.properties].flatMap((properties) => [...properties.keys()]);
  for (const name of new Set([...names, ...from.required, ...to.required])) {
    const member = context.below(place, name);
    const [wasRequired, isRequired] = [from.required.has(name), to.required.has(name)];
    const [wasStated, isStated] = [
      wasRequired || from.properties.has(name),
      isRequired || to.properties.has(name),
    ];
    if (!isStated) context.report('member-removed', member);
    else if (!wasStated) context.report(isRequired ? 'required-member-added' : 'member-added', member);
    else {
      if (!wasRequired && isRequired) context.report('became-required', member);
      if (wasRequired && !isRequired) context.report('became-optional', member);
      compareSchemas(from.properties.get(name), to.properties.get(name), member, context);
    }
  }
  compareOtherMembers(before['additionalProperties'], after['additionalProperties'], {
    place,
    context,
    compareSchemas,
  });
}

function compareOtherMembers(
  before: Json | undefined,
  after: Json | undefined,
  {
    compareSchemas,
    context,
    place,
  }: {
    readonly place: ChangePlace;
    readonly context: ChangeContext;
    readonly compareSchemas: SchemaComparison;
  },
): void {
  const [from, to] = [kindOfOthers(before), kindOfOthers(after)];
  if (from === 'typed' && to === 'typed') {
    compareSchemas(before, after, context.below(place, '*'), context);
  } else if (from !== to) {
    if (to === 'refused') context.report('other-members-refused', place);
    else if (from === 'refused') context.report('other-members-accepted', place);
    else context.report(to === 'typed' ? 'other-members-typed' : 'other-members-untyped', place);
  }
}

function kindOfOthers(schema: Json | undefined): 'refused' | 'any' | 'typed' {
  if (schema === false) return 'refused';
  return isJsonObject(schema) && Object.keys(schema).length > 0 ? 'typed' : 'any';
}
