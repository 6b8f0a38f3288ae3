import type { ServiceDefinition } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

/** The messages of `synap.v1` as far as they are read or written here; other fields of the library are ignored. */
const { root } = protobuf.parse(`
  syntax = "proto3";

  message ConversationEvent {
    string event_type = 1;
    string conversation_id = 2;
    string user_id = 3;
    string role = 4;
    string content = 5;
    string customer_id = 6;
    string tool_name = 10;
    string tool_args_json = 11;
    string event_id = 17;
  }
  message HeartbeatPing { int64 timestamp_ms = 1; }
  message HeartbeatPong { int64 timestamp_ms = 1; }
  message EventAck { repeated string event_ids = 1; int64 timestamp_ms = 2; }
  message ConversationState { string conversation_id = 1; int64 message_count = 2; }
  message SessionControl {
    string action = 1;
    string session_id = 2;
    string conversation_id = 3;
    string user_id = 4;
    string customer_id = 5;
  }
  message ContextUsed {
    string conversation_id = 2;
    string user_id = 3;
    string customer_id = 4;
    repeated string served_item_ids = 5;
  }
  message StreamEvent {
    oneof payload {
      ConversationEvent conversation_event = 1;
      HeartbeatPing heartbeat_ping = 2;
      SessionControl session_control = 3;
      ContextUsed context_used = 4;
    }
  }
  message ContextItem {
    string item_id = 1;
    string content = 2;
    string context_type = 3;
    string source = 4;
    float similarity_score = 5;
    float relevance_score = 6;
    float confidence = 7;
    string scope = 8;
    string entity_id = 9;
    string created_at = 10;
    string event_date = 11;
    string valid_until = 12;
    string temporal_category = 13;
    float temporal_confidence = 14;
    string said_at = 15;
    double rank_score = 16;
  }
  message ContextItemList { repeated ContextItem items = 1; }
  message ConversationContext {
    string summary = 1;
    string current_state_json = 2;
    string key_extractions_json = 3;
    string compaction_id = 5;
    string compacted_at = 6;
    string conversation_id = 7;
    int32 compacted_message_count = 8;
    int32 total_message_count = 9;
    string context_block = 10;
  }
  message ContextBundle {
    string bundle_id = 1;
    map<string, ContextItemList> items_by_type = 3;
    int32 total_tokens = 4;
    string retrieval_mode = 7;
    repeated string sources_queried = 8;
    string degradation_level = 9;
    string created_at = 11;
    string anticipation_user_id = 15;
    string anticipation_customer_id = 16;
    string anticipation_conversation_id = 17;
    string bundle_type = 19;
    ConversationContext conversation_context = 20;
  }
  message StreamResponse {
    oneof payload {
      ContextBundle context_bundle = 1;
      HeartbeatPong heartbeat_pong = 2;
      EventAck event_ack = 4;
      ConversationState conversation_state = 5;
    }
  }
`);

/** An event of the library: a turn, a call of a tool, a fetch. Empty texts mean none. */
export interface ConversationEvent {
  readonly eventType: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly customerId: string;
  readonly role: string;
  readonly content: string;
  readonly toolName: string;
  readonly toolArgsJson: string;
  /** Sent by later releases of the library, which repeat an event until its id is acknowledged. */
  readonly eventId: string;
}

/** A session begins or ends, which later releases of the library tell of themselves. */
export interface SessionControl {
  readonly action: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly customerId: string;
}

/** The pushed items that answered a fetch. */
export interface ContextUsed {
  readonly conversationId: string;
  readonly userId: string;
  readonly customerId: string;
  readonly servedItemIds: readonly string[];
}

export interface StreamEvent {
  readonly conversationEvent?: ConversationEvent;
  readonly heartbeatPing?: object;
  readonly sessionControl?: SessionControl;
  readonly contextUsed?: ContextUsed;
}

/** A response as it goes out: one of its members. */
export type StreamResponse = Readonly<Record<string, object>>;

const [event, response] = [root.lookupType('StreamEvent'), root.lookupType('StreamResponse')];

/** Bytes that are no event read as one without a payload, which is ignored. */
function eventOf(bytes: Buffer): StreamEvent {
  try {
    return event.toObject(event.decode(bytes), { longs: Number, defaults: true, arrays: true });
  } catch {
    return {};
  }
}

export const listenDefinition: ServiceDefinition = {
  Listen: {
    path: '/synap.v1.SynapService/Listen',
    requestStream: true,
    responseStream: true,
    requestSerialize: (sent: object) => Buffer.from(event.encode(event.fromObject(sent)).finish()),
    requestDeserialize: eventOf,
    responseSerialize: (sent: StreamResponse) => Buffer.from(response.encode(response.fromObject(sent)).finish()),
    responseDeserialize: (bytes: Buffer) => response.toObject(response.decode(bytes)),
  },
};
