// Original file: proto/presage/anticipation/v1/anticipation.proto

import type { MemoryType as _presage_anticipation_v1_MemoryType, MemoryType__Output as _presage_anticipation_v1_MemoryType__Output } from '../../../presage/anticipation/v1/MemoryType.ts';
import type { Scope as _presage_anticipation_v1_Scope, Scope__Output as _presage_anticipation_v1_Scope__Output } from '../../../presage/anticipation/v1/Scope.ts';
import type { Entity as _presage_anticipation_v1_Entity, Entity__Output as _presage_anticipation_v1_Entity__Output } from '../../../presage/anticipation/v1/Entity.ts';
import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from '../../../google/protobuf/Timestamp.ts';
import type { Evidence as _presage_anticipation_v1_Evidence, Evidence__Output as _presage_anticipation_v1_Evidence__Output } from '../../../presage/anticipation/v1/Evidence.ts';
import type { Reason as _presage_anticipation_v1_Reason, Reason__Output as _presage_anticipation_v1_Reason__Output } from '../../../presage/anticipation/v1/Reason.ts';

export interface Memory {
  'id'?: (string);
  'type'?: (_presage_anticipation_v1_MemoryType);
  'category'?: (string);
  'content'?: (string);
  'confidence'?: (number | string);
  'score'?: (number | string);
  'scope'?: (_presage_anticipation_v1_Scope);
  'entities'?: (_presage_anticipation_v1_Entity)[];
  'event_start'?: (_google_protobuf_Timestamp | null);
  'event_end'?: (_google_protobuf_Timestamp | null);
  'evidence'?: (_presage_anticipation_v1_Evidence)[];
  'event_precision'?: (string);
  'reason'?: (_presage_anticipation_v1_Reason);
  'held'?: (boolean);
}

export interface Memory__Output {
  'id': (string);
  'type': (_presage_anticipation_v1_MemoryType__Output);
  'category': (string);
  'content': (string);
  'confidence': (number);
  'score': (number);
  'scope': (_presage_anticipation_v1_Scope__Output);
  'entities': (_presage_anticipation_v1_Entity__Output)[];
  'event_start': (_google_protobuf_Timestamp__Output | null);
  'event_end': (_google_protobuf_Timestamp__Output | null);
  'evidence': (_presage_anticipation_v1_Evidence__Output)[];
  'event_precision': (string);
  'reason': (_presage_anticipation_v1_Reason__Output);
  'held': (boolean);
}
