import type { JsonObject } from '../../../json.ts';

/** What the assistant remembers. */
export interface AssistantState {
  readonly sessions: Map<string, ChatSession>;
  /** By user: when they agreed that what they write is given to the model. */
  readonly consents: Map<number, number>;
}

export interface ChatSession {
  readonly id: string;
  readonly owner: number;
  readonly title: string;
  readonly model: string;
  readonly archived: boolean;
  readonly created: number;
  readonly updated: number;
  readonly messages: readonly ChatMessage[];
  /** The tool that the model waits for. Until it has run, or was denied, there is no next step. */
  readonly pendingCall?: ToolCall;
}

export interface ChatMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly time: number;
}

export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly approval: 'unneeded' | 'waiting' | 'granted';
}
