// Original file: proto/presage/anticipation/v1/anticipation.proto

import type { Long } from '@grpc/proto-loader';

export interface Withdrawal {
  'sequence'?: (number | string | Long);
  'memory_ids'?: (string)[];
}

export interface Withdrawal__Output {
  'sequence': (number);
  'memory_ids': (string)[];
}
