import type { JsonObject } from '../../../json.ts';
import { ADDRESSING, AUTHOR, COMMON, DISCUSSION, TEMPLATE, TITLE } from './entry.ts';
import { EDITORS, EVERYWHERE, field, READERS, rendered, schemaOf, shown } from './field.ts';

const TEXTS: Readonly<Record<string, JsonObject>> = {
  alt_text: field('Alternative text to display when attachment is not displayed.', 'string', EVERYWHERE),
  caption: field(
    'The attachment caption.',
    'object',
    EVERYWHERE,
    rendered('Caption', 'attachment', EVERYWHERE),
  ),
  description: field('The attachment description.', 'object', READERS, {
    ...rendered('Description', 'attachment', READERS),
  }),
};

const FILE: Readonly<Record<string, JsonObject>> = {
  media_type: shown('Attachment type.', 'string', EVERYWHERE, { enum: ['image', 'file'] }),
  mime_type: shown('The attachment MIME type.', 'string', EVERYWHERE),
  media_details: shown('Details about the media file, specific to its type.', 'object', EVERYWHERE),
  post: field('The ID for the associated post of the attachment.', 'integer', READERS),
  source_url: shown('URL to the original attachment file.', 'string', EVERYWHERE, { format: 'uri' }),
  missing_image_sizes: shown('List of the missing image sizes of the attachment.', 'array', EDITORS, {
    items: { type: 'string' },
  }),
};

export const MEDIA_SCHEMA: JsonObject = schemaOf('attachment', {
  ...COMMON,
  ...ADDRESSING,
  title: TITLE,
  author: AUTHOR,
  ...DISCUSSION,
  // It has no fields of its own; PHP writes an empty object as a list.
  meta: field('Meta fields.', 'object', READERS, { properties: [] }),
  template: TEMPLATE,
  ...TEXTS,
  ...FILE,
});

const PERCENT = (what: string): JsonObject => ({
  description: `${what} as a percentage of the image.`,
  type: 'number',
});

/** One edit of an image. */
const MODIFIER: JsonObject = {
  description: 'Image edit.',
  type: 'object',
  required: ['type', 'args'],
  oneOf: [
    modifier('Flip', {
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
    modifier('Rotation', {
      angle: { description: 'Angle to rotate clockwise in degrees.', type: 'number' },
    }),
    modifier('Crop', {
      left: PERCENT('Horizontal position from the left to begin the crop,'),
      top: PERCENT('Vertical position from the top to begin the crop,'),
      width: PERCENT('Width of the crop,'),
      height: PERCENT('Height of the crop,'),
    }),
  ],
};

export const EDIT_ARGS: Readonly<Record<string, JsonObject>> = {
  src: { description: 'URL to the edited image file.', type: 'string', format: 'uri', required: true },
  modifiers: { description: 'Array of image edits.', type: 'array', minItems: 1, items: MODIFIER },
};

function modifier(title: string, args: Readonly<Record<string, JsonObject>>): JsonObject {
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
