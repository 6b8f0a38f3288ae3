// Original file: proto/presage/anticipation/v1/anticipation.proto

import type { Memory as _presage_anticipation_v1_Memory, Memory__Output as _presage_anticipation_v1_Memory__Output } from '../../../presage/anticipation/v1/Memory.ts';
import type { Long } from '@grpc/proto-loader';

export interface Bundle {
  'bundle_id'?: (string);
  'sequence'?: (number | string | Long);
  'memories'?: (_presage_anticipation_v1_Memory)[];
  'total_tokens'?: (number);
  'snapshot'?: (boolean);
  'signals_heard'?: (number | string | Long);
}

export interface Bundle__Output {
  'bundle_id': (string);
  'sequence': (number);
  'memories': (_presage_anticipation_v1_Memory__Output)[];
  'total_tokens': (number);
  'snapshot': (boolean);
  'signals_heard': (number);
}
