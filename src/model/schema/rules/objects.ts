import { isJsonObject, type Json, type JsonObject, pointerToken } from '../../../json.ts';
import { originOf, type Rule, show } from '../draft.ts';
import { keywordsOf } from '../vocabulary.ts';

const BY_NAME = keywordsOf('schemas-by-name');

/** Properties, and which of them are required. */
export const objectRules: readonly Rule[] = [
  {
    name: 'properties-list',
    sentence:
      'Properties that are not an object are read as one, or dropped: PHP writes an empty object as `[]`.',
    severity: 'info',
    on: BY_NAME,
    apply(draft, found) {
      for (const keyword of BY_NAME) {
        const value = draft.keywords.get(keyword);
        if (value === undefined || isJsonObject(value)) continue;
        // PHP writes an array with the keys 0…n-1 as a list: those are the names.
        const list: readonly Json[] = Array.isArray(value) ? value : [];
        const named = list.flatMap((member, name) => (isJsonObject(member) ? [[String(name), member]] : []));
        if (named.length > 0) draft.keywords.set(keyword, Object.fromEntries(named));
        else draft.keywords.delete(keyword);
        const action = named.length > 0 ? 'Its positions are taken as the names.' : 'Dropped: no properties.';
        found(originOf(draft, keyword), `"${keyword}" is ${show(value)}, not an object.`, action);
      }
    },
  },
  {
    name: 'required-boolean',
    sentence: 'A boolean `required` on a property is lifted to the `required` list of its object.',
    severity: 'info',
    on: ['properties'],
    apply(draft, found) {
      const properties = draft.keywords.get('properties');
      if (!isJsonObject(properties)) return;
      if (!Object.values(properties).some(hasBooleanRequired)) return;
      // Where the object has a list, the site looks at that alone (rest_validate_object_value_from_schema).
      const listed = Array.isArray(draft.keywords.get('required'));
      const lifted: string[] = [];
      const rest = Object.entries(properties).map(([name, schema]): readonly [string, Json] => {
        if (!hasBooleanRequired(schema)) return [name, schema];
        const { required, ...others } = schema;
        const lift = required === true && !listed;
        if (lift) lifted.push(name);
        const action = lift ? 'Listed in "required" of the object.' : 'Dropped: the property is optional.';
        found(
          `${originOf(draft, 'properties')}${pointerToken(name)}/required`,
          `"required" is ${required}.`,
          action,
        );
        return [name, others];
      });
      draft.keywords.set('properties', Object.fromEntries(rest));
      if (lifted.length > 0) draft.keywords.set('required', lifted);
    },
  },
  {
    name: 'required-not-names',
    sentence: 'What `required` holds beside names of properties is dropped.',
    severity: 'info',
    on: ['required'],
    apply(draft, found) {
      const required = draft.keywords.get('required');
      const names = Array.isArray(required)
        ? [...new Set(required.filter((name) => typeof name === 'string'))]
        : [];
      if (Array.isArray(required) && names.length === required.length && names.length > 0) return;
      if (names.length > 0) draft.keywords.set('required', names);
      else draft.keywords.delete('required');
      const action = names.length > 0 ? `Kept: ${names.length} of its members.` : 'Dropped.';
      found(originOf(draft, 'required'), `"required" is ${show(required)}, not a list of names.`, action);
    },
  },
  {
    name: 'additional-properties',
    sentence:
      'An `additionalProperties` that is neither a boolean nor a schema allows everything, as at the site.',
    severity: 'info',
    on: ['additionalProperties'],
    apply(draft, found) {
      const value = draft.keywords.get('additionalProperties');
      if (typeof value === 'boolean' || isJsonObject(value)) return;
      draft.keywords.set('additionalProperties', true);
      found(
        originOf(draft, 'additionalProperties'),
        `"additionalProperties" is ${show(value)}.`,
        'Read as true.',
      );
    },
  },
];

function hasBooleanRequired(schema: Json): schema is JsonObject {
  return isJsonObject(schema) && Object.hasOwn(schema, 'required') && typeof schema['required'] === 'boolean';
}
