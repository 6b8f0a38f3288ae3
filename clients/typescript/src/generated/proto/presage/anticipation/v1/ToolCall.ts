// Original file: proto/presage/anticipation/v1/anticipation.proto


export interface ToolCall {
  'name'?: (string);
  'arguments'?: (string);
}

export interface ToolCall__Output {
  'name': (string);
  'arguments': (string);
}
