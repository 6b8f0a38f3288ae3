// Original file: proto/presage/anticipation/v1/anticipation.proto


export interface Message {
  'role'?: (string);
  'content'?: (string);
}

export interface Message__Output {
  'role': (string);
  'content': (string);
}
