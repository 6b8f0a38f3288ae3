// Original file: proto/presage/anticipation/v1/anticipation.proto


export interface Throttle {
  'retry_after_ms'?: (number);
}

export interface Throttle__Output {
  'retry_after_ms': (number);
}
