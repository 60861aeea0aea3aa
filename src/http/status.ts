/** Statuses whose answers have no body, whatever else they say (WHATWG Fetch, "null body status"). */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);
