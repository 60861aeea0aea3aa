export * from './params.ts';
export * from './permissions.ts';
export * from './resource.ts';
export * from './route.ts';
export * from './schema.ts';
export * from './view.ts';
