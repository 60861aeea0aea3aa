import { isJsonObject, type Json, type JsonObject, pointerToken } from '../../../json.ts';
import { keywordsOfKind } from '../keywords.ts';
import { originPointer, type SchemaRule, show } from '../mutable-schema.ts';

const BY_NAME = keywordsOfKind('schemas-by-name');

/** Properties, and which of them are required. */
export const objectRules: readonly SchemaRule[] = [
  {
    name: 'properties-list',
    summary:
      'Properties that are not an object are read as one, or dropped: PHP writes an empty object as `[]`.',
    severity: 'info',
    triggers: BY_NAME,
    apply(schema, report) {
      for (const keyword of BY_NAME) {
        const value = schema.keywords.get(keyword);
        if (value === undefined || isJsonObject(value)) continue;
        // PHP writes an array with the keys 0…n-1 as a list: those are the names.
        const list: readonly Json[] = Array.isArray(value) ? value : [];
        const named = list.flatMap((member, name) => (isJsonObject(member) ? [[String(name), member]] : []));
        if (named.length > 0) schema.keywords.set(keyword, Object.fromEntries(named));
        else schema.keywords.delete(keyword);
        const action = named.length > 0 ? 'Its positions are taken as the names.' : 'Dropped: no properties.';
        report(originPointer(schema, keyword), `"${keyword}" is ${show(value)}, not an object.`, action);
      }
    },
  },
  {
    name: 'required-boolean',
    summary: 'A boolean `required` on a property is lifted to the `required` list of its object.',
    severity: 'info',
    triggers: ['properties'],
    apply(schema, report) {
      const properties = schema.keywords.get('properties');
      if (!isJsonObject(properties)) return;
      if (!Object.values(properties).some(hasBooleanRequired)) return;
      // Where the object has a list, the site looks at that alone (rest_validate_object_value_from_schema).
      const listed = Array.isArray(schema.keywords.get('required'));
      const lifted: string[] = [];
      const rest = Object.entries(properties).map(([name, property]): readonly [string, Json] => {
        if (!hasBooleanRequired(property)) return [name, property];
        const { required, ...others } = property;
        const lift = required === true && !listed;
        if (lift) lifted.push(name);
        const action = lift ? 'Listed in "required" of the object.' : 'Dropped: the property is optional.';
        report(
          `${originPointer(schema, 'properties')}${pointerToken(name)}/required`,
          `"required" is ${required}.`,
          action,
        );
        return [name, others];
      });
      schema.keywords.set('properties', Object.fromEntries(rest));
      if (lifted.length > 0) schema.keywords.set('required', lifted);
    },
  },
  {
    name: 'required-not-names',
    summary: 'What `required` holds beside names of properties is dropped.',
    severity: 'info',
    triggers: ['required'],
    apply(schema, report) {
      const required = schema.keywords.get('required');
      const names = Array.isArray(required)
        ? [...new Set(required.filter((name) => typeof name === 'string'))]
        : [];
      if (Array.isArray(required) && names.length === required.length && names.length > 0) return;
      if (names.length > 0) schema.keywords.set('required', names);
      else schema.keywords.delete('required');
      const action = names.length > 0 ? `Kept: ${names.length} of its members.` : 'Dropped.';
      report(
        originPointer(schema, 'required'),
        `"required" is ${show(required)}, not a list of names.`,
        action,
      );
    },
  },
  {
    name: 'additional-properties',
    summary:
      'An `additionalProperties` that is neither a boolean nor a schema allows everything, as at the site.',
    severity: 'info',
    triggers: ['additionalProperties'],
    apply(schema, report) {
      const value = schema.keywords.get('additionalProperties');
      if (typeof value === 'boolean' || isJsonObject(value)) return;
      schema.keywords.set('additionalProperties', true);
      report(
        originPointer(schema, 'additionalProperties'),
        `"additionalProperties" is ${show(value)}.`,
        'Read as true.',
      );
    },
  },
];

function hasBooleanRequired(property: Json): property is JsonObject {
  return (
    isJsonObject(property) && Object.hasOwn(property, 'required') && typeof property['required'] === 'boolean'
  );
}
