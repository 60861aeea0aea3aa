import type { JsonObject } from '../../../json.ts';
import { ALL_CONTEXTS, createRecordSchema, readOnlyField, schemaField } from '../schema/field.ts';

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

export const SESSION_SCHEMA: JsonObject = createRecordSchema('chat-session', {
  id: readOnlyField('Unique identifier for the session.', 'string', ALL_CONTEXTS),
  title: schemaField('What the session is about.', 'string', ALL_CONTEXTS),
  model: schemaField('The model that answers.', 'string', ALL_CONTEXTS),
  archived: schemaField('Whether the session is archived: it accepts no messages.', 'boolean', ALL_CONTEXTS),
  status: readOnlyField('What the session waits for.', 'string', ALL_CONTEXTS, STATUS),
  created: readOnlyField('When the session began, as GMT.', 'string', ALL_CONTEXTS, DATE_TIME),
  updated: readOnlyField('When the session last changed, as GMT.', 'string', ALL_CONTEXTS, DATE_TIME),
  messages: readOnlyField('What was said, oldest first.', 'array', ALL_CONTEXTS, {
    items: {
      type: 'object',
      properties: {
        role: { description: 'Who speaks.', type: 'string', enum: ['user', 'assistant', 'tool'] },
        text: { description: 'What is said.', type: 'string' },
        time: { description: 'When, as GMT.', type: 'string', format: 'date-time' },
      },
    },
  }),
  pending: readOnlyField('The tool call that the model waits for.', ['object', 'null'], ALL_CONTEXTS, CALL),
});

export const STEP_SCHEMA: JsonObject = createRecordSchema('chat-step', {
  session: readOnlyField('The session.', 'string', ALL_CONTEXTS),
  status: readOnlyField('What the session waits for now.', 'string', ALL_CONTEXTS, STATUS),
  type: readOnlyField('What the model did.', 'string', ALL_CONTEXTS, { enum: ['message', 'tool-request'] }),
  message: readOnlyField('What the model says.', 'string', ALL_CONTEXTS),
  call: readOnlyField('The tool call that the model asks for.', ['object', 'null'], ALL_CONTEXTS, CALL),
});

export const STATUS_SCHEMA: JsonObject = createRecordSchema('chat-status', {
  available: readOnlyField('Whether the assistant answers.', 'boolean', ALL_CONTEXTS),
  model: readOnlyField('The model that answers unless another is chosen.', 'string', ALL_CONTEXTS),
  consent: readOnlyField('Whether the user has agreed to the model.', 'boolean', ALL_CONTEXTS),
  sessions: readOnlyField('How many sessions the user has.', 'integer', ALL_CONTEXTS),
});

export const TOOL_SCHEMA: JsonObject = createRecordSchema('chat-tool', {
  name: readOnlyField('Name of the tool.', 'string', ALL_CONTEXTS),
  title: readOnlyField('Name of the tool for people.', 'string', ALL_CONTEXTS),
  description: readOnlyField('What the tool does.', 'string', ALL_CONTEXTS),
  input_schema: readOnlyField('JSON Schema of its arguments.', 'object', ALL_CONTEXTS),
  needs_approval: readOnlyField('Whether somebody has to approve of each call.', 'boolean', ALL_CONTEXTS),
});

export const MODEL_SCHEMA: JsonObject = createRecordSchema('chat-model', {
  id: readOnlyField('Unique identifier for the model.', 'string', ALL_CONTEXTS),
  name: readOnlyField('Name of the model.', 'string', ALL_CONTEXTS),
  context: readOnlyField('How many characters it reads at once.', 'integer', ALL_CONTEXTS),
});

export const CONSENT_SCHEMA: JsonObject = createRecordSchema('chat-consent', {
  granted: schemaField('Whether the user agrees.', 'boolean', ALL_CONTEXTS),
  since: readOnlyField('Since when, as GMT.', ['string', 'null'], ALL_CONTEXTS, DATE_TIME),
});

export const RESULT_SCHEMA: JsonObject = createRecordSchema('chat-tool-result', {
  session: readOnlyField('The session.', 'string', ALL_CONTEXTS),
  status: readOnlyField('What the session waits for now.', 'string', ALL_CONTEXTS, STATUS),
  tool: readOnlyField('The tool that ran.', 'string', ALL_CONTEXTS),
  result: readOnlyField('What it gave.', 'object', ALL_CONTEXTS),
});

export const APPROVAL_SCHEMA: JsonObject = createRecordSchema('chat-approval', {
  session: readOnlyField('The session.', 'string', ALL_CONTEXTS),
  status: readOnlyField('What the session waits for now.', 'string', ALL_CONTEXTS, STATUS),
  call: schemaField('The call that is decided on.', 'string', ALL_CONTEXTS),
  decision: schemaField('What was decided.', 'string', ALL_CONTEXTS, { enum: ['approve', 'deny'] }),
});
