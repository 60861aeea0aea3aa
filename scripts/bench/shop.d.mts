/** Creates the root index of a shop with at least `operations` operations, seven per resource. */
export function shop(operations: number): { readonly routes: Readonly<Record<string, object>> };
