import type { JsonObject } from '../../../json.ts';
import { EVERYWHERE, field, schemaOf, shown } from '../schema/field.ts';

const CALL: JsonObject = {
  type: ['object', 'null'],
  properties: {
    id: { description: 'Unique identifier for the call.', type: 'string' },
    tool: { description: 'Name of the tool.', type: 'string' },
    arguments: { description: 'What the tool is given.', type: 'object' },
    approval: {
      description: 'Whether somebody has to approve.',
      type: 'string',
      enum: ['unneeded', 'waiting', 'granted'],
    },
  },
};

const STATUS = { enum: ['ready', 'awaiting-tool', 'awaiting-approval'] };
const DATE_TIME = { format: 'date-time' };

export const SESSION_SCHEMA: JsonObject = schemaOf('chat-session', {
  id: shown('Unique identifier for the session.', 'string', EVERYWHERE),
  title: field('What the session is about.', 'string', EVERYWHERE),
  model: field('The model that answers.', 'string', EVERYWHERE),
  archived: field('Whether the session is put away.', 'boolean', EVERYWHERE),
  status: shown('What the session waits for.', 'string', EVERYWHERE, STATUS),
  created: shown('When the session began, as GMT.', 'string', EVERYWHERE, DATE_TIME),
  updated: shown('When the session last changed, as GMT.', 'string', EVERYWHERE, DATE_TIME),
  messages: shown('What was said, oldest first.', 'array', EVERYWHERE, {
    items: {
      type: 'object',
      properties: {
        role: { description: 'Who speaks.', type: 'string', enum: ['user', 'assistant', 'tool'] },
        text: { description: 'What is said.', type: 'string' },
        time: { description: 'When, as GMT.', type: 'string', format: 'date-time' },
      },
    },
  }),
  pending: shown('The tool call that the model waits for.', ['object', 'null'], EVERYWHERE, CALL),
});

export const STEP_SCHEMA: JsonObject = schemaOf('chat-step', {
  session: shown('The session.', 'string', EVERYWHERE),
  status: shown('What the session waits for now.', 'string', EVERYWHERE, STATUS),
  type: shown('What the model did.', 'string', EVERYWHERE, { enum: ['message', 'tool-request'] }),
  message: shown('What the model says.', 'string', EVERYWHERE),
  call: shown('The tool call that the model asks for.', ['object', 'null'], EVERYWHERE, CALL),
});

export const STATUS_SCHEMA: JsonObject = schemaOf('chat-status', {
  available: shown('Whether the assistant answers.', 'boolean', EVERYWHERE),
  model: shown('The model that answers unless another is chosen.', 'string', EVERYWHERE),
  consent: shown('Whether the user has agreed to the model.', 'boolean', EVERYWHERE),
  sessions: shown('How many sessions the user has.', 'integer', EVERYWHERE),
});

export const TOOL_SCHEMA: JsonObject = schemaOf('chat-tool', {
  name: shown('Name of the tool.', 'string', EVERYWHERE),
  title: shown('Name of the tool for people.', 'string', EVERYWHERE),
  description: shown('What the tool does.', 'string', EVERYWHERE),
  input_schema: shown('JSON Schema of its arguments.', 'object', EVERYWHERE),
  needs_approval: shown('Whether somebody has to approve of each call.', 'boolean', EVERYWHERE),
});

export const MODEL_SCHEMA: JsonObject = schemaOf('chat-model', {
  id: shown('Unique identifier for the model.', 'string', EVERYWHERE),
  name: shown('Name of the model.', 'string', EVERYWHERE),
  context: shown('How many characters it reads at once.', 'integer', EVERYWHERE),
});

export const CONSENT_SCHEMA: JsonObject = schemaOf('chat-consent', {
  granted: field('Whether the user agrees.', 'boolean', EVERYWHERE),
  since: shown('Since when, as GMT.', ['string', 'null'], EVERYWHERE, DATE_TIME),
});

export const RESULT_SCHEMA: JsonObject = schemaOf('chat-tool-result', {
  session: shown('The session.', 'string', EVERYWHERE),
  status: shown('What the session waits for now.', 'string', EVERYWHERE, STATUS),
  tool: shown('The tool that ran.', 'string', EVERYWHERE),
  result: shown('What it gave.', 'object', EVERYWHERE),
});

export const APPROVAL_SCHEMA: JsonObject = schemaOf('chat-approval', {
  session: shown('The session.', 'string', EVERYWHERE),
  status: shown('What the session waits for now.', 'string', EVERYWHERE, STATUS),
  call: field('The call that is decided on.', 'string', EVERYWHERE),
  decision: field('What was decided.', 'string', EVERYWHERE, { enum: ['approve', 'deny'] }),
});
