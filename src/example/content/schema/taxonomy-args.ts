import type { JsonObject } from '../../../json.ts';
import type { ArgumentSchemas } from '../../site/declarations.ts';

const TERMS: JsonObject = {
  description: 'Term IDs.',
  type: 'array',
  items: { type: 'integer' },
  default: [],
};

const INCLUDE_CHILDREN: JsonObject = {
  description: 'Whether to include child terms in the terms limiting the result set.',
  type: 'boolean',
  default: false,
};

const OPERATOR: JsonObject = {
  description: 'Whether items must be assigned all or any of the specified terms.',
  type: 'string',
  enum: ['AND', 'OR'],
  default: 'OR',
};

/** Creates an argument that is a list of term ids or an object with a term query. */
function createTermArg(description: string, more: Readonly<Record<string, JsonObject>>): JsonObject {
  return {
    description,
    type: ['object', 'array'],
    oneOf: [
      {
        title: 'Term ID List',
        description: 'Match terms with the listed IDs.',
        type: 'array',
        items: { type: 'integer' },
      },
      {
        title: 'Term ID Taxonomy Query',
        description: 'Perform an advanced term query.',
        type: 'object',
        properties: { terms: TERMS, ...more },
        additionalProperties: false,
      },
    ],
  };
}

function describeIncluded(taxonomy: string): string {
  return `Limit result set to items with specific terms assigned in the ${taxonomy} taxonomy.`;
}

function describeExcluded(taxonomy: string): string {
  return `Limit result set to items except those with specific terms assigned in the ${taxonomy} taxonomy.`;
}

/** The taxonomy arguments. Only categories have children. */
export const TAXONOMY_ARGS: ArgumentSchemas = {
  tax_relation: {
    description: 'Limit result set based on relationship between multiple taxonomies.',
    type: 'string',
    enum: ['AND', 'OR'],
  },
  categories: createTermArg(describeIncluded('categories'), {
    include_children: INCLUDE_CHILDREN,
    operator: OPERATOR,
  }),
  categories_exclude: createTermArg(describeExcluded('categories'), { include_children: INCLUDE_CHILDREN }),
  tags: createTermArg(describeIncluded('tags'), { operator: OPERATOR }),
  tags_exclude: createTermArg(describeExcluded('tags'), {}),
};
