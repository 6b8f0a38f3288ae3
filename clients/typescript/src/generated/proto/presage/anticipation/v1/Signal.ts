// Original file: proto/presage/anticipation/v1/anticipation.proto

import type { SessionStart as _presage_anticipation_v1_SessionStart, SessionStart__Output as _presage_anticipation_v1_SessionStart__Output } from '../../../presage/anticipation/v1/SessionStart.ts';
import type { Message as _presage_anticipation_v1_Message, Message__Output as _presage_anticipation_v1_Message__Output } from '../../../presage/anticipation/v1/Message.ts';
import type { Ping as _presage_anticipation_v1_Ping, Ping__Output as _presage_anticipation_v1_Ping__Output } from '../../../presage/anticipation/v1/Ping.ts';
import type { SessionEnd as _presage_anticipation_v1_SessionEnd, SessionEnd__Output as _presage_anticipation_v1_SessionEnd__Output } from '../../../presage/anticipation/v1/SessionEnd.ts';
import type { PartialMessage as _presage_anticipation_v1_PartialMessage, PartialMessage__Output as _presage_anticipation_v1_PartialMessage__Output } from '../../../presage/anticipation/v1/PartialMessage.ts';
import type { ToolCall as _presage_anticipation_v1_ToolCall, ToolCall__Output as _presage_anticipation_v1_ToolCall__Output } from '../../../presage/anticipation/v1/ToolCall.ts';
import type { ContextUsed as _presage_anticipation_v1_ContextUsed, ContextUsed__Output as _presage_anticipation_v1_ContextUsed__Output } from '../../../presage/anticipation/v1/ContextUsed.ts';

export interface Signal {
  'session_start'?: (_presage_anticipation_v1_SessionStart | null);
  'message'?: (_presage_anticipation_v1_Message | null);
  'ping'?: (_presage_anticipation_v1_Ping | null);
  'session_end'?: (_presage_anticipation_v1_SessionEnd | null);
  'partial_message'?: (_presage_anticipation_v1_PartialMessage | null);
  'tool_call'?: (_presage_anticipation_v1_ToolCall | null);
  'context_used'?: (_presage_anticipation_v1_ContextUsed | null);
  'kind'?: "session_start"|"message"|"ping"|"session_end"|"partial_message"|"tool_call"|"context_used";
}

export interface Signal__Output {
  'session_start'?: (_presage_anticipation_v1_SessionStart__Output | null);
  'message'?: (_presage_anticipation_v1_Message__Output | null);
  'ping'?: (_presage_anticipation_v1_Ping__Output | null);
  'session_end'?: (_presage_anticipation_v1_SessionEnd__Output | null);
  'partial_message'?: (_presage_anticipation_v1_PartialMessage__Output | null);
  'tool_call'?: (_presage_anticipation_v1_ToolCall__Output | null);
  'context_used'?: (_presage_anticipation_v1_ContextUsed__Output | null);
  'kind'?: "session_start"|"message"|"ping"|"session_end"|"partial_message"|"tool_call"|"context_used";
}
