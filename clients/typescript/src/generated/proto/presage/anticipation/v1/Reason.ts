// Original file: proto/presage/anticipation/v1/anticipation.proto

export const Reason = {
  REASON_UNSPECIFIED: 'REASON_UNSPECIFIED',
  REASON_STANDING: 'REASON_STANDING',
  REASON_DUE: 'REASON_DUE',
  REASON_CONTEXT: 'REASON_CONTEXT',
  REASON_LEARNED: 'REASON_LEARNED',
} as const;

export type Reason =
  | 'REASON_UNSPECIFIED'
  | 0
  | 'REASON_STANDING'
  | 1
  | 'REASON_DUE'
  | 2
  | 'REASON_CONTEXT'
  | 3
  | 'REASON_LEARNED'
  | 4

export type Reason__Output = typeof Reason[keyof typeof Reason]
