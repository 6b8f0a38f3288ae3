import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from './google/protobuf/Timestamp.ts';
import type { AnticipationClient as _presage_anticipation_v1_AnticipationClient, AnticipationDefinition as _presage_anticipation_v1_AnticipationDefinition } from './presage/anticipation/v1/Anticipation.ts';
import type { Bundle as _presage_anticipation_v1_Bundle, Bundle__Output as _presage_anticipation_v1_Bundle__Output } from './presage/anticipation/v1/Bundle.ts';
import type { ContextUsed as _presage_anticipation_v1_ContextUsed, ContextUsed__Output as _presage_anticipation_v1_ContextUsed__Output } from './presage/anticipation/v1/ContextUsed.ts';
import type { Entity as _presage_anticipation_v1_Entity, Entity__Output as _presage_anticipation_v1_Entity__Output } from './presage/anticipation/v1/Entity.ts';
import type { Evidence as _presage_anticipation_v1_Evidence, Evidence__Output as _presage_anticipation_v1_Evidence__Output } from './presage/anticipation/v1/Evidence.ts';
import type { Memory as _presage_anticipation_v1_Memory, Memory__Output as _presage_anticipation_v1_Memory__Output } from './presage/anticipation/v1/Memory.ts';
import type { Message as _presage_anticipation_v1_Message, Message__Output as _presage_anticipation_v1_Message__Output } from './presage/anticipation/v1/Message.ts';
import type { PartialMessage as _presage_anticipation_v1_PartialMessage, PartialMessage__Output as _presage_anticipation_v1_PartialMessage__Output } from './presage/anticipation/v1/PartialMessage.ts';
import type { Ping as _presage_anticipation_v1_Ping, Ping__Output as _presage_anticipation_v1_Ping__Output } from './presage/anticipation/v1/Ping.ts';
import type { Pong as _presage_anticipation_v1_Pong, Pong__Output as _presage_anticipation_v1_Pong__Output } from './presage/anticipation/v1/Pong.ts';
import type { SessionEnd as _presage_anticipation_v1_SessionEnd, SessionEnd__Output as _presage_anticipation_v1_SessionEnd__Output } from './presage/anticipation/v1/SessionEnd.ts';
import type { SessionStart as _presage_anticipation_v1_SessionStart, SessionStart__Output as _presage_anticipation_v1_SessionStart__Output } from './presage/anticipation/v1/SessionStart.ts';
import type { Signal as _presage_anticipation_v1_Signal, Signal__Output as _presage_anticipation_v1_Signal__Output } from './presage/anticipation/v1/Signal.ts';
import type { Throttle as _presage_anticipation_v1_Throttle, Throttle__Output as _presage_anticipation_v1_Throttle__Output } from './presage/anticipation/v1/Throttle.ts';
import type { ToolCall as _presage_anticipation_v1_ToolCall, ToolCall__Output as _presage_anticipation_v1_ToolCall__Output } from './presage/anticipation/v1/ToolCall.ts';
import type { Update as _presage_anticipation_v1_Update, Update__Output as _presage_anticipation_v1_Update__Output } from './presage/anticipation/v1/Update.ts';
import type { Withdrawal as _presage_anticipation_v1_Withdrawal, Withdrawal__Output as _presage_anticipation_v1_Withdrawal__Output } from './presage/anticipation/v1/Withdrawal.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  google: {
    protobuf: {
      Timestamp: MessageTypeDefinition<_google_protobuf_Timestamp, _google_protobuf_Timestamp__Output>
    }
  }
  presage: {
    anticipation: {
      v1: {
        Anticipation: SubtypeConstructor<typeof grpc.Client, _presage_anticipation_v1_AnticipationClient> & { service: _presage_anticipation_v1_AnticipationDefinition }
        Bundle: MessageTypeDefinition<_presage_anticipation_v1_Bundle, _presage_anticipation_v1_Bundle__Output>
        ContextUsed: MessageTypeDefinition<_presage_anticipation_v1_ContextUsed, _presage_anticipation_v1_ContextUsed__Output>
        Entity: MessageTypeDefinition<_presage_anticipation_v1_Entity, _presage_anticipation_v1_Entity__Output>
        Evidence: MessageTypeDefinition<_presage_anticipation_v1_Evidence, _presage_anticipation_v1_Evidence__Output>
        Memory: MessageTypeDefinition<_presage_anticipation_v1_Memory, _presage_anticipation_v1_Memory__Output>
        MemoryType: EnumTypeDefinition
        Message: MessageTypeDefinition<_presage_anticipation_v1_Message, _presage_anticipation_v1_Message__Output>
        PartialMessage: MessageTypeDefinition<_presage_anticipation_v1_PartialMessage, _presage_anticipation_v1_PartialMessage__Output>
        Ping: MessageTypeDefinition<_presage_anticipation_v1_Ping, _presage_anticipation_v1_Ping__Output>
        Pong: MessageTypeDefinition<_presage_anticipation_v1_Pong, _presage_anticipation_v1_Pong__Output>
        Reason: EnumTypeDefinition
        Scope: EnumTypeDefinition
        SessionEnd: MessageTypeDefinition<_presage_anticipation_v1_SessionEnd, _presage_anticipation_v1_SessionEnd__Output>
        SessionStart: MessageTypeDefinition<_presage_anticipation_v1_SessionStart, _presage_anticipation_v1_SessionStart__Output>
        Signal: MessageTypeDefinition<_presage_anticipation_v1_Signal, _presage_anticipation_v1_Signal__Output>
        Throttle: MessageTypeDefinition<_presage_anticipation_v1_Throttle, _presage_anticipation_v1_Throttle__Output>
        ToolCall: MessageTypeDefinition<_presage_anticipation_v1_ToolCall, _presage_anticipation_v1_ToolCall__Output>
        Update: MessageTypeDefinition<_presage_anticipation_v1_Update, _presage_anticipation_v1_Update__Output>
        Withdrawal: MessageTypeDefinition<_presage_anticipation_v1_Withdrawal, _presage_anticipation_v1_Withdrawal__Output>
      }
    }
  }
}

