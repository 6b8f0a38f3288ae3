// Original file: proto/presage/anticipation/v1/anticipation.proto


export interface Entity {
  'id'?: (string);
  'name'?: (string);
  'kind'?: (string);
}

export interface Entity__Output {
  'id': (string);
  'name': (string);
  'kind': (string);
}
