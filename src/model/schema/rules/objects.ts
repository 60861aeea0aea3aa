import { describeValue } from '../../../discovery/index-values.ts';
import { isJsonObject, type Json, type JsonObject, toPointerSegment } from '../../../json.ts';
import { listKeywordsOfKind } from '../keywords.ts';
import { getOriginPointer, type SchemaRule } from '../mutable-schema.ts';

const BY_NAME = listKeywordsOfKind('schemas-by-name');

/** Rules for properties and required properties. */
export const objectRules: readonly SchemaRule[] = [
  {
    name: 'properties-list',
    summary:
      'Properties that are a list are converted to an object or dropped: PHP encodes an empty object as `[]`.',
    severity: 'info',
    triggers: BY_NAME,
    apply(schema, report) {
      for (const keyword of BY_NAME) {
        const value = schema.keywords.get(keyword);
        if (value === undefined || isJsonObject(value)) continue;
        // PHP encodes an array with the keys 0…n-1 as a list, so the positions are the names.
        const list: readonly Json[] = Array.isArray(value) ? value : [];
        const named = list.flatMap((member, name) => (isJsonObject(member) ? [[String(name), member]] : []));
        if (named.length > 0) schema.keywords.set(keyword, Object.fromEntries(named));
        else schema.keywords.delete(keyword);
        const action = named.length > 0 ? 'Used its positions as names.' : 'Dropped: no properties.';
        report(
          getOriginPointer(schema, keyword),
          `"${keyword}" is ${describeValue(value)}, not an object.`,
          action,
        );
      }
    },
  },
  {
    name: 'required-boolean',
    summary: 'A boolean `required` on a property is moved to the `required` list of its object.',
    severity: 'info',
    triggers: ['properties'],
    apply(schema, report) {
      const properties = schema.keywords.get('properties');
      if (!isJsonObject(properties)) return;
      if (!Object.values(properties).some(hasBooleanRequired)) return;
      // If the object has a list, WordPress checks only the list (rest_validate_object_value_from_schema).
      const listed = Array.isArray(schema.keywords.get('required'));
      const lifted: string[] = [];
      const rest = Object.entries(properties).map(([name, property]): readonly [string, Json] => {
        if (!hasBooleanRequired(property)) return [name, property];
        const { required, ...others } = property;
        const lift = required === true && !listed;
        if (lift) lifted.push(name);
        const action = lift ? 'Added it to "required" of the object.' : 'Dropped: the property is optional.';
        report(
          `${getOriginPointer(schema, 'properties')}${toPointerSegment(name)}/required`,
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
    summary: 'Values in `required` that are not names are dropped.',
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
        getOriginPointer(schema, 'required'),
        `"required" is ${describeValue(required)}, not a list of names.`,
        action,
      );
    },
  },
  {
    name: 'additional-properties',
    summary:
      'An `additionalProperties` that is neither a boolean nor a schema becomes true, as in WordPress.',
    severity: 'info',
    triggers: ['additionalProperties'],
    apply(schema, report) {
      const value = schema.keywords.get('additionalProperties');
      if (typeof value === 'boolean' || isJsonObject(value)) return;
      schema.keywords.set('additionalProperties', true);
      report(
        getOriginPointer(schema, 'additionalProperties'),
        `"additionalProperties" is ${describeValue(value)}.`,
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
