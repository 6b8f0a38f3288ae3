import type { Signal } from '../../domain/anticipation/anticipation.ts';
import { invalid } from '../../domain/errors.ts';
import { maxIdChars } from '../../domain/tenancy/access.ts';
import type { Message__Output } from '../../generated/proto/presage/anticipation/v1/Message.ts';
import type { SessionStart__Output } from '../../generated/proto/presage/anticipation/v1/SessionStart.ts';
import type { Signal__Output } from '../../generated/proto/presage/anticipation/v1/Signal.ts';

const maxRoleChars = 64;
const maxContentChars = 100_000;
const maxTokenBudget = 100_000;

const readers: Record<NonNullable<Signal__Output['kind']>, (sent: Signal__Output) => Signal> = {
  sessionStart: (sent) => ({ kind: 'session-start', session: toSession(sent.sessionStart!) }),
  message: (sent) => toMessage(sent.message!),
  ping: () => ({ kind: 'ping' }),
  sessionEnd: () => ({ kind: 'session-end' }),
};

/** What was sent, checked. Throws `invalid_input` with the field as the proto file spells it. */
export function toSignal(sent: Signal__Output): Signal {
  if (sent.kind) return readers[sent.kind](sent);
  throw invalid('kind', 'a signal must be one of session_start, message, ping and session_end');
}

function toSession(sent: SessionStart__Output) {
  if (sent.tokenBudget > maxTokenBudget) {
    throw invalid('session_start.token_budget', `must be ${maxTokenBudget} or less`);
  }
  return {
    userId: toId('user_id', sent.userId),
    customerId: toId('customer_id', sent.customerId),
    conversationId: toId('conversation_id', sent.conversationId),
    tokenBudget: sent.tokenBudget || undefined,
  };
}

function toMessage({ role, content }: Message__Output): Signal {
  if (content.length > maxContentChars) {
    throw invalid('message.content', `must have ${maxContentChars} characters or less`);
  }
  if (content.trim() === '') throw invalid('message.content', 'must not be blank');
  return { kind: 'message', role: toShortText('message.role', role, maxRoleChars) ?? 'user', content };
}

const toId = (field: string, sent: string) => toShortText(`session_start.${field}`, sent, maxIdChars);

/** On one line: control characters and half surrogate pairs would make two ids look like one. Undefined when empty. */
function toShortText(field: string, sent: string, maxChars: number): string | undefined {
  if (sent.length > maxChars) throw invalid(field, `must have ${maxChars} characters or less`);
  if (/[\p{Cc}\p{Cs}]/u.test(sent)) throw invalid(field, 'must not contain control characters');
  return sent || undefined;
}
