import type { JsonObject } from '../../../json.ts';
import { PERSON } from '../members/person.ts';
import { whole } from '../rest/schema.ts';
import { answersWhole } from '../tasks/schema.ts';

const READ_ONLY = { readonly: true } as const;
const COLOR: JsonObject = { type: 'string', format: 'hex-color' };

export const BACKGROUND_SCHEMA: JsonObject = {
  description: 'What shows behind the board.',
  type: 'object',
  properties: {
    is_image: { description: 'Whether it is a picture.', type: 'boolean' },
    color: { ...COLOR, description: 'Colour, which shows until the picture is there.' },
    image_url: { description: 'Address of the picture.', type: ['string', 'null'], format: 'uri' },
  },
};

/** What every list of boards shows. */
const BOARD_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  id: { description: 'Number of the board.', type: 'integer', ...READ_ONLY },
  title: { description: 'Name of the board.', type: 'string' },
  description: { description: 'What the board is for.', type: 'string' },
  type: {
    description: '`kanban` boards hold tasks, `roadmap` boards ideas that are voted on.',
    type: 'string',
    enum: ['kanban', 'roadmap'],
    ...READ_ONLY,
  },
  status: {
    description: 'Archived boards are hidden until they are restored.',
    type: 'string',
    enum: ['active', 'archived'],
    ...READ_ONLY,
  },
  currency: { description: 'Currency of amounts on the board (ISO 4217): `EUR`.', type: 'string' },
  background: BACKGROUND_SCHEMA,
  is_public: { description: 'Whether people without an account see it.', type: 'boolean', ...READ_ONLY },
  is_pinned: { description: 'Whether the caller has pinned it.', type: 'boolean', ...READ_ONLY },
  role: {
    description: 'What the caller is on it; null for a stranger.',
    type: ['string', 'null'],
    enum: ['manager', 'member', 'viewer', null],
    ...READ_ONLY,
  },
  stage_count: { description: 'Stages that are not archived.', type: 'integer', ...READ_ONLY },
  task_count: { description: 'Tasks that are not archived.', type: 'integer', ...READ_ONLY },
  completed_task_count: { description: 'Those of them that are done.', type: 'integer', ...READ_ONLY },
  member_count: { description: 'People on the board.', type: 'integer', ...READ_ONLY },
  created_by: PERSON,
  created_at: { description: 'When it was made.', type: 'string', format: 'date-time', ...READ_ONLY },
  updated_at: {
    description: 'When it last changed, or anything on it.',
    type: 'string',
    format: 'date-time',
    ...READ_ONLY,
  },
  archived_at: {
    description: 'When it was archived; null while it shows.',
    type: ['string', 'null'],
    format: 'date-time',
    ...READ_ONLY,
  },
};

export const STAGE_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  id: { description: 'Number of the stage.', type: 'integer', ...READ_ONLY },
  board_id: { description: 'Board that it belongs to.', type: 'integer', ...READ_ONLY },
  title: { description: 'Name of the stage.', type: 'string' },
  slug: { description: 'Name in addresses, unique on its board.', type: 'string', ...READ_ONLY },
  position: { description: 'Place on the board, from 1; 0 while it is archived.', type: 'integer' },
  color: { ...COLOR, description: 'Colour of its head.' },
  default_status: {
    description: 'Status that tasks take when they come here; null leaves theirs.',
    type: ['string', 'null'],
    enum: ['open', 'closed', null],
  },
  default_assignees: {
    description: 'Numbers of the users who are assigned to tasks that are made here.',
    type: 'array',
    items: { type: 'integer' },
  },
  task_limit: {
    description: 'Most tasks that may stand here; null for any number.',
    type: ['integer', 'null'],
  },
  task_count: { description: 'Tasks that stand here.', type: 'integer', ...READ_ONLY },
  is_folded: { description: 'Whether the caller has folded it.', type: 'boolean', ...READ_ONLY },
  archived_at: {
    description: 'When it was archived; null while it shows.',
    type: ['string', 'null'],
    format: 'date-time',
    ...READ_ONLY,
  },
};

export const LABEL_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  id: { description: 'Number of the label.', type: 'integer', ...READ_ONLY },
  board_id: { description: 'Board that it belongs to.', type: 'integer', ...READ_ONLY },
  title: { description: 'Its text; a label may be a colour alone.', type: 'string' },
  color: { ...COLOR, description: 'Colour of the text.' },
  background_color: { ...COLOR, description: 'Colour behind the text.' },
  task_count: { description: 'Tasks that carry it and are not archived.', type: 'integer', ...READ_ONLY },
};

export const MEMBER_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  id: { description: 'Number of the user.', type: 'integer', ...READ_ONLY },
  name: { description: 'Name as shown.', type: 'string', ...READ_ONLY },
  role: {
    description: 'Managers run a board, members work on it, viewers look at it.',
    type: 'string',
    enum: ['manager', 'member', 'viewer'],
  },
  joined_at: {
    description: 'When they came to the board.',
    type: 'string',
    format: 'date-time',
    ...READ_ONLY,
  },
};

/** What is read of one board besides. */
const CONTENTS: Readonly<Record<string, JsonObject>> = {
  stages: {
    description: 'Its stages in their order. Absent in lists.',
    type: 'array',
    items: whole({ type: 'object', properties: STAGE_PROPERTIES }),
    ...READ_ONLY,
  },
  labels: {
    description: 'Its labels. Absent in lists.',
    type: 'array',
    items: whole({ type: 'object', properties: LABEL_PROPERTIES }),
    ...READ_ONLY,
  },
  members: {
    description: 'The people on it; empty for strangers. Absent in lists.',
    type: 'array',
    items: whole({ type: 'object', properties: MEMBER_PROPERTIES }),
    ...READ_ONLY,
  },
};

const IN_LISTS: JsonObject = answersWhole(
  'board',
  'A board, with what is on it where one is read.',
  BOARD_PROPERTIES,
);

export const BOARD_SCHEMA: JsonObject = {
  ...IN_LISTS,
  properties: {
    ...BOARD_PROPERTIES,
    background: whole(BACKGROUND_SCHEMA),
    created_by: whole(PERSON),
    ...CONTENTS,
  },
};
export const STAGE_SCHEMA: JsonObject = answersWhole('stage', 'A column of a board.', STAGE_PROPERTIES);
export const LABEL_SCHEMA: JsonObject = answersWhole(
  'label',
  'A mark for the tasks of a board.',
  LABEL_PROPERTIES,
);
export const MEMBER_SCHEMA: JsonObject = answersWhole(
  'board-user',
  'A person on a board.',
  MEMBER_PROPERTIES,
);
