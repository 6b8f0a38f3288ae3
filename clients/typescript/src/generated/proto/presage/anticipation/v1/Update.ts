// Original file: proto/presage/anticipation/v1/anticipation.proto

import type { Bundle as _presage_anticipation_v1_Bundle, Bundle__Output as _presage_anticipation_v1_Bundle__Output } from '../../../presage/anticipation/v1/Bundle.ts';
import type { Pong as _presage_anticipation_v1_Pong, Pong__Output as _presage_anticipation_v1_Pong__Output } from '../../../presage/anticipation/v1/Pong.ts';
import type { Withdrawal as _presage_anticipation_v1_Withdrawal, Withdrawal__Output as _presage_anticipation_v1_Withdrawal__Output } from '../../../presage/anticipation/v1/Withdrawal.ts';
import type { Throttle as _presage_anticipation_v1_Throttle, Throttle__Output as _presage_anticipation_v1_Throttle__Output } from '../../../presage/anticipation/v1/Throttle.ts';

export interface Update {
  'bundle'?: (_presage_anticipation_v1_Bundle | null);
  'pong'?: (_presage_anticipation_v1_Pong | null);
  'withdrawal'?: (_presage_anticipation_v1_Withdrawal | null);
  'throttle'?: (_presage_anticipation_v1_Throttle | null);
  'kind'?: "bundle"|"pong"|"withdrawal"|"throttle";
}

export interface Update__Output {
  'bundle'?: (_presage_anticipation_v1_Bundle__Output | null);
  'pong'?: (_presage_anticipation_v1_Pong__Output | null);
  'withdrawal'?: (_presage_anticipation_v1_Withdrawal__Output | null);
  'throttle'?: (_presage_anticipation_v1_Throttle__Output | null);
  'kind'?: "bundle"|"pong"|"withdrawal"|"throttle";
}
