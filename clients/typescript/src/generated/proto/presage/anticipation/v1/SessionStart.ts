// Original file: proto/presage/anticipation/v1/anticipation.proto

import type { Long } from '@grpc/proto-loader';

export interface SessionStart {
  'user_id'?: (string);
  'customer_id'?: (string);
  'conversation_id'?: (string);
  'token_budget'?: (number);
  'session_id'?: (string);
  'last_sequence'?: (number | string | Long);
  'keeps_bundle'?: (boolean);
  'remember'?: (boolean);
}

export interface SessionStart__Output {
  'user_id': (string);
  'customer_id': (string);
  'conversation_id': (string);
  'token_budget': (number);
  'session_id': (string);
  'last_sequence': (number);
  'keeps_bundle': (boolean);
  'remember': (boolean);
}
