import type { ServiceDefinition } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

/** Fields by their numbers, such as `userId: 'string 3'`. */
type Fields = Readonly<Record<string, string>>;

/** A message from its fields; `oneof`: only one of them is set. */
function messageOf(fields: Fields, oneof?: string) {
  const declared = Object.entries(fields).map(([name, told]) => {
    const [, rule, type, id] = /^(repeated |map<string,)?([\w.]+)>? (\d+)$/.exec(told)!;
    const field = { type: type!, id: Number(id) };
    if (rule === 'repeated ') return [name, { ...field, rule: 'repeated' }] as const;
    return [name, rule ? { ...field, keyType: 'string' } : field] as const;
  });
  return {
    fields: Object.fromEntries(declared),
    ...(oneof ? { oneofs: { [oneof]: { oneof: Object.keys(fields) } } } : {}),
  };
}

/** The messages of `synap.v1` as far as they are read or written here; other fields of the client are ignored. */
const root = protobuf.Root.fromJSON({
  nested: {
    ConversationEvent: messageOf({
      eventType: 'string 1',
      conversationId: 'string 2',
      userId: 'string 3',
      role: 'string 4',
      content: 'string 5',
      customerId: 'string 6',
      toolName: 'string 10',
      toolArgsJson: 'string 11',
      eventId: 'string 17',
    }),
    HeartbeatPing: messageOf({ timestampMs: 'int64 1' }),
    HeartbeatPong: messageOf({ timestampMs: 'int64 1' }),
    EventAck: messageOf({ eventIds: 'repeated string 1', timestampMs: 'int64 2' }),
    ConversationState: messageOf({ conversationId: 'string 1', messageCount: 'int64 2' }),
    SessionControl: messageOf({
      action: 'string 1',
      sessionId: 'string 2',
      conversationId: 'string 3',
      userId: 'string 4',
      customerId: 'string 5',
    }),
    ContextUsed: messageOf({
      conversationId: 'string 2',
      userId: 'string 3',
      customerId: 'string 4',
      servedItemIds: 'repeated string 5',
    }),
    StreamEvent: messageOf(
      {
        conversationEvent: 'ConversationEvent 1',
        heartbeatPing: 'HeartbeatPing 2',
        sessionControl: 'SessionControl 3',
        contextUsed: 'ContextUsed 4',
      },
      'payload',
    ),
    ContextItem: messageOf({
      itemId: 'string 1',
      content: 'string 2',
      contextType: 'string 3',
      source: 'string 4',
      similarityScore: 'float 5',
      relevanceScore: 'float 6',
      confidence: 'float 7',
      scope: 'string 8',
      entityId: 'string 9',
      createdAt: 'string 10',
      eventDate: 'string 11',
      validUntil: 'string 12',
      temporalCategory: 'string 13',
      temporalConfidence: 'float 14',
      saidAt: 'string 15',
      rankScore: 'double 16',
    }),
    ContextItemList: messageOf({ items: 'repeated ContextItem 1' }),
    ConversationContext: messageOf({
      summary: 'string 1',
      currentStateJson: 'string 2',
      keyExtractionsJson: 'string 3',
      compactionId: 'string 5',
      compactedAt: 'string 6',
      conversationId: 'string 7',
      compactedMessageCount: 'int32 8',
      totalMessageCount: 'int32 9',
      contextBlock: 'string 10',
    }),
    ContextBundle: messageOf({
      bundleId: 'string 1',
      itemsByType: 'map<string,ContextItemList> 3',
      totalTokens: 'int32 4',
      retrievalMode: 'string 7',
      sourcesQueried: 'repeated string 8',
      degradationLevel: 'string 9',
      createdAt: 'string 11',
      anticipationUserId: 'string 15',
      anticipationCustomerId: 'string 16',
      anticipationConversationId: 'string 17',
      bundleType: 'string 19',
      conversationContext: 'ConversationContext 20',
    }),
    StreamResponse: messageOf(
      {
        contextBundle: 'ContextBundle 1',
        heartbeatPong: 'HeartbeatPong 2',
        eventAck: 'EventAck 4',
        conversationState: 'ConversationState 5',
      },
      'payload',
    ),
  },
});

/** Something that the client tells: a turn, a call of a tool, a fetch. Empty texts mean none. */
export interface ConversationEvent {
  readonly eventType: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly customerId: string;
  readonly role: string;
  readonly content: string;
  readonly toolName: string;
  readonly toolArgsJson: string;
  /** Sent by later clients, which repeat an event until its id is acknowledged. */
  readonly eventId: string;
}

/** A session begins or ends, which later clients tell of themselves. */
export interface SessionControl {
  readonly action: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly customerId: string;
}

/** Which pushed items answered a fetch. */
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
