import type { Signal } from '../../domain/anticipation/stream-messages.ts';
import { invalidInputError } from '../../domain/errors.ts';
import { provenances, type Provenance } from '../../domain/extraction/provenance.ts';
import { dotSegmentError, fromPublicId, isDotSegment } from '../../domain/ids.ts';
import { formatLimit, isLonger, limits, type Limit } from '../../domain/limits.ts';
import { isPlainText, plainTextError, storableText } from '../../domain/plain-text.ts';
import type { ContextUsed__Output } from '../../generated/proto/presage/anticipation/v1/ContextUsed.ts';
import type { Message__Output } from '../../generated/proto/presage/anticipation/v1/Message.ts';
import type { PartialMessage__Output } from '../../generated/proto/presage/anticipation/v1/PartialMessage.ts';
import type { SessionStart__Output } from '../../generated/proto/presage/anticipation/v1/SessionStart.ts';
import type { Signal__Output } from '../../generated/proto/presage/anticipation/v1/Signal.ts';
import type { ToolCall__Output } from '../../generated/proto/presage/anticipation/v1/ToolCall.ts';

const readers: Record<NonNullable<Signal__Output['kind']>, (sent: Signal__Output) => Signal> = {
  sessionStart: (sent) => ({ kind: 'session-start', session: toSession(sent.sessionStart!) }),
  message: (sent) => toMessage(sent.message!),
  partialMessage: (sent) => toPartial(sent.partialMessage!),
  toolCall: (sent) => toToolCall(sent.toolCall!),
  contextUsed: (sent) => toUse(sent.contextUsed!),
  ping: () => ({ kind: 'ping' }),
  sessionEnd: () => ({ kind: 'session-end' }),
};

const kinds = Object.keys(readers).map((kind) => kind.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** Validates one message of the client. Throws `invalid_input` with the field as the proto file spells it. */
export function toSignal(sent: Signal__Output): Signal {
  if (sent.kind) return readers[sent.kind](sent);
  throw invalidInputError('kind', `a signal must be one of ${kinds.join(', ')}`);
}

function toSession(sent: SessionStart__Output) {
  if (sent.tokenBudget > limits.bundleBudget.max) {
    throw invalidInputError(
      'session_start.token_budget',
      `must be ${limits.bundleBudget.max.toLocaleString('en')} or less`,
    );
  }
  if (sent.remember && !sent.conversationId) {
    throw invalidInputError(
      'session_start.remember',
      'needs a conversation_id: what is said is kept in a conversation',
    );
  }
  return {
    userId: toId('user_id', sent.userId),
    customerId: toId('customer_id', sent.customerId),
    conversationId: toId('conversation_id', sent.conversationId),
    tokenBudget: sent.tokenBudget || undefined,
    provenance: toProvenances(sent.provenance),
    sessionId: toId('session_id', sent.sessionId),
    lastSequence: sent.lastSequence,
    keepsBundle: sent.keepsBundle,
    remember: sent.remember,
  };
}

const provenanceOf = new Map<string, Provenance>(
  provenances.map((provenance) => [`PROVENANCE_${provenance.toUpperCase()}`, provenance]),
);

/** None: whoever said it. A value that this server does not know would otherwise let through what is not wanted. */
function toProvenances(sent: readonly (string | number)[]): Provenance[] | undefined {
  if (!sent.length) return undefined;
  const existing = [...new Set(sent)].map((name) => provenanceOf.get(String(name)));
  const wrong = existing.indexOf(undefined);
  if (wrong >= 0)
    throw invalidInputError(
      `session_start.provenance[${wrong}]`,
      `must be one of ${[...provenanceOf.keys()].join(', ')}`,
    );
  return existing.filter((each) => each !== undefined);
}

function toMessage({ role, content }: Message__Output): Signal {
  if (content.trim() === '') throw invalidInputError('message.content', 'must not be blank');
  return {
    kind: 'message',
    role: toRole('message.role', role),
    content: toText('message.content', content, limits.message),
  };
}

function toPartial({ role, content }: PartialMessage__Output): Signal {
  const text = toText('partial_message.content', content, limits.message);
  return { kind: 'partial-message', role: toRole('partial_message.role', role), content: text };
}

function toToolCall({ name, arguments: given }: ToolCall__Output): Signal {
  const text = toText('tool_call.arguments', given, limits.toolArguments);
  const shortName = toShortText('tool_call.name', name, limits.toolName);
  if (!shortName?.trim()) throw invalidInputError('tool_call.name', 'must not be blank');
  return { kind: 'tool-call', name: shortName, arguments: text };
}

function toUse({ memoryIds }: ContextUsed__Output): Signal {
  if (memoryIds.length === 0 || memoryIds.length > limits.used.max) {
    throw invalidInputError('context_used.memory_ids', `must be 1 to ${limits.used.max}`);
  }
  const wrong = memoryIds.findIndex((id) => !fromPublicId('memory', id));
  if (wrong >= 0) throw invalidInputError(`context_used.memory_ids[${wrong}]`, 'must be the id of a memory');
  return { kind: 'context-used', memoryIds };
}

function checkLength(field: string, content: string, limit: Limit): void {
  if (isLonger(content, limit)) throw invalidInputError(field, `must have ${formatLimit(limit)} or less`);
}

/** A text; what no Unicode text can hold is replaced, as REST does. */
function toText(field: string, sent: string, limit: Limit): string {
  checkLength(field, sent, limit);
  return storableText(sent);
}

const toRole = (field: string, sent: string) => toShortText(field, sent, limits.role) ?? 'user';

function toId(name: string, sent: string): string | undefined {
  const field = `session_start.${name}`;
  if (isDotSegment(sent)) throw invalidInputError(field, dotSegmentError);
  return toShortText(field, sent, limits.id);
}

/** A text on one line; undefined when it is empty. */
function toShortText(field: string, sent: string, limit: Limit): string | undefined {
  checkLength(field, sent, limit);
  if (!isPlainText(sent)) throw invalidInputError(field, plainTextError);
  return sent || undefined;
}
