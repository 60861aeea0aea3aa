import type { JsonObject } from '../../../json.ts';

/** The data of the assistant. */
export interface AssistantState {
  readonly sessions: Map<string, ChatSession>;
  /** The time of consent to the use of the model, by user id. */
  readonly consents: Map<number, number>;
}

export interface ChatSession {
  readonly id: string;
  readonly owner: number;
  readonly title: string;
  readonly model: string;
  /** Whether the session accepts no messages. */
  readonly archived: boolean;
  readonly created: number;
  readonly updated: number;
  readonly messages: readonly ChatMessage[];
  /** The tool call that the model waits for. It must run or be denied before the next step. */
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
