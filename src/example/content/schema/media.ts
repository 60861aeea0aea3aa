import type { JsonObject } from '../../../json.ts';
import {
  AUTHOR_FIELD,
  COMMON_FIELDS,
  DISCUSSION_FIELDS,
  PERMALINK_FIELDS,
  TEMPLATE_FIELD,
  TITLE_FIELD,
} from './entry-fields.ts';
import {
  ALL_CONTEXTS,
  createRecordSchema,
  EDIT_CONTEXT,
  readOnlyField,
  renderedTextField,
  schemaField,
  VIEW_CONTEXTS,
} from './field.ts';

const TEXT_FIELDS: Readonly<Record<string, JsonObject>> = {
  alt_text: schemaField(
    'Alternative text to display when attachment is not displayed.',
    'string',
    ALL_CONTEXTS,
  ),
  caption: schemaField(
    'The attachment caption.',
    'object',
    ALL_CONTEXTS,
    renderedTextField('Caption', 'attachment', ALL_CONTEXTS),
  ),
  description: schemaField('The attachment description.', 'object', VIEW_CONTEXTS, {
    ...renderedTextField('Description', 'attachment', VIEW_CONTEXTS),
  }),
};

const FILE_FIELDS: Readonly<Record<string, JsonObject>> = {
  media_type: readOnlyField('Attachment type.', 'string', ALL_CONTEXTS, { enum: ['image', 'file'] }),
  mime_type: readOnlyField('The attachment MIME type.', 'string', ALL_CONTEXTS),
  media_details: readOnlyField('Details about the media file, specific to its type.', 'object', ALL_CONTEXTS),
  post: schemaField('The ID for the associated post of the attachment.', 'integer', VIEW_CONTEXTS),
  source_url: readOnlyField('URL to the original attachment file.', 'string', ALL_CONTEXTS, {
    format: 'uri',
  }),
  missing_image_sizes: readOnlyField(
    'List of the missing image sizes of the attachment.',
    'array',
    EDIT_CONTEXT,
    {
      items: { type: 'string' },
    },
  ),
};

export const MEDIA_SCHEMA: JsonObject = createRecordSchema('attachment', {
  ...COMMON_FIELDS,
  ...PERMALINK_FIELDS,
  title: TITLE_FIELD,
  author: AUTHOR_FIELD,
  ...DISCUSSION_FIELDS,
  // Media items have no meta fields, and PHP writes an empty object as a list.
  meta: schemaField('Meta fields.', 'object', VIEW_CONTEXTS, { properties: [] }),
  template: TEMPLATE_FIELD,
  ...TEXT_FIELDS,
  ...FILE_FIELDS,
});

const percentArg = (what: string): JsonObject => ({
  description: `${what} as a percentage of the image.`,
  type: 'number',
});

/** The schema of one image edit. */
const IMAGE_EDIT_SCHEMA: JsonObject = {
  description: 'Image edit.',
  type: 'object',
  required: ['type', 'args'],
  oneOf: [
    createEditSchema('Flip', {
      flip: {
        description: 'Flip direction.',
        type: 'object',
        required: ['horizontal', 'vertical'],
        properties: {
          horizontal: { description: 'Whether to flip in the horizontal direction.', type: 'boolean' },
          vertical: { description: 'Whether to flip in the vertical direction.', type: 'boolean' },
        },
      },
    }),
    createEditSchema('Rotation', {
      angle: { description: 'Angle to rotate clockwise in degrees.', type: 'number' },
    }),
    createEditSchema('Crop', {
      left: percentArg('Horizontal position from the left to begin the crop,'),
      top: percentArg('Vertical position from the top to begin the crop,'),
      width: percentArg('Width of the crop,'),
      height: percentArg('Height of the crop,'),
    }),
  ],
};

export const EDIT_ARGS: Readonly<Record<string, JsonObject>> = {
  src: { description: 'URL to the edited image file.', type: 'string', format: 'uri', required: true },
  modifiers: { description: 'Array of image edits.', type: 'array', minItems: 1, items: IMAGE_EDIT_SCHEMA },
};

function createEditSchema(title: string, args: Readonly<Record<string, JsonObject>>): JsonObject {
  const type = title === 'Rotation' ? 'rotate' : title.toLowerCase();
  return {
    title,
    properties: {
      type: { description: `${title} type.`, type: 'string', enum: [type] },
      args: {
        description: `${title} arguments.`,
        type: 'object',
        required: Object.keys(args),
        properties: args,
      },
    },
  };
}
