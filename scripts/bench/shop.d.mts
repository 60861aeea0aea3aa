/** The root index of a shop that has so many operations at least, seven a resource. */
export function shop(operations: number): { readonly routes: Readonly<Record<string, object>> };
