/** The methods that a Path Item Object has a place for, as it spells them (OpenAPI 3.1.1 §4.8.9). */
export const PATH_ITEM_METHODS: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
]);
