// What the SDK of the Model Context Protocol takes from Node. The bundle contains this in place of its own module, which brings Ajv:
// the operations of the site validate the arguments of the tools.
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {}
