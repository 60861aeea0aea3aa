import { isJsonObject, type Json } from '../json.ts';

/** The members of an object; none where it is something else. */
export function entries(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** A list's items; none where it is something else. */
export function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
