// Original file: proto/presage/anticipation/v1/anticipation.proto


export interface ContextUsed {
  'memory_ids'?: (string)[];
}

export interface ContextUsed__Output {
  'memory_ids': (string)[];
}
