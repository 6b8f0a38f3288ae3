// Original file: proto/presage/anticipation/v1/anticipation.proto


export interface PartialMessage {
  'role'?: (string);
  'content'?: (string);
}

export interface PartialMessage__Output {
  'role': (string);
  'content': (string);
}
