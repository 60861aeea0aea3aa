export type * from './operations.ts';
export * from './params.ts';
export * from './permissions.ts';
export * from './resource.ts';
export * from './route.ts';
export * as schema from './schema.ts';
export { responseSchema, type SchemasByName } from './schema.ts';
export * from './view.ts';
